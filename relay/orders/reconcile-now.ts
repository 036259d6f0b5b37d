import { within } from '../base/bounded.ts';
import { pause } from '../base/polling.ts';
import type { Account } from '../config/load.ts';
import { rulesOf } from '../config/rules.ts';
import { type Context, ownOrder } from '../context/context.ts';
import { wasSent } from '../payments/attempt.ts';
import type { StoredOrder } from '../payments/order.ts';
import { minQueryGap } from '../payments/schedule.ts';
import { applyCharges, canReconcile, MAX_WAIT_MS, reconcileOrder } from '../reconciliation/reconcile.ts';
import { refreshNow } from './find.ts';

/**
 * Queries the gateway about an order of the account, and returns the order. An order that the relay does not know may
 * be that of a later charge. Answers within ten seconds. Throws ProblemError `not_found`, and StoreError.
 */
export async function reconcileNow(context: Context, account: Account, orderNo: string): Promise<StoredOrder> {
  const deadline = context.monotonic() + MAX_WAIT_MS;
  const { sessions, payments } = await context.store.orders.get(account.id, orderNo);
  const isUnknown = sessions.length === 0 && payments.length === 0;
  if (isUnknown) {
    // A contract that began a moment ago must be found by its id.
    await refreshNow(context);
    await applyCharges(context, account, orderNo);
  }
  const before = await ownOrder(context, account, orderNo);
  if (isUnknown && !before.attempts.some(wasSent)) {
    context.metrics.orderReconciled('changed');
    return before;
  }
  if (!canReconcile(before)) {
    context.metrics.orderReconciled('unchanged');
    return before;
  }
  const asking = isUnknown ? queryAgain(context, before, deadline) : reconcileOrder(context, before, deadline);
  const { counted, order } = await asking;
  context.metrics.orderReconciled(!counted ? 'failed' : isSettledAlike(before, order) ? 'unchanged' : 'changed');
  return order;
}

/**
 * Queries an order again: its payment began during the query about the unknown order, so the records of that query were
 * not used. Queries about one order begin at least two seconds apart. The query continues after the caller stops
 * waiting.
 */
async function queryAgain(context: Context, before: StoredOrder, deadline: number) {
  const asking = pause(minQueryGap(rulesOf(context.config)), new AbortController().signal).then(() =>
    reconcileOrder(context, before, deadline),
  );
  // After the wait, an error of the store has no receiver.
  asking.catch(() => undefined);
  return (await within(asking, Math.max(deadline - context.monotonic(), 0))) ?? { counted: false, order: before };
}

/** Whether the status of an order's payment and of its sessions is the same in both versions. */
function isSettledAlike(before: StoredOrder, after: StoredOrder): boolean {
  const settled = ({ hold, payments, sessions }: StoredOrder): string =>
    JSON.stringify([hold, payments.map((one) => one.transaction_id), sessions.map(({ state }) => state.status)]);
  return settled(before) === settled(after);
}

import { ProblemError } from '../base/errors.ts';
import type { Account } from '../config/load.ts';
import type { Order } from '../payments/order.ts';
import { canReconcile, reconcileOrder } from '../reconciliation/reconcile.ts';
import type { Context } from '../store/context.ts';

/** An account's order as it is now. Throws ProblemError `not_found` where there is none. */
export async function ownOrder(context: Context, account: Account, orderNo: string): Promise<Order> {
  const order = await context.store.order(account.id, orderNo);
  if (order.sessions.length > 0 || order.payments.length > 0) return order;
  throw new ProblemError('not_found', 'This account has no order with this order_no.');
}

/** An account's order after the gateway was asked about it. Throws ProblemError `not_found`, and StoreError. */
export async function reconcileNow(context: Context, account: Account, orderNo: string): Promise<Order> {
  const before = await ownOrder(context, account, orderNo);
  if (!canReconcile(before)) {
    context.metrics.orderReconciled('unchanged');
    return before;
  }
  const { counted, order } = await reconcileOrder(context, before);
  context.metrics.orderReconciled(!counted ? 'failed' : isSettledAlike(before, order) ? 'unchanged' : 'changed');
  return order;
}

/** Whether an order is paid alike, and its sessions stand alike. */
function isSettledAlike(before: Order, after: Order): boolean {
  const settled = ({ hold, payments, sessions }: Order): string =>
    JSON.stringify([hold, payments.map((one) => one.transaction_id), sessions.map(({ state }) => state.status)]);
  return settled(before) === settled(after);
}

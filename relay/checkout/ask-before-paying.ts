import { ProblemError } from '../base/errors.ts';
import { rulesOf } from '../config/rules.ts';
import { isWatched } from '../payments/attempt.ts';
import type { Order } from '../payments/order.ts';
import { holdPayingSession } from '../payments/settlement/hold.ts';
import { reconcileOrder } from '../reconciliation/reconcile.ts';
import type { Context } from '../store/context.ts';
import { updateOrder } from '../webhooks/commit.ts';
import { checkFree, holderOf } from './conflicts.ts';

/**
 * An attempt that ended without the gateway's own word may be paid after all. Before its order is paid another way, the
 * gateway is asked by a query that begins now. Gives the order as it may be paid then. Throws ProblemError: the order is
 * paid, something of it is undecided, or the query does not count. What is undecided moves the session that asked.
 * @param sessionId the session that is about to be paid, where it is stored already
 */
export async function askBeforePaying(context: Context, order: Order, sessionId?: string): Promise<Order> {
  await checkHold(context, order, sessionId);
  if (!order.attempts.some(isWatched)) return order;
  const { counted, order: asked } = await reconcileOrder(context, order);
  await checkHold(context, asked, sessionId);
  if (!counted) {
    throw new ProblemError('gateway_unreachable', 'The gateway cannot be asked, so nothing was sent. Try again.');
  }
  return asked;
}

/** Throws the 409 of an order that is paid or held, and tells it in the session that asked. */
async function checkHold(context: Context, order: Order, sessionId: string | undefined): Promise<void> {
  if (sessionId !== undefined && order.hold !== 'free') {
    await updateOrder(context, order, (now) =>
      holdPayingSession(now, sessionId, context.now(), rulesOf(context.config)),
    );
  }
  // The browser of one session hears of no other one.
  checkFree(order, sessionId === undefined ? holderOf(order) : undefined);
}

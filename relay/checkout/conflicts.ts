import { ProblemError } from '../base/errors.ts';
import { updateOrder } from '../commit/commit.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import { isUnsettled, wasSent } from '../payments/attempt.ts';
import { needsQueryFirst, type StoredOrder } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { holdPayingSession } from '../payments/settlement/hold.ts';
import { reconcileOrder } from '../reconciliation/reconcile.ts';
import type { OrderTaken } from '../store/facets/sessions.ts';

/**
 * The 409 of an order that is paid or held by another payment. Only the shop's server gets the `session_id` of that
 * payment.
 */
export function orderProblem(code: OrderTaken['kind'], session_id?: string): ProblemError {
  return new ProblemError(
    code,
    code === 'order_already_paid'
      ? 'This order_no is paid. Get its session; a new order needs a new order_no.'
      : 'A payment of this order_no is under way or its outcome is not known yet. Get its session.',
    { session_id },
  );
}

/** The session that holds or paid an order, if it is still stored. */
export function holderOf({ attempts, payments, sessions, undecided }: StoredOrder): string | undefined {
  if (payments.length > 0)
    return attempts.find(({ id }) => payments.some(({ attempt_id }) => attempt_id === id))?.session_id;
  const waits = ({ state }: Session): boolean => state.status === 'pending' || state.status === 'unknown';
  const latest = undecided ? attempts.findLast(wasSent) : undefined;
  return attempts.find(isUnsettled)?.session_id ?? sessions.find(waits)?.id ?? latest?.session_id;
}

/** Throws the 409 of a paid or held order. Only the shop's server gets `holder`. */
export function checkFree({ hold }: StoredOrder, holder?: string): void {
  if (hold === 'paid') throw orderProblem('order_already_paid', holder);
  if (hold === 'held') throw orderProblem('order_in_progress', holder);
}

/** Throws the 409 of a session that cannot be paid now. */
export function checkOpen(session: Session, now: Date): void {
  switch (session.state.status) {
    case 'open':
      if (Date.parse(session.expires_at) > now.getTime()) return;
      throw new ProblemError('session_final', 'This session has expired. The shop must make a new one.');
    case 'processing':
    case 'redirected':
    case 'pending':
    case 'unknown':
      throw new ProblemError('attempt_in_flight', 'A payment is under way. Get the session until it is known.');
    case 'approved':
      throw new ProblemError('session_final', 'This session is paid.');
    case 'failed':
    case 'expired':
      throw new ProblemError('session_final', 'This session takes no more payments. The shop must make a new one.');
  }
}

/**
 * Rule 6. Returns the order if it can be paid. If an attempt ended without the gateway's signed answer, or the gateway
 * has sent a notification since, the gateway may still charge: then a query about the order begins now. Throws
 * ProblemError if the order is paid, a part of it is undecided, or the query does not count. An undecided payment moves
 * the session that is about to be paid.
 * @param sessionId the session that is about to be paid, if it is stored already
 * @param deadline see `reconcileOrder`
 */
export async function queryBeforePaying(
  context: Context,
  order: StoredOrder,
  sessionId?: string,
  deadline?: number,
): Promise<StoredOrder> {
  await checkHold(context, order, sessionId);
  if (!needsQueryFirst(order)) return order;
  const { counted, order: queried } = await reconcileOrder(context, order, deadline);
  await checkHold(context, queried, sessionId);
  if (!counted) {
    throw new ProblemError('gateway_unreachable', 'The gateway cannot be queried, so nothing was sent. Try again.');
  }
  return queried;
}

/** Throws the 409 of a paid or held order, and moves the session that wants to pay. */
async function checkHold(context: Context, order: StoredOrder, sessionId: string | undefined): Promise<void> {
  if (sessionId !== undefined && order.hold !== 'free') {
    await updateOrder(context, order, (now) =>
      holdPayingSession(now, sessionId, context.now(), rulesOf(context.config)),
    );
  }
  // The browser of one session gets no data of other sessions.
  checkFree(order, sessionId === undefined ? holderOf(order) : undefined);
}

import { pause } from '../base/polling.ts';
import { rulesOf } from '../config/rules.ts';
import { isBeingPaid, type Order } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { shopperReturned } from '../payments/session-steps.ts';
import type { Decision } from '../payments/transitions.ts';
import { isWorthAsking, reconcileOrder } from '../reconciliation/reconcile.ts';
import type { Context } from '../store/context.ts';
import { updateOrder } from '../webhooks/commit.ts';

/** Between two looks whether the poller has found how the payment went, and how many there are at most. */
const CONFIRM_PAUSE_MS = 200;
const MAX_CONFIRM_PAUSES = 40;

/** How long the form of an open session waits for what the gateway says. */
const OPEN_WAIT_MS = 1000;

/**
 * The shopper is back from the issuer's page. Asks the gateway at once, and where it knows of no payment waits for the
 * poller's queries 2 and 5 seconds after the return. Gives the order as it is then. Throws StoreError.
 */
export async function comeBack(context: Context, session: Session): Promise<Order> {
  let order = await noteReturn(context, session);
  if (isWorthAsking(order)) ({ order } = await reconcileOrder(context, order));
  for (let pauses = 0; isConfirming(order, session.id) && pauses < MAX_CONFIRM_PAUSES; pauses++) {
    await pause(CONFIRM_PAUSE_MS, new AbortController().signal);
    order = await context.store.order(session.account, session.order_no);
  }
  return order;
}

/**
 * The session for a shopper whose page asks for it. Whoever opens the form again is back from the issuer: by a reload, the
 * back button, or in another tab. The gateway is asked where that is worth a query; unknown and pending sessions are left
 * to the poller, at its own pace. Throws StoreError.
 */
export async function sessionForShopper(context: Context, session: Session, read: Order): Promise<Order> {
  const { status } = session.state;
  if (status === 'unknown' || status === 'pending' || status === 'approved' || status === 'processing') {
    return read;
  }
  const order = await noteReturn(context, session, read);
  if (!isWorthAsking(order) || isLeftToPoller(context, order, session.id)) return order;
  const asked = reconcileOrder(context, order).then((reconciled) => reconciled.order);
  return status === 'open' ? orSoon(context, asked, order) : asked;
}

/** The order as the query leaves it, or as it is by then where that takes long: before it is paid the gateway is asked again. */
async function orSoon(context: Context, asked: Promise<Order>, order: Order): Promise<Order> {
  const over = new AbortController();
  // Another relay's query, or an answer, may have told meanwhile.
  const soon = pause(OPEN_WAIT_MS, over.signal).then(() =>
    over.signal.aborted ? order : context.store.order(order.account, order.order_no),
  );
  // Whoever no longer waits does not hear of a store that fails: the poller asks again.
  asked.catch(() => undefined);
  return Promise.race([asked, soon]).finally(() => over.abort());
}

function noteReturn(context: Context, session: Session, read?: Order): Promise<Order> {
  const returned = (order: Order): Decision | undefined =>
    order.sessions.some(({ id }) => id === session.id)
      ? shopperReturned(order, session.id, context.now(), rulesOf(context.config))
      : undefined;
  return updateOrder(context, session, returned, {}, read);
}

/** A page that confirms a payment asks often: the queries keep their moments. A payment that is sent is answered soon. */
function isLeftToPoller(context: Context, order: Order, sessionId: string): boolean {
  if (isBeingPaid(order)) return true;
  const { next_query_at } = order;
  const isDue = next_query_at !== undefined && Date.parse(next_query_at) <= context.now().getTime();
  return isConfirming(order, sessionId) && !isDue;
}

/** True while a session waits for the queries after its shopper's return. */
export function isConfirming({ sessions, attempts }: Order, sessionId: string): boolean {
  const state = sessions.find(({ id }) => id === sessionId)?.state;
  if (state?.status !== 'redirected') return false;
  const attempt = attempts.find(({ id }) => id === state.attempt_id);
  return attempt?.state.status === 'redirected' && attempt.state.returned_at !== undefined;
}

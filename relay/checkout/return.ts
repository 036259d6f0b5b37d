import { within } from '../base/bounded.ts';
import { ProblemError } from '../base/errors.ts';
import { pause } from '../base/polling.ts';
import { updateOrder } from '../commit/commit.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import type { Attempt } from '../payments/attempt.ts';
import { isBeingPaid, type StoredOrder } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { abandonAwaited, canAbandon, isConfirming, shopperReturned } from '../payments/session-steps.ts';
import { canQueryChange, reconcileOrder } from '../reconciliation/reconcile.ts';

/** The maximum time that a shopper who returned from the issuer's page waits for the gateway's answer. */
const RETURN_WAIT_MS = 8000;

/** The pause between two reads of the order, whose outcome the poller may write. */
const CONFIRM_PAUSE_MS = 200;

/** How long a form waits for the gateway's answer. It repeats its request. */
const FORM_WAIT_MS = 1000;

/**
 * Stores the shopper's return from the issuer's page and queries the gateway. If no record shows a payment, it waits at
 * most eight seconds for the poller's next queries. Returns the order. Throws StoreError.
 */
export async function returnFromIssuer(context: Context, session: Session): Promise<StoredOrder> {
  const noted = await noteReturn(context, session);
  return orStored(context, noted, RETURN_WAIT_MS, async (over) => {
    let order = await queryIfUseful(context, noted, session.id);
    while (isConfirming(order, session.id) && !over.aborted) {
      await pause(CONFIRM_PAUSE_MS, over);
      order = await context.store.orders.get(order.account, order.order_no);
    }
    return order;
  });
}

/** Stores the shopper's statement in the form that they paid at the issuer's page. Throws StoreError. */
export async function confirmReturnInForm(context: Context, session: Session): Promise<StoredOrder> {
  const order = await noteReturn(context, session);
  return orStored(context, order, FORM_WAIT_MS, () => queryIfUseful(context, order, session.id));
}

/**
 * Returns the order of a session for the shopper's form. This request is not a return from the issuer, because the form
 * may be open in another tab. The poller queries payments in progress; here only an open session is queried, if an
 * earlier attempt may still be charged. Throws StoreError.
 */
export async function sessionForShopper(context: Context, session: Session, order: StoredOrder): Promise<StoredOrder> {
  switch (session.state.status) {
    case 'processing':
    case 'redirected':
    case 'pending':
    case 'unknown':
    case 'approved':
      return order;
    case 'open':
    case 'failed':
    case 'expired':
      return orStored(context, order, FORM_WAIT_MS, () => queryIfUseful(context, order, session.id));
  }
}

/** Returns the order after a query, if a query is useful now. */
async function queryIfUseful(context: Context, order: StoredOrder, sessionId: string): Promise<StoredOrder> {
  if (!canQueryChange(order) || isLeftToPoller(context, order, sessionId)) return order;
  return (await reconcileOrder(context, order)).order;
}

/**
 * Returns the order from the work, or the stored order if the work takes longer than `ms`, because another relay may
 * have written it.
 */
async function orStored(
  { store }: Context,
  { account, order_no }: StoredOrder,
  ms: number,
  work: (over: AbortSignal) => Promise<StoredOrder>,
): Promise<StoredOrder> {
  const over = new AbortController();
  // After the time, errors of the store are ignored.
  const worked = await within(work(over.signal), ms).finally(() => over.abort());
  return worked ?? store.orders.get(account, order_no);
}

function noteReturn(context: Context, session: Session): Promise<StoredOrder> {
  return updateOrder(context, session, (order) =>
    shopperReturned(order, context.now(), rulesOf(context.config), session.id),
  );
}

/**
 * Whether only the poller queries the order: forms poll often and must not cause queries, and a payment that is being
 * sent is answered soon.
 */
function isLeftToPoller(context: Context, order: StoredOrder, sessionId: string): boolean {
  if (isBeingPaid(order)) return true;
  const { next_query_at } = order;
  const isDue = next_query_at !== undefined && Date.parse(next_query_at) <= context.now().getTime();
  return isConfirming(order, sessionId) && !isDue;
}

/**
 * Abandons a payment that is pending or at the issuer's page, so that the shopper can choose another way to pay. It
 * queries the gateway first, and the records decide. A repetition changes nothing. Throws ProblemError.
 */
export async function abandon(context: Context, session: Session): Promise<StoredOrder> {
  const order = await updateOrder(context, session, (before) =>
    canAbandon(before) ? shopperReturned(before, context.now(), rulesOf(context.config)) : undefined,
  );
  const queried = canAbandon(order) ? order.attempts.filter(isAtIssuer).map(({ id }) => id) : [];
  if (queried.length > 0) {
    const { counted } = await reconcileOrder(context, order);
    if (!counted) {
      throw new ProblemError('gateway_unreachable', 'The gateway cannot be queried about this payment. Try again.');
    }
  }
  return updateOrder(context, session, (before) => {
    // A payment whose answer arrived during the query was not part of that query.
    const isQueried = before.attempts.filter(isAtIssuer).every(({ id }) => queried.includes(id));
    const abandoned = isQueried
      ? abandonAwaited(before, context.now(), rulesOf(context.config))
      : ({ kind: 'cannot_abandon' } as const);
    switch (abandoned.kind) {
      case 'abandoned':
        return abandoned.decision;
      case 'not_awaited':
        return undefined;
      case 'cannot_abandon':
        throw new ProblemError(
          'cannot_abandon',
          'This payment completes by itself. Get the session until it is known.',
        );
    }
  });
}

function isAtIssuer({ state }: Attempt): boolean {
  return state.status === 'redirected';
}

import { within } from '../base/concurrency.ts';
import { ProblemError } from '../base/errors.ts';
import { pause } from '../base/polling.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import type { Attempt } from '../payments/attempt.ts';
import { isBeingPaid, type StoredOrder } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { abandonAwaited, canAbandon, isConfirming, shopperReturned } from '../payments/session-steps.ts';
import { isWorthAsking, reconcileOrder } from '../reconciliation/reconcile.ts';
import { updateOrder } from '../webhooks/commit.ts';

/** How long a shopper who comes back by the issuer's page waits for what the gateway says, at the most. */
const RETURN_WAIT_MS = 8000;

/** Between two reads of the order, in which the poller may have written how the payment went. */
const CONFIRM_PAUSE_MS = 200;

/** How long a form waits for what the gateway says; it asks again. */
const FORM_WAIT_MS = 1000;

/**
 * The shopper is back from the issuer's page. Asks the gateway at once, and where it knows of no payment waits for the
 * poller's next queries, eight seconds at the most. Gives the order as it is then. Throws StoreError.
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

/** The shopper says in the form that they have paid at the issuer's page: they are back. Throws StoreError. */
export async function confirmReturnInForm(context: Context, session: Session): Promise<StoredOrder> {
  const order = await noteReturn(context, session);
  return orStored(context, order, FORM_WAIT_MS, () => queryIfUseful(context, order, session.id));
}

/**
 * The session for a shopper whose form asks for it. That is no return from the issuer: the form may be open in another tab.
 * What holds the order, and what pays it, is left to the poller, at its own pace; of an open session the gateway is asked
 * where an earlier attempt may still be charged. Throws StoreError.
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

/** The order once the gateway was asked, where that is worth a query now. */
async function queryIfUseful(context: Context, order: StoredOrder, sessionId: string): Promise<StoredOrder> {
  if (!isWorthAsking(order) || isLeftToPoller(context, order, sessionId)) return order;
  return (await reconcileOrder(context, order)).order;
}

/** The order as the work leaves it, or as it is by then where that takes long: another relay's query may have told. */
async function orStored(
  { store }: Context,
  { account, order_no }: StoredOrder,
  ms: number,
  work: (over: AbortSignal) => Promise<StoredOrder>,
): Promise<StoredOrder> {
  const over = new AbortController();
  // A caller that no longer waits does not hear of a store that fails.
  const worked = await within(work(over.signal), ms).finally(() => over.abort());
  return worked ?? store.orders.get(account, order_no);
}

function noteReturn(context: Context, session: Session): Promise<StoredOrder> {
  return updateOrder(context, session, (order) =>
    shopperReturned(order, context.now(), rulesOf(context.config), session.id),
  );
}

/** A page that confirms a payment asks often: the queries keep their moments. A payment that is sent is answered soon. */
function isLeftToPoller(context: Context, order: StoredOrder, sessionId: string): boolean {
  if (isBeingPaid(order)) return true;
  const { next_query_at } = order;
  const isDue = next_query_at !== undefined && Date.parse(next_query_at) <= context.now().getTime();
  return isConfirming(order, sessionId) && !isDue;
}

/**
 * The shopper gives up what is pending or at an issuer's page, and chooses another way. They say that they are back from
 * that page: the gateway is asked first, and what it knows decides. Repeating it changes nothing. Throws ProblemError.
 */
export async function abandon(context: Context, session: Session): Promise<StoredOrder> {
  const order = await updateOrder(context, session, (before) =>
    canAbandon(before) ? shopperReturned(before, context.now(), rulesOf(context.config)) : undefined,
  );
  const queried = canAbandon(order) ? order.attempts.filter(isAtIssuer).map(({ id }) => id) : [];
  if (queried.length > 0) {
    const { counted } = await reconcileOrder(context, order);
    if (!counted) {
      throw new ProblemError('gateway_unreachable', 'The gateway cannot be asked about this payment. Try again.');
    }
  }
  return updateOrder(context, session, (before) => {
    // The answer to a payment may have come since: then the gateway was not asked about it.
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

import { noClearQueries } from './absence-clock.ts';
import {
  type Attempt,
  type AttemptState,
  type IssuerAddresses,
  isApm,
  issuerAddressesOf,
  isUnsettled,
  returnedAt,
} from './attempt.ts';
import { isPaid, type PaymentRules, type StoredOrder, sessionOf } from './order.ts';
import { withNextQuery } from './schedule.ts';
import type { Session } from './session.ts';
import { endAttempt, releaseSessions } from './settlement/release.ts';
import { type Decision, holdOf, moveSession, startDecision, withAttempt, withOrder } from './transitions.ts';

// Changes of a session by the shopper, the shop and time. `answer.ts` and `settlement` apply the gateway's answers and records.

/**
 * Starts an attempt: it is in flight, and its session is processing. The session may be new to
 * the order, or have new values that the shopper typed.
 */
export function startAttempt(order: StoredOrder, session: Session, attempt: Attempt, rules: PaymentRules): Decision {
  const isKnown = order.sessions.some(({ id }) => id === session.id);
  const sessions = isKnown
    ? order.sessions.map((one) => (one.id === session.id ? session : one))
    : [...order.sessions, session];
  const begun = { ...order, sessions, attempts: [...order.attempts, attempt] };
  const decision = { order: { ...begun, hold: holdOf(begun) }, events: [] };
  const paying = moveSession(decision, session.id, { status: 'processing', attempt_id: attempt.id }, 'pay');
  return withNextQuery(paying, new Date(attempt.started_at), rules);
}

/**
 * Notes that the shopper returned from the issuer's page: from now on the absence of a record counts.
 * @param sessionId the shopper's session; if left out, all sessions of the order
 */
export function shopperReturned(
  order: StoredOrder,
  now: Date,
  rules: PaymentRules,
  sessionId?: string,
): Decision | undefined {
  const returned_at = now.toISOString();
  const back = order.attempts.flatMap((attempt): Attempt[] => {
    const { state, session_id } = attempt;
    if (state.status !== 'redirected' || state.returned_at !== undefined) return [];
    if (sessionId !== undefined && session_id !== sessionId) return [];
    return [{ ...attempt, clear: noClearQueries, state: { ...state, returned_at } }];
  });
  if (back.length === 0) return undefined;
  return withNextQuery(back.reduce(withAttempt, startDecision(order)), now, rules);
}

/** True while a session waits for the gateway's records after its shopper's return. */
export function isConfirming({ sessions, attempts }: StoredOrder, sessionId: string): boolean {
  const state = sessions.find(({ id }) => id === sessionId)?.state;
  if (state?.status !== 'redirected') return false;
  const attempt = attempts.find(({ id }) => id === state.attempt_id);
  return attempt !== undefined && returnedAt(attempt) !== undefined;
}

/** An attempt that its shopper may still pay at the issuer's page. */
type AtIssuer = Attempt & {
  state:
    | Extract<AttemptState, { status: 'redirected' }>
    | (Extract<AttemptState, { status: 'pending' }> & IssuerAddresses);
};

/**
 * The session's own attempt that it waits for, if its issuer's page is known; undefined once the order is paid. A pending card payment
 * completes without its shopper.
 */
export function payableAtIssuer({ hold, sessions, attempts }: StoredOrder, sessionId: string): AtIssuer | undefined {
  const awaited = sessions.find(({ id }) => id === sessionId)?.state;
  if (hold === 'paid' || (awaited?.status !== 'redirected' && awaited?.status !== 'pending')) return undefined;
  const attempt = attempts.find(({ id, session_id }) => id === awaited.attempt_id && session_id === sessionId);
  switch (attempt?.state.status) {
    case 'redirected':
      return { ...attempt, state: attempt.state };
    case 'pending': {
      const page = isApm(attempt) ? issuerAddressesOf(attempt.state) : undefined;
      return page && { ...attempt, state: { ...attempt.state, ...page } };
    }
    default:
      return undefined;
  }
}

/** Why a payment cannot be abandoned, or the order after it was. `not_awaited`: no payment is awaited any more. */
type Abandoned = { kind: 'abandoned'; decision: Decision } | { kind: 'cannot_abandon' } | { kind: 'not_awaited' };

/**
 * Ends every pending or redirected attempt of the order as abandoned by the shopper, of whatever session. An attempt by card or token
 * completes without the shopper, so it cannot be abandoned.
 */
export function abandonAwaited(order: StoredOrder, now: Date, rules: PaymentRules): Abandoned {
  const awaited = order.attempts.filter(isAwaited);
  if (awaited.length === 0) {
    const isHeld = order.undecided !== undefined || order.attempts.some(isUnsettled);
    return isHeld ? { kind: 'cannot_abandon' } : { kind: 'not_awaited' };
  }
  if (!canAbandon(order)) return { kind: 'cannot_abandon' };
  const { undecided, ...rest } = order;
  // The pending records no longer hold the order, whatever attempt they match next time.
  const decided = [...order.decided, ...(undecided?.records ?? [])];
  const before = withOrder({ order: { ...rest, decided }, events: [] }, {});
  const decision = awaited.reduce((done, one) => endAttempt(done, one, { kind: 'abandoned' }, now), before);
  return { kind: 'abandoned', decision: withNextQuery(releaseSessions(decision, now, rules), now, rules) };
}

/** Whether only attempts by alternative methods hold the order, and records of these attempts. */
export function canAbandon(order: StoredOrder): boolean {
  const { attempts, undecided } = order;
  const unsettled = attempts.filter(isUnsettled);
  return (
    !isPaid(order) &&
    unsettled.length > 0 &&
    unsettled.every((attempt) => isAwaited(attempt) && isApm(attempt)) &&
    (undecided === undefined || undecided.reason === 'pending') &&
    (undecided?.records ?? []).every(({ attempt_id }) => unsettled.some(({ id }) => id === attempt_id))
  );
}

/** True for an attempt that its shopper completes outside the form: at the issuer's page, or with a voucher. */
function isAwaited({ state }: Attempt): boolean {
  return state.status === 'redirected' || state.status === 'pending';
}

/** Ends an open session: the shop withdraws it by this API key, or its time is over. Undefined if it is not open. */
export function expireSession(order: StoredOrder, sessionId: string, withdrawnBy?: string): Decision | undefined {
  const { state } = sessionOf(order, sessionId);
  if (state.status !== 'open') return undefined;
  return withdrawnBy === undefined
    ? moveSession(startDecision(order), sessionId, { status: 'expired' }, 'time_over')
    : moveSession(startDecision(order), sessionId, { status: 'expired', withdrawn_by: withdrawnBy }, 'withdrawn');
}

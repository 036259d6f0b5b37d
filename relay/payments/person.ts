import { type Attempt, isApm, isUnsettled } from './attempt.ts';
import { isPaid, type Order, type Rules, sessionOf } from './order.ts';
import { isBeingPaid, scheduled } from './schedule.ts';
import { isWaiting, type Settled, type Settler } from './session.ts';
import { creditPayment } from './settlement/credit.ts';
import { closePaid, endAttempt, releaseSessions } from './settlement/release.ts';
import { type Decision, moveSession, undecidedYet, withAttempt, withOrder, withSession } from './transitions.ts';

/** What a person says of an order's undecided attempts. */
export type Verdict =
  | { outcome: 'approved'; transaction_id: string; amount?: string | undefined; currency?: string | undefined }
  | { outcome: 'not_paid' };

/** True where a person can decide: something of the order is undecided, and no payment of it is being sent now. */
function isUndecided(order: Order): boolean {
  const { attempts, undecided, sessions } = order;
  if (isBeingPaid(order)) return false;
  return undecided !== undefined || attempts.some(isOpenToPerson) || sessions.some(isWaiting);
}

function isOpenToPerson(attempt: Attempt): boolean {
  return isUnsettled(attempt) && attempt.state.status !== 'in_flight';
}

/**
 * A person decides the order's undecided attempts, through one of its sessions. The records that were undecided hold the
 * order no more unless they change. Undefined where nothing is undecided. A later proof by the gateway still wins.
 */
export function settleByPerson(
  order: Order,
  sessionId: string,
  verdict: Verdict,
  settler: Settler,
  now: Date,
  rules: Rules,
): Decision | undefined {
  if (!isUndecided(order)) return undefined;
  const { undecided, ...rest } = order;
  // Nothing holds an order that is paid: a record that the gateway shows then may be the proof of the person's word.
  const isUnpaid = verdict.outcome === 'not_paid';
  const decided = isUnpaid ? [...order.decided, ...(undecided?.records ?? [])] : order.decided;
  let decision = withOrder({ order: { ...rest, decided }, events: [] }, {});
  const attempt = decidedAttempt(order, sessionId);
  const settled = settledBy(settler, verdict, attempt);
  decision = order.sessions
    .filter((session) => isWaiting(session) || (session.id === sessionId && session.state.status !== 'approved'))
    .reduce((done, session) => withSession(done, { ...session, settled }), decision);
  if (settled.outcome === 'approved') {
    const { transaction_id, amount, currency } = settled;
    const proof = { transaction_id, amount, currency, proof: 'person', date: now.toISOString() } as const;
    const own = order.attempts.find((one) => one.transaction_id === transaction_id) ?? attempt;
    decision = creditPayment(decision, proof, own, now);
  }
  decision = decision.order.attempts
    .filter(isOpenToPerson)
    .reduce((done, one) => endAttempt(done, one, { kind: 'settled' }, now), decision);
  const released = closePaid(releaseSessions(decision, now, rules, 'person_not_paid'));
  return scheduled(isUnpaid ? toldNotPaid(released, sessionId) : released, now, rules);
}

function settledBy(settler: Settler, verdict: Verdict, attempt: Attempt | undefined): Settled {
  if (verdict.outcome === 'not_paid') return { ...settler, outcome: 'not_paid' };
  const { transaction_id, amount = attempt?.amount ?? '', currency = attempt?.currency ?? '' } = verdict;
  return { ...settler, outcome: 'approved', transaction_id, amount, currency };
}

/** A session that a person decided through tells so, also where it waited for nothing. */
function toldNotPaid(decision: Decision, sessionId: string): Decision {
  const { id, state } = sessionOf(decision.order, sessionId);
  const isTold = decision.events.some(({ session_id }) => session_id === sessionId);
  if (isTold || (state.status !== 'open' && state.status !== 'failed' && state.status !== 'expired')) return decision;
  return moveSession(decision, id, state, 'person_not_paid', { reason: 'settled' });
}

/** The attempt that a person's word is about: the session's own, else the oldest that is open, else the one it waits for. */
function decidedAttempt({ attempts, sessions }: Order, sessionId: string): Attempt | undefined {
  const state = sessions.find(({ id }) => id === sessionId)?.state;
  const awaited = state && 'attempt_id' in state ? state.attempt_id : undefined;
  const open = attempts.filter(isOpenToPerson);
  return (
    open.find(({ session_id }) => session_id === sessionId) ??
    open[0] ??
    attempts.find(({ id }) => id === awaited) ??
    attempts.findLast(({ session_id }) => session_id === sessionId) ??
    attempts.at(-1)
  );
}

/** Why a shopper cannot give up what is pending, or the order after it did. `not_pending`: nothing is pending any more. */
type Abandoned = { kind: 'abandoned'; decision: Decision } | { kind: 'cannot_abandon' } | { kind: 'not_pending' };

/**
 * The shopper gives up every pending attempt of the order, whichever session made it. A card or token completes without
 * the shopper, so it cannot be given up.
 */
export function abandonPending(order: Order, now: Date, rules: Rules): Abandoned {
  const pending = order.attempts.filter(({ state }) => state.status === 'pending');
  if (pending.length === 0) {
    const isHeld = order.undecided !== undefined || order.attempts.some(isUnsettled);
    return isHeld ? { kind: 'cannot_abandon' } : { kind: 'not_pending' };
  }
  if (!canAbandon(order)) return { kind: 'cannot_abandon' };
  const { undecided, ...rest } = order;
  // What was pending holds the order no more, whichever attempt it seems to be of next time.
  const decided = [...order.decided, ...(undecided?.records ?? [])];
  const before = withOrder({ order: { ...rest, decided }, events: [] }, {});
  const decision = pending.reduce((done, one) => endAttempt(done, one, { kind: 'abandoned' }, now), before);
  return { kind: 'abandoned', decision: scheduled(releaseSessions(decision, now, rules), now, rules) };
}

/** True where everything that holds the order is a pending payment by an alternative method, made through this relay. */
export function canAbandon(order: Order): boolean {
  const { attempts, undecided } = order;
  const unsettled = attempts.filter(isUnsettled);
  const isPendingApm = (attempt: Attempt): boolean => attempt.state.status === 'pending' && isApm(attempt);
  return (
    !isPaid(order) &&
    unsettled.length > 0 &&
    unsettled.every(isPendingApm) &&
    (undecided === undefined || undecided.reason === 'pending') &&
    (undecided?.records ?? []).every(({ attempt_id }) => unsettled.some(({ id }) => id === attempt_id))
  );
}

/** The shopper is back from the issuer's page: from now on the absence of a record counts. */
export function shopperReturned(order: Order, sessionId: string, now: Date, rules: Rules): Decision | undefined {
  const { state } = sessionOf(order, sessionId);
  if (state.status !== 'redirected') return undefined;
  const attempt = order.attempts.find(({ id }) => id === state.attempt_id);
  if (attempt?.state.status !== 'redirected' || attempt.state.returned_at !== undefined) return undefined;
  const returned: Attempt = {
    ...attempt,
    clear_queries: 0,
    state: { ...attempt.state, returned_at: now.toISOString() },
  };
  return scheduled(withAttempt(undecidedYet(order), returned), now, rules);
}

/** An open session ends: the shop withdraws it, by this API key, or its time is over. Undefined where it is not open. */
export function expireSession(order: Order, sessionId: string, withdrawnBy?: string): Decision | undefined {
  const { state } = sessionOf(order, sessionId);
  if (state.status !== 'open') return undefined;
  return withdrawnBy === undefined
    ? moveSession(undecidedYet(order), sessionId, { status: 'expired' }, 'time_over')
    : moveSession(undecidedYet(order), sessionId, { status: 'expired', withdrawn_by: withdrawnBy }, 'withdrawn');
}

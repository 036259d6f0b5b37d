import { type Attempt, isUnsettled } from './attempt.ts';
import { isBeingPaid, type PaymentRules, type StoredOrder, sessionOf } from './order.ts';
import { withNextQuery } from './schedule.ts';
import { isWaiting, type Settled, type Settler } from './session.ts';
import { followPayments } from './settlement/confirmation.ts';
import { creditPayment } from './settlement/credit.ts';
import { closePaid, endAttempt, releaseSessions } from './settlement/release.ts';
import { type Decision, moveSession, withOrder, withSession } from './transitions.ts';

/** A person's decision about the undecided attempts of an order. */
export type PersonVerdict =
  | { outcome: 'approved'; transaction_id: string; amount?: string | undefined; currency?: string | undefined }
  | { outcome: 'not_paid' };

/** True if a person can decide: something of the order is undecided, and no payment of it is being sent now. */
function isUndecided(order: StoredOrder): boolean {
  const { attempts, undecided, sessions } = order;
  if (isBeingPaid(order)) return false;
  return undecided !== undefined || attempts.some(isOpenToPerson) || sessions.some(isWaiting);
}

function isOpenToPerson(attempt: Attempt): boolean {
  return isUnsettled(attempt) && attempt.state.status !== 'in_flight';
}

/**
 * Rule 10. Applies a person's decision about the order's undecided attempts, made through one of its sessions. The records that were
 * undecided no longer hold the order, unless they change. Undefined if nothing is undecided. A later proof by the gateway still wins.
 */
export function settleByPerson(
  order: StoredOrder,
  sessionId: string,
  verdict: PersonVerdict,
  settler: Settler,
  now: Date,
  rules: PaymentRules,
): Decision | undefined {
  if (!isUndecided(order)) return undefined;
  const { undecided, ...rest } = order;
  // Nothing holds a paid order: a later record may be the proof of the person's decision.
  const isUnpaid = verdict.outcome === 'not_paid';
  const decided = isUnpaid ? [...order.decided, ...(undecided?.records ?? [])] : order.decided;
  let decision = withOrder({ order: { ...rest, decided }, events: [] }, {});
  const attempt = decidedAttempt(order, sessionId, verdict);
  const settled = settlementOf(settler, verdict, attempt);
  decision = order.sessions
    .filter((session) => isWaiting(session) || (session.id === sessionId && session.state.status !== 'approved'))
    .reduce((done, session) => withSession(done, { ...session, settled }), decision);
  if (settled.outcome === 'approved') {
    const { transaction_id, amount, currency } = settled;
    const proof = { transaction_id, amount, currency, proof: 'person', date: now.toISOString() } as const;
    decision = creditPayment(decision, proof, attempt, now);
  }
  decision = decision.order.attempts
    .filter(isOpenToPerson)
    .reduce((done, one) => endAttempt(done, one, { kind: 'settled' }, now), decision);
  const released = closePaid(releaseSessions(decision, now, rules, 'person_not_paid'));
  const followed = followPayments(isUnpaid ? reportNotPaid(released, sessionId) : released, undefined, now, rules);
  return withNextQuery(followed, now, rules);
}

function settlementOf(settler: Settler, verdict: PersonVerdict, attempt: Attempt | undefined): Settled {
  if (verdict.outcome === 'not_paid') return { ...settler, outcome: 'not_paid' };
  const { transaction_id, amount = attempt?.amount ?? '', currency = attempt?.currency ?? '' } = verdict;
  return { ...settler, outcome: 'approved', transaction_id, amount, currency };
}

/** Reports the person's decision in the session that it was made through, even if that session waited for nothing. */
function reportNotPaid(decision: Decision, sessionId: string): Decision {
  const { id, state } = sessionOf(decision.order, sessionId);
  const isReported = decision.events.some(({ session_id }) => session_id === sessionId);
  if (isReported || (state.status !== 'open' && state.status !== 'failed' && state.status !== 'expired'))
    return decision;
  return moveSession(decision, id, state, 'person_not_paid', { reason: 'settled' });
}

/**
 * The attempt that a person's decision is about: that of the transaction, otherwise the session's own undecided one, otherwise the
 * oldest undecided one, otherwise the one that the session waits for.
 */
function decidedAttempt(
  { attempts, sessions }: StoredOrder,
  sessionId: string,
  verdict: PersonVerdict,
): Attempt | undefined {
  const named = verdict.outcome === 'approved' ? verdict.transaction_id : undefined;
  const state = sessions.find(({ id }) => id === sessionId)?.state;
  const awaited = state && 'attempt_id' in state ? state.attempt_id : undefined;
  const open = attempts.filter(isOpenToPerson);
  return (
    attempts.find(({ transaction_id }) => transaction_id !== undefined && transaction_id === named) ??
    open.find(({ session_id }) => session_id === sessionId) ??
    open[0] ??
    attempts.find(({ id }) => id === awaited) ??
    attempts.findLast(({ session_id }) => session_id === sessionId) ??
    attempts.at(-1)
  );
}

import { decidingAttempt } from '../amount-due.ts';
import { type Attempt, attemptsMade, issuerAddressesOf, isUnsettled, type NotPaidReason } from '../attempt.ts';
import { isPaid, type PaymentRules, type StoredOrder } from '../order.ts';
import { type EndReason, isWaiting, needsPerson, type Session, type SessionState } from '../session.ts';
import { type Cause, type Decision, moveSession, withAttempt } from '../transitions.ts';
import type { BookRecord } from './records.ts';

/** How an attempt ended unpaid: by a declined record, or without one. */
type AttemptEnd = { kind: 'declined'; record: BookRecord } | { kind: NotPaidReason };

/** The decision with an attempt that ended unpaid. It is watched from now on. */
export function endAttempt(decision: Decision, attempt: Attempt, end: AttemptEnd, now: Date): Decision {
  const settled_at = now.toISOString();
  if (end.kind !== 'declined') {
    const kept = end.kind === 'not_found' ? issuerAddressesOf(attempt.state) : {};
    return withAttempt(decision, { ...attempt, settled_at, state: { status: 'not_paid', reason: end.kind, ...kept } });
  }
  const { transaction_id = attempt.transaction_id, payment_status, decline_reason } = end.record;
  return withAttempt(decision, {
    ...attempt,
    ...(transaction_id === undefined ? {} : { transaction_id }),
    settled_at,
    state: { status: 'declined', proof: 'record', result: { code: payment_status, message: decline_reason } },
  });
}

/**
 * Rule 9. Ends the wait of every session whose attempts are settled unpaid. Sessions that are over lose their alarm.
 * @param by the cause, if it is not the end of their attempts
 */
export function releaseSessions(before: Decision, now: Date, rules: PaymentRules, by?: UnpaidCause): Decision {
  if (before.order.undecided || isPaid(before.order)) return before;
  return before.order.sessions.reduce((decision, session) => {
    if (isAlarmed(session)) {
      if (decision.order.attempts.some(isUnsettled)) return decision;
      const latest = decision.order.attempts.findLast(({ session_id }) => session_id === session.id);
      const cause = by ?? causeOf(latest);
      return withoutAlarm(decision, session, cause, reasonOf(cause));
    }
    if (!isWaiting(session) || isStillAwaited(decision.order, session)) return decision;
    const attempt = decidingAttempt(session, decision.order.attempts);
    const cause = by ?? causeOf(attempt);
    const reason = reasonOf(cause);
    const state = unpaidState(decision.order, session, attempt, reason, now, rules);
    return moveSession(decision, session.id, state, cause, { reason });
  }, before);
}

/** Rule 9. Ends every other session of a paid order: open ones at once, the others when their own attempt is settled unpaid. */
export function closePaid(before: Decision): Decision {
  if (!isPaid(before.order)) return before;
  return before.order.sessions.reduce((decision, session) => {
    if (isAlarmed(session)) return withoutAlarm(decision, session, 'order_paid', 'order_already_paid');
    if (session.state.status !== 'open' && !isWaiting(session)) return decision;
    if (hasUnsettled(decision.order, session)) return decision;
    const state: SessionState = { status: 'failed', reason: 'order_already_paid' };
    return moveSession(decision, session.id, state, 'order_paid', { reason: 'order_already_paid' });
  }, before);
}

/** True for a session that is over unpaid and reports that its order needs a person. */
function isAlarmed(session: Session): session is AlarmedSession {
  return (session.state.status === 'failed' || session.state.status === 'expired') && needsPerson(session);
}

type AlarmedSession = Session & { state: Extract<SessionState, { status: 'failed' | 'expired' }> };

/** The session without its alarm: the order needs no person any more. The session stays over and reports the reason. */
function withoutAlarm(
  decision: Decision,
  { id, state }: AlarmedSession,
  cause: UnpaidCause | 'order_paid',
  reason: EndReason,
): Decision {
  const { needs_attention: _, ...rest } = state;
  return moveSession(decision, id, rest, cause, { reason });
}

/** True while the outcome of an attempt of the session is not known. */
export function hasUnsettled({ attempts }: StoredOrder, { id }: Session): boolean {
  return attempts.some((attempt) => attempt.session_id === id && isUnsettled(attempt));
}

function isStillAwaited(order: StoredOrder, session: Session): boolean {
  const awaited = decidingAttempt(session, order.attempts);
  return hasUnsettled(order, session) || (awaited !== undefined && isUnsettled(awaited));
}

type UnpaidCause = Extract<Cause, 'record_declined' | 'absent' | 'abandoned' | 'person_not_paid'>;

function causeOf(attempt: Attempt | undefined): UnpaidCause {
  // A refused attempt waits only while a record holds its order.
  if (attempt?.state.status === 'declined' || attempt?.state.status === 'refused') return 'record_declined';
  const reason = attempt?.state.status === 'not_paid' ? attempt.state.reason : undefined;
  // For the shop, a return without a record in time is abandoned, too.
  if (reason === 'abandoned' || reason === 'not_found') return 'abandoned';
  return reason === 'settled' ? 'person_not_paid' : 'absent';
}

function reasonOf(cause: UnpaidCause): EndReason {
  switch (cause) {
    case 'record_declined':
      return 'declined';
    case 'person_not_paid':
      return 'settled';
    case 'absent':
    case 'abandoned':
      return cause;
  }
}

/** The state of a session after an unpaid attempt: open again, or over if no attempt or no time is left. */
export function unpaidState(
  { attempts }: StoredOrder,
  session: Session,
  attempt: Attempt | undefined,
  reason: EndReason | undefined,
  now: Date,
  { attemptsPerSession }: PaymentRules,
  shown: Pick<Extract<SessionState, { status: 'open' }>, 'notice' | 'advice' | 'result'> = shownAfter(attempt),
): SessionState {
  const { notice, ...rest } = shown;
  const ended = reason === undefined ? {} : { reason };
  if (session.terms.single || attemptsMade(session.id, attempts) >= attemptsPerSession) {
    return { status: 'failed', ...rest, ...ended };
  }
  if (Date.parse(session.expires_at) <= now.getTime()) return { status: 'expired', ...ended };
  const method = attempt?.method === 'token' ? 'card' : attempt?.method;
  return {
    status: 'open',
    ...(notice ? { notice } : {}),
    ...rest,
    ...(method === undefined ? {} : { last_method: method }),
  };
}

/** The message and advice that the form shows after an unpaid attempt. */
function shownAfter(
  attempt: Attempt | undefined,
): Pick<Extract<SessionState, { status: 'open' }>, 'notice' | 'advice' | 'result'> {
  switch (attempt?.state.status) {
    case 'declined':
      return { notice: 'declined', advice: 'try_another_card', result: attempt.state.result };
    case 'refused':
      return { notice: 'declined', advice: 'check_details', result: attempt.state.result };
    default:
      return { notice: 'not_paid' };
  }
}

import type { OrderRecord } from '../../../shared/gateway/query.ts';
import {
  isAbsenceProved,
  isInFuture,
  MAX_CLOCK_SKEW_MS,
  type Moment,
  noClearQueries,
  withClearQuery,
} from '../absence-clock.ts';
import { type Attempt, isAtIssuerPage, isUnsettled, returnedAt } from '../attempt.ts';
import { decisionOn } from '../ledger/standing.ts';
import { isPaid, mayHaveRecords, type OrderQuery, type PaymentRules, type StoredOrder, sessionOf } from '../order.ts';
import { returnMs, withNextQuery } from '../schedule.ts';
import type { Session } from '../session.ts';
import { type Decision, moveSession, startDecision, withAttempt } from '../transitions.ts';
import { followPayments, type Shown } from './confirmation.ts';
import { chargesIn, noteCharges } from './contracts.ts';
import { creditRecords } from './credit.ts';
import { holdByRecords } from './hold.ts';
import { followNotifications } from './notifications.ts';
import { type BookRecord, readRecords } from './records.ts';
import { closePaid, endAttempt, releaseSessions } from './release.ts';
import { declineOf, isAbsentForGood, isCoveredByQuery, ownDecline, searchMs } from './unpaid-attempts.ts';
import { applyTimeouts, becomeUnknown, logQuery, recordResult } from './waiting.ts';

/**
 * Settles an order by the result of a query. Only this function decides what the gateway's records prove, for all sessions and
 * attempts of the order.
 */
export function settleOrder(order: StoredOrder, query: OrderQuery, now: Date, rules: PaymentRules): Decision {
  const asked = logQuery(startDecision(order), query, now);
  const settled = query.counted
    ? settleByCountedQuery(asked, query, now, rules)
    : endUnansweredReturns(settleByUncountedQuery(asked, query, now, rules), now, rules);
  return withNextQuery(applyTimeouts(recordResult(settled, query), now, rules), now, rules);
}

function shownOf({ counted, begun, histories }: OrderQuery, records: readonly BookRecord[]): Shown {
  return { records, counted, at: begun.at, histories };
}

/** The order's records among these. An order without a sent attempt and without a contract has none. */
function recordsOf(order: StoredOrder, records: readonly OrderRecord[], rules: PaymentRules): BookRecord[] {
  return mayHaveRecords(order) ? readRecords(order.order_no, records, rules) : [];
}

function settleByCountedQuery(
  asked: Decision,
  query: Extract<OrderQuery, { counted: true }>,
  now: Date,
  rules: PaymentRules,
): Decision {
  const records = recordsOf(asked.order, query.records, rules);
  const { decision: credited, rest } = creditRecords(asked, records, now);
  const charged = noteOwnCharges(credited, query.records, now, rules);
  const checked = alarmContradictedPayments(charged, records);
  const held = holdByRecords(checked, records, rest, now);
  const settled = held.order.undecided ? held : endUnpaid(held, records, query.begun, now, rules);
  return followNotifications(
    asked.order,
    withSessionsAndPayments(settled, shownOf(query, records), now, rules),
    query,
    records,
  );
}

/** Notes the later charges that have the order's own number. The others are payments of other orders. */
function noteOwnCharges(decision: Decision, records: readonly OrderRecord[], now: Date, rules: PaymentRules): Decision {
  const { order } = decision;
  const own = records.filter(({ order_no }) => order_no === order.order_no);
  return noteCharges(decision, chargesIn(order, own, rules), now);
}

/**
 * Applies records that may be incomplete: payments, undecided records, and the decline of an attempt's own transaction. Absence is not
 * proved.
 */
function settleByUncountedQuery(asked: Decision, query: OrderQuery, now: Date, rules: PaymentRules): Decision {
  const records = recordsOf(asked.order, query.records ?? [], rules);
  const { decision: credited, rest } = creditRecords(asked, records, now);
  const checked = alarmContradictedPayments(credited, records);
  const held = holdByRecords(checked, records, rest, now);
  // An uncounted query does not release the order.
  const kept = held.order.undecided || isPaid(held.order) ? held : checked;
  const settled = kept.order.undecided ? kept : endDeclined(kept, records, now);
  return withSessionsAndPayments(settled, shownOf(query, records), now, rules);
}

/** The decision with its consequences for sessions and payments, after records were credited and attempts ended. */
function withSessionsAndPayments(before: Decision, shown: Shown, now: Date, rules: PaymentRules): Decision {
  const followed = followPayments(closePaid(releaseSessions(before, now, rules)), shown, now, rules);
  // `followPayments` ends the alarm of a session whose payment is good again. A contradicted payment needs the alarm.
  return alarmContradictedPayments(followed, shown.records);
}

/** Rule 3. Ends the attempts whose own transaction is declined, and whose shopper is not at the issuer's page. */
function endDeclined(before: Decision, records: readonly BookRecord[], now: Date): Decision {
  return before.order.attempts.reduce((decision, attempt) => {
    const record = isUnsettled(attempt) ? ownDecline(attempt, records) : undefined;
    const isBusy =
      attempt.state.status === 'in_flight' ||
      isAttemptAtIssuer(attempt, sessionOf(decision.order, attempt.session_id), now);
    return record && !isBusy ? endAttempt(decision, attempt, { kind: 'declined', record }, now) : decision;
  }, before);
}

/** Rule 4. True while the shopper may be at the issuer's page, and may try again there after a decline. */
function isAttemptAtIssuer(attempt: Attempt, { expires_at }: Session, now: Date): boolean {
  return isAtIssuerPage(attempt) && now.getTime() < Date.parse(expires_at);
}

/** Sets the alarm of sessions whose payment a person approved and the gateway declined, until a person decides again. */
function alarmContradictedPayments(before: Decision, records: readonly BookRecord[]): Decision {
  const byPerson = before.order.payments.filter((one) => one.proof === 'person' && !decisionOn(one));
  return byPerson.reduce((decision, payment) => {
    const isDeclined = records.some(
      ({ meaning, transaction_id }) => meaning === 'declined' && transaction_id === payment.transaction_id,
    );
    const attempt = decision.order.attempts.find(({ id }) => id === payment.attempt_id);
    const session = decision.order.sessions.find(({ id }) => id === attempt?.session_id);
    if (!isDeclined || session?.state.status !== 'approved' || session.state.needs_attention) return decision;
    return moveSession(decision, session.id, { ...session.state, needs_attention: true }, 'record_declined');
  }, before);
}

/** Ends the attempts that the records, or their absence, prove unpaid. Nothing of the order is undecided. */
function endUnpaid(
  before: Decision,
  records: readonly BookRecord[],
  begun: Moment,
  now: Date,
  rules: PaymentRules,
): Decision {
  const begunAt = new Date(begun.at);
  return before.order.attempts.reduce((decision, attempt) => {
    if (
      !isUnsettled(attempt) ||
      attempt.state.status === 'in_flight' ||
      !isCoveredByQuery(attempt, begunAt, now, rules)
    )
      return decision;
    const asked = {
      ...attempt,
      clear: withClearQuery(attempt.clear ?? noClearQueries, begun, searchMs(attempt, rules)),
    };
    const session = sessionOf(decision.order, attempt.session_id);
    const end = endOf(decision.order, session, asked, records, begunAt, now, rules);
    return end === undefined ? withAttempt(decision, asked) : endAttempt(decision, asked, end, now);
  }, before);
}

function endOf(
  order: StoredOrder,
  session: Session,
  attempt: Attempt,
  records: readonly BookRecord[],
  begunAt: Date,
  now: Date,
  rules: PaymentRules,
): Parameters<typeof endAttempt>[2] | undefined {
  const { clear = noClearQueries } = attempt;
  const returned = returnedAt(attempt);
  if (isAttemptAtIssuer(attempt, session, now)) return undefined;
  const declined = declineOf(order, attempt, records, rules);
  if (declined) return { kind: 'declined', record: declined };
  if (returned !== undefined) {
    const since = Date.parse(returned);
    const isOver = isInFuture(since, now) || begunAt.getTime() >= since + returnMs(attempt, rules);
    // The time is also measured from the first query, soon after the return: a clock that was set forward ends nothing.
    return isOver && isAbsenceProved(clear, returnMs(attempt, rules) - MAX_CLOCK_SKEW_MS)
      ? { kind: 'not_found' }
      : undefined;
  }
  return isAbsentForGood(attempt, rules) ? { kind: 'absent' } : undefined;
}

/** Makes attempts unknown whose shopper returned, if the gateway does not report their outcome in time. */
function endUnansweredReturns(before: Decision, now: Date, rules: PaymentRules): Decision {
  return before.order.attempts.reduce((decision, attempt) => {
    const returned = returnedAt(attempt);
    if (returned === undefined) return decision;
    const since = Date.parse(returned);
    if (!isInFuture(since, now) && now.getTime() - since < returnMs(attempt, rules)) return decision;
    return becomeUnknown(decision, attempt, { reason: 'query_failed', cause: 'query_failed' }, now);
  }, before);
}

import type { OrderRecord } from '../../../shared/gateway/query.ts';
import {
  isAbsenceProved,
  isInFuture,
  MAX_CLOCK_SKEW_MS,
  type Moment,
  noClearQueries,
  withClearQuery,
} from '../absence-clock.ts';
import { type Attempt, isNeverAbsent, isUnsettled, wasSent } from '../attempt.ts';
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
import { type BookRecord, isSameSum, mayBeOf, readRecords } from './records.ts';
import { closePaid, endAttempt, releaseSessions } from './release.ts';
import { becomeUnknown, noteQuery, noteResult, passTime } from './waiting.ts';

/**
 * Settles an order by the result of a query. Only this function decides what the gateway's records prove, for all sessions and
 * attempts of the order.
 */
export function settleOrder(order: StoredOrder, query: OrderQuery, now: Date, rules: PaymentRules): Decision {
  const asked = noteQuery(startDecision(order), query, now);
  const settled = query.counted
    ? settleByCountedQuery(asked, query, now, rules)
    : endUnansweredReturns(settleByUncountedQuery(asked, query, now, rules), now, rules);
  return withNextQuery(passTime(noteResult(settled, query), now, rules), now, rules);
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
function isAttemptAtIssuer({ state }: Attempt, { expires_at }: Session, now: Date): boolean {
  return state.status === 'redirected' && state.returned_at === undefined && now.getTime() < Date.parse(expires_at);
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

/**
 * Whether the query began after the attempt was sent, or after its shopper returned. A future time comes from a wrong clock and counts
 * as past.
 */
function isCoveredByQuery(
  { started_at, state }: Attempt,
  begunAt: Date,
  now: Date,
  { resolve }: PaymentRules,
): boolean {
  const returned = state.status === 'redirected' ? state.returned_at : undefined;
  const since = Date.parse(returned ?? started_at);
  if (isInFuture(since, now)) return true;
  const skew = returned === undefined ? Math.min(MAX_CLOCK_SKEW_MS, resolve.absent_ms) : 0;
  return begunAt.getTime() >= since + skew;
}

/** How long an attempt is searched for, in milliseconds: `return_ms` after its shopper returned, otherwise `absent_ms`. */
function searchMs(attempt: Attempt, rules: PaymentRules): number {
  const isBack = attempt.state.status === 'redirected' && attempt.state.returned_at !== undefined;
  return isBack ? returnMs(attempt, rules) : rules.resolve.absent_ms;
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
  const { state, clear = noClearQueries } = attempt;
  const returned = state.status === 'redirected' ? state.returned_at : undefined;
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
    const { state } = attempt;
    if (state.status !== 'redirected' || state.returned_at === undefined) return decision;
    const since = Date.parse(state.returned_at);
    if (!isInFuture(since, now) && now.getTime() - since < returnMs(attempt, rules)) return decision;
    return becomeUnknown(decision, attempt, { reason: 'query_failed', cause: 'query_failed' }, now);
  }, before);
}

/**
 * Rule 3. The declined record that ends an attempt, if there is one. A record with the attempt's transaction_id is its own. Otherwise,
 * until `absent_ms` after the attempt was sent, every attempt of the order without a transaction_id needs a declined record of its
 * own. After that, any remaining record that fits ends the attempt.
 */
function declineOf(
  order: StoredOrder,
  attempt: Attempt,
  records: readonly BookRecord[],
  rules: PaymentRules,
): BookRecord | undefined {
  const declined = records.filter(({ meaning }) => meaning === 'declined');
  const own = ownDecline(attempt, records);
  if (own) return own;
  if (attempt.transaction_id !== undefined) return undefined;
  const sent = order.attempts.filter(wasSent);
  const isTaken = (record: BookRecord): boolean => sent.some((one) => isOwn(one, record));
  const free = declined.filter((record) => !isTaken(record));
  const nameless = sent.filter((one) => one.transaction_id === undefined);
  if (!isAbsentForGood(attempt, rules)) return assignDeclines(nameless, free)?.get(attempt.id);
  return free.findLast((record) => fits(attempt, record));
}

function ownDecline(attempt: Attempt, records: readonly BookRecord[]): BookRecord | undefined {
  return records.find((record) => record.meaning === 'declined' && isOwn(attempt, record));
}

/**
 * Rule 5. True after enough counted queries over `absent_ms` that showed nothing undecided. Never for an attempt whose own signed
 * answer had the codes of an approval, or whose answer said that it is pending.
 */
function isAbsentForGood(attempt: Attempt, { resolve }: PaymentRules): boolean {
  return !isNeverAbsent(attempt) && isAbsenceProved(attempt.clear ?? noClearQueries, resolve.absent_ms);
}

/**
 * Assigns one declined record to each attempt, by attempt id, or returns undefined. Later attempts choose first, because fewer records
 * fit them.
 */
function assignDeclines(
  attempts: readonly Attempt[],
  records: readonly BookRecord[],
): Map<string, BookRecord> | undefined {
  const left = [...records];
  const found = new Map<string, BookRecord>();
  for (const attempt of attempts.toReversed()) {
    const at = left.findIndex((record) => fits(attempt, record));
    const [record] = at < 0 ? [] : left.splice(at, 1);
    if (!record) return undefined;
    found.set(attempt.id, record);
  }
  return found;
}

function fits(attempt: Attempt, record: BookRecord): boolean {
  return isSameSum(attempt, record) && mayBeOf(record, attempt);
}

function isOwn({ transaction_id }: Attempt, record: BookRecord): boolean {
  return transaction_id !== undefined && transaction_id === record.transaction_id;
}

import type { OrderRecord } from '../../../shared/gateway/query.ts';
import { type Attempt, isNeverAbsent, isUnsettled, wasSent } from '../attempt.ts';
import { decisionOn } from '../ledger/standing.ts';
import { isPaid, mayHaveRecords, type OrderQuery, type PaymentRules, type StoredOrder, sessionOf } from '../order.ts';
import { returnMs, scheduled } from '../schedule.ts';
import type { Session } from '../session.ts';
import { type Decision, moveSession, undecidedYet, withAttempt } from '../transitions.ts';
import { clearAgain, isClearFor, liesAhead, MAX_CLOCK_SKEW_MS, type Moment, notClear } from '../waited.ts';
import { followPayments, type Shown } from './confirmation.ts';
import { chargesIn, noteCharges } from './contracts.ts';
import { creditRecords } from './credit.ts';
import { holdByRecords } from './hold.ts';
import { followNotices } from './notifications.ts';
import { type BookRecord, isSameSum, mayBeOf, readRecords } from './records.ts';
import { closePaid, endAttempt, releaseSessions } from './release.ts';
import { becomeUnknown, noteQuery, noteResult, passTime } from './waiting.ts';

/**
 * Settles an order by what a query brought: the one place that decides what the gateway's records prove, for all sessions
 * and attempts of the order.
 */
export function settleOrder(order: StoredOrder, query: OrderQuery, now: Date, rules: PaymentRules): Decision {
  const asked = noteQuery(undecidedYet(order), query, now);
  const settled = query.counted
    ? settleByRecords(asked, query, now, rules)
    : unansweredReturn(proveByRecords(asked, query, now, rules), now, rules);
  return scheduled(passTime(noteResult(settled, query), now, rules), now, rules);
}

function shownBy({ counted, begun, histories }: OrderQuery, records: readonly BookRecord[]): Shown {
  return { records, counted, at: begun.at, histories };
}

/** Of an order for which nothing was sent no record is ours. */
function recordsOf(order: StoredOrder, records: readonly OrderRecord[], rules: PaymentRules): BookRecord[] {
  return mayHaveRecords(order) ? readRecords(order.order_no, records, rules) : [];
}

function settleByRecords(
  asked: Decision,
  query: Extract<OrderQuery, { counted: true }>,
  now: Date,
  rules: PaymentRules,
): Decision {
  const records = recordsOf(asked.order, query.records, rules);
  const { decision: credited, rest } = creditRecords(asked, records, now);
  const charged = noteOwnCharges(credited, query.records, now, rules);
  const checked = contradicted(charged, records);
  const held = holdByRecords(checked, records, rest, now);
  const settled = held.order.undecided ? held : endUnpaid(held, records, query.begun, now, rules);
  return followNotices(asked.order, concluded(settled, shownBy(query, records), now, rules), query, records);
}

/** The later charges that bear the order's own number; others are payments of orders of their own. */
function noteOwnCharges(decision: Decision, records: readonly OrderRecord[], now: Date, rules: PaymentRules): Decision {
  const { order } = decision;
  const own = records.filter(({ order_no }) => order_no === order.order_no);
  return noteCharges(decision, chargesIn(order, own, rules), now);
}

/**
 * What records prove that may not be all that there are: payments, what is undecided, and the decline of an attempt's own
 * transaction. They prove the absence of nothing.
 */
function proveByRecords(asked: Decision, query: OrderQuery, now: Date, rules: PaymentRules): Decision {
  const records = recordsOf(asked.order, query.records ?? [], rules);
  const { decision: credited, rest } = creditRecords(asked, records, now);
  const checked = contradicted(credited, records);
  const held = holdByRecords(checked, records, rest, now);
  // What held the order before holds it still.
  const kept = held.order.undecided || isPaid(held.order) ? held : checked;
  const settled = kept.order.undecided ? kept : endDeclined(kept, records, now);
  return concluded(settled, shownBy(query, records), now, rules);
}

/** The decision with what follows for its sessions and payments, once the records are credited and attempts are ended. */
function concluded(before: Decision, shown: Shown, now: Date, rules: PaymentRules): Decision {
  const followed = followPayments(closePaid(releaseSessions(before, now, rules)), shown, now, rules);
  // A payment that is good again ends the alarm of its session, which a contradicted one may still need.
  return contradicted(followed, shown.records);
}

/** Ends the attempts whose own transaction is declined, and whose shopper is not at the issuer's page. */
function endDeclined(before: Decision, records: readonly BookRecord[], now: Date): Decision {
  return before.order.attempts.reduce((decision, attempt) => {
    const record = isUnsettled(attempt) ? ownDecline(attempt, records) : undefined;
    const isBusy =
      attempt.state.status === 'in_flight' || isAway(attempt, sessionOf(decision.order, attempt.session_id), now);
    return record && !isBusy ? endAttempt(decision, attempt, { kind: 'declined', record }, now) : decision;
  }, before);
}

/** At an issuer's page a shopper may try again after a decline. */
function isAway({ state }: Attempt, { expires_at }: Session, now: Date): boolean {
  return state.status === 'redirected' && state.returned_at === undefined && now.getTime() < Date.parse(expires_at);
}

/** A person said that a payment was approved, and the gateway declined it: a person must look again, unless one has done so since. */
function contradicted(before: Decision, records: readonly BookRecord[]): Decision {
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
    if (!isUnsettled(attempt) || attempt.state.status === 'in_flight' || !wasAskedAbout(attempt, begunAt, now, rules))
      return decision;
    const asked = { ...attempt, clear: clearAgain(attempt.clear ?? notClear, begun, waitsFor(attempt, rules)) };
    const session = sessionOf(decision.order, attempt.session_id);
    const end = endOf(decision.order, session, asked, records, begunAt, now, rules);
    return end === undefined ? withAttempt(decision, asked) : endAttempt(decision, asked, end, now);
  }, before);
}

/**
 * False for an attempt that was sent, or whose shopper came back, after the query began, by whichever relay's clock. Where that
 * lies ahead of now, the clock that told it was ahead.
 */
function wasAskedAbout({ started_at, state }: Attempt, begunAt: Date, now: Date, { resolve }: PaymentRules): boolean {
  const returned = state.status === 'redirected' ? state.returned_at : undefined;
  const since = Date.parse(returned ?? started_at);
  if (liesAhead(since, now)) return true;
  const skew = returned === undefined ? Math.min(MAX_CLOCK_SKEW_MS, resolve.absent_ms) : 0;
  return begunAt.getTime() >= since + skew;
}

/** How long an attempt is looked for: one whose shopper is back, for less time than others. */
function waitsFor(attempt: Attempt, rules: PaymentRules): number {
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
  const { state, clear = notClear } = attempt;
  const returned = state.status === 'redirected' ? state.returned_at : undefined;
  if (isAway(attempt, session, now)) return undefined;
  const declined = declineOf(order, attempt, records, rules);
  if (declined) return { kind: 'declined', record: declined };
  if (returned !== undefined) {
    const since = Date.parse(returned);
    const isOver = liesAhead(since, now) || begunAt.getTime() >= since + returnMs(attempt, rules);
    // A clock that was set forward ends nothing: the time is measured, too, from the first query, soon after the return.
    return isOver && isClearFor(clear, returnMs(attempt, rules) - MAX_CLOCK_SKEW_MS)
      ? { kind: 'not_found' }
      : undefined;
  }
  return isAbsentForGood(attempt, rules) ? { kind: 'absent' } : undefined;
}

/** The shopper is back, and the gateway does not tell how the payment went. */
function unansweredReturn(before: Decision, now: Date, rules: PaymentRules): Decision {
  return before.order.attempts.reduce((decision, attempt) => {
    const { state } = attempt;
    if (state.status !== 'redirected' || state.returned_at === undefined) return decision;
    const since = Date.parse(state.returned_at);
    if (!liesAhead(since, now) && now.getTime() - since < returnMs(attempt, rules)) return decision;
    return becomeUnknown(decision, attempt, { reason: 'query_failed', cause: 'query_failed' }, now);
  }, before);
}

/**
 * The declined record that ends an attempt, if there is one. A record with the attempt's transaction_id is its own. Else,
 * until `absent_ms` after it was sent, every attempt of the order without a transaction_id needs a declined record for
 * itself; after that any that remains for this attempt ends it.
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
  if (!isAbsentForGood(attempt, rules)) return assigned(nameless, free)?.get(attempt.id);
  return free.findLast((record) => isFor(attempt, record));
}

function ownDecline(attempt: Attempt, records: readonly BookRecord[]): BookRecord | undefined {
  return records.find((record) => record.meaning === 'declined' && isOwn(attempt, record));
}

/**
 * True once an attempt without a record ends: after enough counted queries, over `absent_ms`, that showed nothing undecided. One
 * whose own signed answer had the codes of an approval, or said that it is pending, never does.
 */
function isAbsentForGood(attempt: Attempt, { resolve }: PaymentRules): boolean {
  return !isNeverAbsent(attempt) && isClearFor(attempt.clear ?? notClear, resolve.absent_ms);
}

/**
 * A declined record for each of these attempts, by attempt id; undefined where some attempt gets none. The attempts that
 * the fewest records are young enough for choose first, so that a full assignment is found where there is one.
 */
function assigned(attempts: readonly Attempt[], records: readonly BookRecord[]): Map<string, BookRecord> | undefined {
  const left = [...records];
  const found = new Map<string, BookRecord>();
  for (const attempt of attempts.toReversed()) {
    const at = left.findIndex((record) => isFor(attempt, record));
    const [record] = at < 0 ? [] : left.splice(at, 1);
    if (!record) return undefined;
    found.set(attempt.id, record);
  }
  return found;
}

function isFor(attempt: Attempt, record: BookRecord): boolean {
  return isSameSum(attempt, record) && mayBeOf(record, attempt);
}

function isOwn({ transaction_id }: Attempt, record: BookRecord): boolean {
  return transaction_id !== undefined && transaction_id === record.transaction_id;
}

import type { OrderRecord } from '../../../shared/gateway/query.ts';
import { type Attempt, isUnsettled, wasSent } from '../attempt.ts';
import { type Order, type OrderQuery, type Rules, sessionOf } from '../order.ts';
import { RETURN_QUERIES_MS, scheduled } from '../schedule.ts';
import type { Session } from '../session.ts';
import { type Decision, moveSession, undecidedYet, withAttempt } from '../transitions.ts';
import { creditRecords } from './credit.ts';
import { declineOf, isAbsentForGood } from './declines.ts';
import { holdByRecords } from './hold.ts';
import { tellCharges } from './later-charges.ts';
import { type BookRecord, readRecords } from './records.ts';
import { closePaid, endAttempt, releaseSessions } from './release.ts';
import { becomeUnknown, noteQuery, noteResult, passTime } from './waiting.ts';

/** How far the clocks of relays that share a store may differ. */
const MAX_CLOCK_SKEW_MS = 2000;

/** Counted queries after the shopper's return that show no record of the attempt: then it is abandoned. */
const RETURN_QUERIES = RETURN_QUERIES_MS.length;

const LAST_RETURN_QUERY_MS = Math.max(...RETURN_QUERIES_MS);

/**
 * Settles an order by what a query brought: the one place that decides what the gateway's records prove, for all sessions
 * and attempts of the order, whoever asked.
 */
export function settleOrder(order: Order, query: OrderQuery, now: Date, rules: Rules): Decision {
  const asked = noteQuery(undecidedYet(order), query);
  const settled = query.counted ? settleByRecords(asked, query, now, rules) : unansweredReturn(asked, now);
  return scheduled(passTime(noteResult(settled, query), now, rules), now, rules);
}

/** Of an order for which nothing was sent no record is ours. */
function recordsOf(order: Order, records: readonly OrderRecord[], rules: Rules): BookRecord[] {
  return order.attempts.some(wasSent) ? readRecords(order.order_no, records, rules) : [];
}

function settleByRecords(
  asked: Decision,
  query: Extract<OrderQuery, { counted: true }>,
  now: Date,
  rules: Rules,
): Decision {
  const records = recordsOf(asked.order, query.records, rules);
  const { decision: credited, rest } = creditRecords(asked, records, now);
  const charged = tellCharges(credited, records, query.records, query.told ?? new Set());
  const checked = contradicted(charged, records);
  const held = holdByRecords(checked, records, rest, now);
  const settled = held.order.undecided ? held : endUnpaid(held, records, query.begun_at, now, rules);
  return closePaid(releaseSessions(settled, now, rules));
}

/** A person said that a payment was approved, and the gateway declined it: a person must look again. */
function contradicted(before: Decision, records: readonly BookRecord[]): Decision {
  const byPerson = before.order.payments.filter(({ proof }) => proof === 'person');
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
function endUnpaid(before: Decision, records: readonly BookRecord[], begunAt: Date, now: Date, rules: Rules): Decision {
  return before.order.attempts.reduce((decision, attempt) => {
    if (!isUnsettled(attempt) || attempt.state.status === 'in_flight' || !wasAskedAbout(attempt, begunAt, rules))
      return decision;
    const asked = { ...attempt, clear_queries: (attempt.clear_queries ?? 0) + 1 };
    const session = sessionOf(decision.order, attempt.session_id);
    const end = endOf(decision.order, session, asked, records, begunAt, now, rules);
    return end === undefined ? withAttempt(decision, asked) : endAttempt(decision, asked, end, now);
  }, before);
}

/** False for an attempt that was sent, or whose shopper came back, after the query began, by whichever relay's clock. */
function wasAskedAbout({ started_at, state }: Attempt, begunAt: Date, { resolve }: Rules): boolean {
  const since = state.status === 'redirected' ? state.returned_at : undefined;
  if (since !== undefined) return begunAt.getTime() >= Date.parse(since);
  return begunAt.getTime() >= Date.parse(started_at) + Math.min(MAX_CLOCK_SKEW_MS, resolve.absent_ms);
}

function endOf(
  order: Order,
  session: Session,
  attempt: Attempt,
  records: readonly BookRecord[],
  begunAt: Date,
  now: Date,
  rules: Rules,
): Parameters<typeof endAttempt>[2] | undefined {
  const { state, clear_queries = 0 } = attempt;
  const returned = state.status === 'redirected' ? state.returned_at : undefined;
  const isAway = state.status === 'redirected' && returned === undefined;
  // At an issuer's page a shopper may try again after a decline.
  if (isAway && now.getTime() < Date.parse(session.expires_at)) return undefined;
  const declined = declineOf(order, attempt, records, now, rules);
  if (declined) return { kind: 'declined', record: declined };
  if (returned !== undefined) {
    const isLast = begunAt.getTime() >= Date.parse(returned) + LAST_RETURN_QUERY_MS;
    return isLast && clear_queries >= RETURN_QUERIES ? { kind: 'abandoned' } : undefined;
  }
  return isAbsentForGood(attempt, now, rules) ? { kind: 'absent' } : undefined;
}

/** The shopper is back, and the gateway does not tell how the payment went. */
function unansweredReturn(before: Decision, now: Date): Decision {
  return before.order.attempts.reduce((decision, attempt) => {
    const { state } = attempt;
    if (state.status !== 'redirected' || state.returned_at === undefined) return decision;
    if (now.getTime() - Date.parse(state.returned_at) < LAST_RETURN_QUERY_MS) return decision;
    return becomeUnknown(decision, attempt, { reason: 'query_failed', cause: 'query_failed' }, now);
  }, before);
}

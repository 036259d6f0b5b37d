import type { Evidence } from '../../gateway/call.ts';
import type { UnknownReason } from '../../gateway/outcome.ts';
import { noClearQueries } from '../absence-clock.ts';
import { type Attempt, wasSent } from '../attempt.ts';
import { isPaid, type OrderQuery, type PaymentRules, type StoredOrder, sessionOf } from '../order.ts';
import { orderFirstSeenInFuture, sinceOf } from '../order-clock.ts';
import { isOver, isWaiting, type QueryResult, type Search, type Session } from '../session.ts';
import { type Cause, type Decision, moveSession, withAttempt, withOrder, withSession } from '../transitions.ts';
import { needsPersonAtOnce } from './match.ts';

/** Adds the query to the order's log of queries. */
export function logQuery(decision: Decision, query: OrderQuery, now: Date): Decision {
  const { queries } = decision.order;
  const { at } = query.begun;
  const seen = orderFirstSeenInFuture(decision.order, now);
  const ahead = seen === undefined ? {} : { ahead: seen };
  const isApart = !query.counted && (query.apart || queries.apart);
  return withOrder(decision, {
    queries: query.counted
      ? { last: { at, counted: true }, failures: 0, ...ahead }
      : {
          last: { at, counted: false, fault: query.fault },
          ...countedBefore(queries),
          failures: queries.failures + 1,
          ...(isApart ? { apart: true } : {}),
          ...ahead,
        },
  });
}

/** When the last counted query began, if a later one did not count. */
function countedBefore({ last, counted }: StoredOrder['queries']): { counted?: string } {
  const at = last?.counted ? last.at : counted;
  return at === undefined ? {} : { counted: at };
}

/** Adds the query and its result to every waiting session. */
export function recordResult(before: Decision, query: OrderQuery): Decision {
  const { at } = query.begun;
  const found: QueryResult = query.counted ? (before.order.undecided?.reason ?? 'absent') : query.fault;
  return before.order.sessions.reduce((decision, session) => {
    const { state } = session;
    if (state.status !== 'pending' && state.status !== 'unknown') return decision;
    const asked = { looks: state.search.looks + 1, last_look: { at, found } };
    return withSession(decision, withSearch(session, asked));
  }, before);
}

function withSearch(session: Session, change: Partial<Search>): Session {
  const { state } = session;
  switch (state.status) {
    case 'pending':
      return { ...session, state: { ...state, search: { ...state.search, ...change } } };
    case 'unknown':
      return { ...session, state: { ...state, search: { ...state.search, ...change } } };
    default:
      return session;
  }
}

/** The search of a session that becomes undecided now. */
export function newSearch(now: Date, needs_attention = false): Search {
  return { since: now.toISOString(), looks: 0, needs_attention };
}

/** Makes an attempt unknown, and its session too unless the session is over. */
export function becomeUnknown(
  decision: Decision,
  attempt: Attempt,
  by: { reason: UnknownReason; cause: Cause; evidence?: Evidence; needs_attention?: boolean },
  now: Date,
): Decision {
  const { reason, cause, evidence = {}, needs_attention = false } = by;
  const since = now.toISOString();
  const unknown: Attempt = { ...attempt, clear: noClearQueries, state: { status: 'unknown', reason, evidence, since } };
  const changed = withAttempt(decision, unknown);
  const session = sessionOf(changed.order, attempt.session_id);
  if (isOver(session)) return changed;
  const search = { reason, ...newSearch(now, needs_attention) };
  return moveSession(changed, session.id, { status: 'unknown', attempt_id: attempt.id, search }, cause);
}

/**
 * Applies the changes that depend on the time only. A session needs a person if it has been unknown for `give_up_ms`,
 * or is still pending at its end. A session whose shopper did not return becomes unknown if no query settled it in
 * time.
 */
export function applyTimeouts(before: Decision, now: Date, rules: PaymentRules): Decision {
  const passed = before.order.sessions.reduce((decision, session) => {
    const { state, expires_at } = session;
    const time = now.getTime();
    switch (state.status) {
      case 'unknown': {
        const waited = time - sinceOf(state.search.since, decision.order, now);
        if (state.search.needs_attention || waited < rules.resolve.give_up_ms) return decision;
        const search = { ...state.search, needs_attention: true };
        return moveSession(decision, session.id, { ...state, search }, 'gave_up');
      }
      case 'pending': {
        if (state.search.needs_attention || time < Date.parse(expires_at)) return decision;
        const search = { ...state.search, needs_attention: true };
        return moveSession(decision, session.id, { ...state, search }, 'time_over');
      }
      case 'redirected': {
        const attempt = decision.order.attempts.find(({ id }) => id === state.attempt_id);
        if (!attempt || time < Date.parse(expires_at) + rules.resolve.absent_ms) return decision;
        return becomeUnknown(decision, attempt, { reason: 'left_at_issuer', cause: 'query_failed' }, now);
      }
      default:
        return decision;
    }
  }, before);
  return alarmOver(passed, now, rules);
}

/**
 * If no session waits, the session of the latest attempt reports that the order needs a person, even a session that is
 * over.
 */
function alarmOver(decision: Decision, now: Date, rules: PaymentRules): Decision {
  const { order } = decision;
  const latest = order.attempts.findLast(wasSent);
  const session = order.sessions.find(({ id }) => id === latest?.session_id);
  if (!session || isPaid(order) || order.sessions.some(isWaiting)) return decision;
  const { state } = session;
  if ((state.status !== 'failed' && state.status !== 'expired') || state.needs_attention) return decision;
  const cause = whyNeeded(order, session, now, rules);
  return cause === undefined ? decision : moveSession(decision, session.id, { ...state, needs_attention: true }, cause);
}

function whyNeeded(
  order: StoredOrder,
  { expires_at }: Session,
  now: Date,
  { resolve }: PaymentRules,
): 'record_undecided' | 'gave_up' | undefined {
  const { undecided, attempts } = order;
  const isGivenUp = (since: string): boolean => now.getTime() - sinceOf(since, order, now) >= resolve.give_up_ms;
  if (undecided && needsPersonAtOnce(undecided.reason)) return 'record_undecided';
  if (undecided?.reason === 'pending') return now.getTime() >= Date.parse(expires_at) ? 'record_undecided' : undefined;
  const isUnknownForLong = ({ state, started_at }: Attempt): boolean =>
    state.status === 'unknown' && isGivenUp(state.since ?? started_at);
  return (undecided && isGivenUp(undecided.since)) || attempts.some(isUnknownForLong) ? 'gave_up' : undefined;
}

import type { Result } from '../../shared/checkout/status.ts';
import type { Attempt, LookResult, QueryFault, Search, Session, SessionState } from './session.ts';
import {
  approved,
  type Change,
  type Circumstances,
  declined,
  HOUR_MS,
  hasAttemptsLeft,
  later,
  laterTogether,
  openAgain,
  settled,
  unknown,
  withState,
} from './transitions.ts';
import { withWatch } from './watch.ts';

/**
 * Why the gateway is asked. Only a shopper who is back proves that a payment which the gateway does not know was left;
 * anybody else, even who wants to pay the same order, may ask while the shopper is still at the issuer's page.
 */
export type Occasion = 'shopper_is_back' | 'payment' | 'resolver' | 'notification';

/** What a query, or a very late answer, told about the one unsettled attempt of a session. */
export type Finding =
  | { kind: 'approved'; transaction_id: string; recurring_id?: string; card?: string; result?: Result }
  | { kind: 'declined'; transaction_id: string; result: Result }
  | { kind: 'absent' }
  | { kind: 'undecided'; reason: 'pending' | 'codes_not_listed' }
  | { kind: 'not_counted'; why: QueryFault };

/** A finding that settles nothing. */
type Unproved = Exclude<Finding, { kind: 'approved' | 'declined' }>;

const DAY_MS = 86_400_000;

/** Absent only counts after this many queries that did not know the attempt, and after `absent_ms`. */
const ABSENT_LOOKS = 3;

/**
 * Moves a session on by what a query told about the attempt that it waits for, or that its shopper left (design 5).
 * Undefined when that changes nothing.
 */
export function afterLook(
  session: Session,
  attempt: Attempt,
  finding: Finding,
  occasion: Occasion,
  c: Circumstances,
): Change | undefined {
  const change = changeBy(session, attempt, finding, occasion, c);
  return change && withWatch(change, c);
}

function changeBy(
  session: Session,
  attempt: Attempt,
  finding: Finding,
  occasion: Occasion,
  c: Circumstances,
): Change | undefined {
  if (finding.kind === 'approved') return approvedByRecord(session, attempt, finding, c);
  if (attempt.state.status === 'declined') return undefined;
  switch (session.state.status) {
    case 'redirected':
      if (finding.kind === 'declined') return declinedByRecord(session, attempt, finding, c);
      return occasion === 'shopper_is_back'
        ? cameBack(session, attempt, finding, c)
        : stillAway(session, session.state, attempt, finding, c);
    case 'unknown':
      if (finding.kind === 'declined') return declinedByRecord(session, attempt, finding, c);
      return stillUnknown(session, session.state.search, attempt, finding, occasion, c);
    default:
      // Open again, approved, failed or expired: a proof about an attempt that was left changes the attempt, and the session only
      // if it is paid after all. Who holds the order now is not this attempt's business.
      if (finding.kind !== 'declined') return undefined;
      return {
        ...declinedByRecord(session, attempt, finding, c),
        session: withState(session, session.state),
        hold: 'unchanged',
      };
  }
}

function approvedByRecord(
  session: Session,
  attempt: Attempt,
  finding: Extract<Finding, { kind: 'approved' }>,
  c: Circumstances,
): Change {
  const { kind: _, ...known } = finding;
  const change = approved(session, attempt, c, { ...(attempt.card ? { card: attempt.card } : {}), ...known });
  const { state } = session;
  if (state.status !== 'approved') return change;
  // It was paid another way before, and stays what it is: with its first transaction.
  const paid_twice = [...new Set([...(state.paid_twice ?? []), known.transaction_id])];
  return { ...change, session: withState(session, { ...state, paid_twice }) };
}

function declinedByRecord(
  session: Session,
  attempt: Attempt,
  finding: Extract<Finding, { kind: 'declined' }>,
  c: Circumstances,
): Change {
  const told = { result: finding.result, advice: 'try_another_card' } as const;
  return declined(session, attempt, c, told, finding.transaction_id);
}

function cameBack(session: Session, attempt: Attempt, finding: Unproved, c: Circumstances): Change {
  switch (finding.kind) {
    case 'absent':
      return notPaid(session, attempt, c);
    case 'undecided':
      return unknown(session, attempt, c, finding.reason, {}, finding.reason);
    case 'not_counted':
      return unknown(session, attempt, c, 'query_failed', {}, finding.why);
  }
}

/**
 * The shopper may still be at the issuer's page, until the session's time is over. The longer ago the shopper went there,
 * the rarer are the looks, up to one an hour.
 */
function stillAway(
  session: Session,
  state: Extract<SessionState, { status: 'redirected' }>,
  attempt: Attempt,
  finding: Unproved,
  c: Circumstances,
): Change {
  if (Date.parse(session.expires_at) <= c.now.getTime()) {
    return unknown(session, attempt, c, 'left_at_issuer', {}, lookResult(finding));
  }
  const { max_ms } = c.resolve;
  const away = c.now.getTime() - Date.parse(attempt.started_at);
  const look = laterTogether(c.now, Math.max(max_ms, Math.min(away, HOUR_MS)), max_ms);
  const next_look_at = look < session.expires_at ? look : session.expires_at;
  return { session: withState(session, { ...state, next_look_at }), attempt, hold: 'held' };
}

function stillUnknown(
  session: Session,
  search: Search,
  attempt: Attempt,
  finding: Unproved,
  occasion: Occasion,
  c: Circumstances,
): Change {
  switch (finding.kind) {
    case 'absent':
      return isAbsentForGood(search, c)
        ? notPaid(session, attempt, c)
        : searchOn(session, attempt, { ...search, absent_looks: search.absent_looks + 1 }, finding, occasion, c);
    case 'undecided':
      return searchOn(session, attempt, { ...search, reason: finding.reason, absent_looks: 0 }, finding, occasion, c);
    case 'not_counted':
      return searchOn(session, attempt, search, finding, occasion, c);
  }
}

function notPaid(session: Session, attempt: Attempt, c: Circumstances): Change {
  const state: SessionState = hasAttemptsLeft(session, c)
    ? openAgain(attempt, { notice: 'not_paid' })
    : { status: 'failed' };
  return settled(session, attempt, c, { status: 'not_paid' }, {}, state);
}

function searchOn(
  session: Session,
  attempt: Attempt,
  search: Search,
  finding: Unproved,
  occasion: Occasion,
  c: Circumstances,
): Change {
  const untilGivenUp = Date.parse(search.since) + c.resolve.give_up_ms - c.now.getTime();
  const needs_attention = search.needs_attention || untilGivenUp <= 0;
  const next: Search = {
    ...search,
    // Only the resolver's own looks move its next one, or whoever reloads a page would put it off.
    ...(occasion === 'resolver' ? nextSearch(search.looks + 1, needs_attention, untilGivenUp, c) : {}),
    needs_attention,
    last_look: { at: c.now.toISOString(), found: lookResult(finding) },
  };
  return {
    session: withState(session, { status: 'unknown', attempt_id: attempt.id, search: next }),
    attempt,
    hold: 'held',
  };
}

function nextSearch(
  looks: number,
  needsAttention: boolean,
  untilGivenUp: number,
  c: Circumstances,
): Pick<Search, 'looks' | 'next_look_at'> {
  return { looks, next_look_at: needsAttention ? later(c.now, DAY_MS) : nextLook(looks, untilGivenUp, c) };
}

/** Backs off up to `max_ms`, but never beyond the moment at which the search is given up. */
function nextLook(looks: number, untilGivenUp: number, { now, resolve }: Circumstances): string {
  const { first_ms, max_ms } = resolve;
  const wait = Math.min(max_ms, first_ms * 2 ** Math.min(looks, 30), untilGivenUp);
  return wait < max_ms ? later(now, wait) : laterTogether(now, wait, max_ms);
}

function isAbsentForGood(search: Search, c: Circumstances): boolean {
  const waited = c.now.getTime() - Date.parse(search.since) >= c.resolve.absent_ms;
  return waited && search.absent_looks + 1 >= ABSENT_LOOKS;
}

function lookResult(finding: Unproved): LookResult {
  switch (finding.kind) {
    case 'absent':
      return 'absent';
    case 'undecided':
      return finding.reason;
    case 'not_counted':
      return finding.why;
  }
}

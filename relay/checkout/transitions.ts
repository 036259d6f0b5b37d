import type { Advice, Result } from '../../shared/checkout/status.ts';
import type { Outcome, UnknownReason } from '../gateway/outcome.ts';
import type { Config } from '../load-config.ts';
import type { OrderHold } from '../store/store.ts';
import { type Attempt, type AttemptState, type Search, type Session, type SessionState, wasTaken } from './session.ts';

/** A change to write in one transaction. */
export type Change = { session: Session; attempt: Attempt; hold: OrderHold };

/** What the rules need beside the session: the clock, every attempt of the order so far, and the settings. */
export type Circumstances = {
  now: Date;
  attempts: readonly Attempt[];
  limits: Config['limits'];
  resolve: Config['resolve'];
};

/**
 * Why the gateway is asked. Only a shopper who is back proves that a payment which the gateway does not know was left;
 * anybody else may ask while the shopper is still at the issuer's page.
 */
export type Occasion = 'shopper_is_back' | 'resolver' | 'notification';

/** What a query told about the one unsettled attempt of a session. */
export type Finding =
  | { kind: 'approved'; transaction_id: string; recurring_id?: string }
  | { kind: 'declined'; transaction_id: string; result: Result }
  | { kind: 'absent' }
  | { kind: 'undecided'; reason: 'pending' | 'codes_not_listed' }
  | { kind: 'not_counted' };

const DAY_MS = 86_400_000;

/** Absent only counts after this many queries that did not know the attempt, and after `absent_ms`. */
const ABSENT_LOOKS = 3;

/** The session with a new state and the next version, ready for compare-and-set. */
export function withState(session: Session, state: SessionState): Session {
  return { ...session, version: session.version + 1, state };
}

/** Attempts that count against `attempts_per_session`. */
export function attemptsMade(sessionId: string, attempts: readonly Attempt[]): number {
  return attempts.filter((attempt) => attempt.session_id === sessionId && wasTaken(attempt)).length;
}

/** Moves a processing session on by what the gateway answered (design 5). */
export function afterAnswer(session: Session, attempt: Attempt, outcome: Outcome, c: Circumstances): Change {
  const others = c.attempts.filter((other) => other.id !== attempt.id);
  switch (outcome.kind) {
    case 'approved': {
      const { kind: _, ...known } = outcome;
      return settled(session, attempt, c, { status: 'approved', result: outcome.result }, known, {
        status: 'approved',
        attempt_id: attempt.id,
        ...known,
      });
    }
    case 'declined': {
      const { result, advice, ...known } = outcome;
      return declined(session, attempt, c, { result, advice }, known.transaction_id);
    }
    case 'redirect':
      return {
        session: withState(session, {
          status: 'redirected',
          attempt_id: attempt.id,
          next_look_at: later(c.now, c.resolve.max_ms),
        }),
        attempt: {
          ...attempt,
          ...(outcome.transaction_id ? { transaction_id: outcome.transaction_id } : {}),
          state: { status: 'redirected', issuer_url: outcome.issuer_url },
        },
        hold: 'held',
      };
    case 'refused': {
      // An earlier attempt that was never proved unpaid may be why the gateway takes no other one.
      if (others.some((other) => wasTaken(other) && other.state.status !== 'declined')) {
        return unknown(session, attempt, c, 'gateway_refused', outcome.evidence);
      }
      const { result, evidence } = outcome;
      const state: AttemptState = { status: 'refused', result, evidence };
      const open: SessionState = { status: 'open', notice: 'declined', advice: 'check_details', result };
      return settled(session, attempt, c, state, {}, open);
    }
    case 'not_sent':
      return settled(session, attempt, c, { status: 'not_sent' }, {}, { status: 'open' });
    case 'unknown':
      return unknown(session, attempt, c, outcome.reason, outcome.evidence);
  }
}

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
  if (finding.kind === 'approved') return approvedByRecord(session, attempt, finding, c);
  switch (session.state.status) {
    case 'redirected':
      if (finding.kind === 'declined') return declinedByRecord(session, attempt, finding, c);
      return occasion === 'shopper_is_back'
        ? cameBack(session, attempt, finding, c)
        : stillAway(session, session.state, attempt, c);
    case 'unknown':
      if (finding.kind === 'declined') return declinedByRecord(session, attempt, finding, c);
      return stillUnknown(session, session.state.search, attempt, finding, c);
    default:
      // Open again, failed or expired: only a proof that the attempt which was left is paid after all changes that.
      return undefined;
  }
}

function approvedByRecord(
  session: Session,
  attempt: Attempt,
  finding: Extract<Finding, { kind: 'approved' }>,
  c: Circumstances,
): Change {
  const { kind: _, ...known } = finding;
  return settled(session, attempt, c, { status: 'approved' }, known, {
    status: 'approved',
    attempt_id: attempt.id,
    ...known,
    ...(attempt.card ? { card: attempt.card } : {}),
  });
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

function cameBack(
  session: Session,
  attempt: Attempt,
  finding: Exclude<Finding, { kind: 'approved' | 'declined' }>,
  c: Circumstances,
): Change {
  switch (finding.kind) {
    case 'absent':
      return notPaid(session, attempt, c);
    case 'undecided':
      return unknown(session, attempt, c, finding.reason, {});
    case 'not_counted':
      return unknown(session, attempt, c, 'query_failed', {});
  }
}

/** The shopper may still be at the issuer's page, until the session's time is over. */
function stillAway(
  session: Session,
  state: Extract<SessionState, { status: 'redirected' }>,
  attempt: Attempt,
  c: Circumstances,
): Change {
  if (Date.parse(session.expires_at) <= c.now.getTime()) return unknown(session, attempt, c, 'left_at_issuer', {});
  const next = { ...state, next_look_at: later(c.now, c.resolve.max_ms) };
  return { session: withState(session, next), attempt, hold: 'held' };
}

function stillUnknown(
  session: Session,
  search: Search,
  attempt: Attempt,
  finding: Exclude<Finding, { kind: 'approved' | 'declined' }>,
  c: Circumstances,
): Change {
  switch (finding.kind) {
    case 'absent':
      return isAbsentForGood(search, c)
        ? notPaid(session, attempt, c)
        : searchOn(session, attempt, { ...search, absent_looks: search.absent_looks + 1 }, c);
    case 'undecided':
      return searchOn(session, attempt, { ...search, reason: finding.reason, absent_looks: 0 }, c);
    case 'not_counted':
      return searchOn(session, attempt, search, c);
  }
}

function notPaid(session: Session, attempt: Attempt, c: Circumstances): Change {
  const state: SessionState = hasAttemptsLeft(session, c)
    ? { status: 'open', notice: 'not_paid' }
    : { status: 'failed' };
  return settled(session, attempt, c, { status: 'not_paid' }, {}, state);
}

/** Makes a session's outcome unknown: it stays so until a query proves otherwise. */
export function unknown(
  session: Session,
  attempt: Attempt,
  c: Circumstances,
  reason: UnknownReason,
  evidence: { http_status?: number; body?: string },
): Change {
  const search: Search = {
    reason,
    since: c.now.toISOString(),
    next_look_at: later(c.now, c.resolve.first_ms),
    looks: 0,
    absent_looks: 0,
    needs_attention: false,
  };
  return {
    session: withState(session, { status: 'unknown', attempt_id: attempt.id, search }),
    attempt: { ...attempt, state: { status: 'unknown', reason, evidence } },
    hold: 'held',
  };
}

function searchOn(session: Session, attempt: Attempt, search: Search, c: Circumstances): Change {
  const looks = search.looks + 1;
  const givenUp = c.now.getTime() - Date.parse(search.since) >= c.resolve.give_up_ms;
  const wait = givenUp ? DAY_MS : Math.min(c.resolve.max_ms, c.resolve.first_ms * 2 ** Math.min(looks, 30));
  const next: Search = {
    ...search,
    looks,
    next_look_at: later(c.now, wait),
    needs_attention: givenUp,
  };
  return {
    session: withState(session, { status: 'unknown', attempt_id: attempt.id, search: next }),
    attempt,
    hold: 'held',
  };
}

function isAbsentForGood(search: Search, c: Circumstances): boolean {
  const waited = c.now.getTime() - Date.parse(search.since) >= c.resolve.absent_ms;
  return waited && search.absent_looks + 1 >= ABSENT_LOOKS;
}

function declined(
  session: Session,
  attempt: Attempt,
  c: Circumstances,
  told: { result: Result; advice: Advice },
  transactionId: string | undefined,
): Change {
  const state: SessionState = hasAttemptsLeft(session, c)
    ? { status: 'open', notice: 'declined', ...told }
    : { status: 'failed', ...told };
  const known = transactionId ? { transaction_id: transactionId } : {};
  return settled(session, attempt, c, { status: 'declined', result: told.result }, known, state);
}

function settled(
  session: Session,
  attempt: Attempt,
  c: Circumstances,
  attemptState: AttemptState,
  known: { transaction_id?: string; card?: string },
  sessionState: SessionState,
): Change {
  return {
    session: withState(session, sessionState),
    attempt: {
      ...attempt,
      ...(known.transaction_id ? { transaction_id: known.transaction_id } : {}),
      settled_at: c.now.toISOString(),
      state: attemptState,
    },
    hold: sessionState.status === 'approved' ? 'paid' : 'free',
  };
}

function hasAttemptsLeft(session: Session, c: Circumstances): boolean {
  return attemptsMade(session.id, c.attempts) < c.limits.attempts_per_session;
}

function later(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}

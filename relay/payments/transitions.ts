import type { Advice, Result } from '../../shared/checkout/status.ts';
import type { Config } from '../config/load.ts';
import type { UnknownReason } from '../gateway/outcome.ts';
import type { OrderHold } from '../store/store.ts';
import { paymentsOf } from './paid-twice.ts';
import {
  type Attempt,
  type AttemptState,
  type LookResult,
  type Search,
  type Session,
  type SessionState,
  type Terms,
  wasTaken,
} from './session.ts';

/** A change to write in one transaction. */
export type Change = { session: Session; attempt: Attempt; hold: OrderHold | 'unchanged' };

/** What the rules need beside the session: the clock, every attempt of the order so far, and the settings. */
export type Circumstances = {
  now: Date;
  attempts: readonly Attempt[];
  limits: Config['limits'];
  resolve: Config['resolve'];
};

/**
 * The session with a new state and the next version, ready for compare-and-set. What the shopper filled in is forgotten with the
 * last state in which somebody could pay with it.
 */
export function withState(session: Session, state: SessionState): Session {
  const terms = isOver(state) ? withoutFilled(session.terms) : session.terms;
  return { ...session, version: session.version + 1, terms, state };
}

function isOver({ status }: SessionState): boolean {
  return status === 'approved' || status === 'failed' || status === 'expired';
}

function withoutFilled(terms: Terms): Terms {
  if (!terms.filled) return terms;
  const { filled: _, ...rest } = terms;
  return rest;
}

/** Attempts that count against `attempts_per_session`. */
export function attemptsMade(sessionId: string, attempts: readonly Attempt[]): number {
  return attempts.filter((attempt) => attempt.session_id === sessionId && wasTaken(attempt)).length;
}

/** Makes a session's outcome unknown: it stays so until a query proves otherwise. `found` is by what look it became so. */
export function unknown(
  session: Session,
  attempt: Attempt,
  c: Circumstances,
  reason: UnknownReason,
  evidence: { http_status?: number; body?: string },
  found?: LookResult,
): Change {
  const search: Search = {
    reason,
    since: c.now.toISOString(),
    next_look_at: later(c.now, c.resolve.first_ms),
    looks: found ? 1 : 0,
    absent_looks: 0,
    needs_attention: false,
    ...(found ? { last_look: { at: c.now.toISOString(), found } } : {}),
  };
  return {
    session: withState(session, { status: 'unknown', attempt_id: attempt.id, search }),
    attempt: { ...attempt, state: { status: 'unknown', reason, evidence } },
    hold: 'held',
  };
}

/** A payment, proved by the gateway's answer or by a query, whatever else the order was paid by. */
export function approved(
  session: Session,
  attempt: Attempt,
  c: Circumstances,
  known: { transaction_id: string; card?: string; result?: Result; recurring_id?: string },
): Change {
  const { result, recurring_id } = known;
  const others = paymentsOf(c.attempts.filter(({ id }) => id !== attempt.id))
    .flatMap(({ transaction_id }) => transaction_id ?? [])
    .filter((id) => id !== known.transaction_id);
  const attemptState: AttemptState = {
    status: 'approved',
    ...(result ? { result } : {}),
    ...(recurring_id ? { recurring_id } : {}),
  };
  return settled(session, attempt, c, attemptState, known, {
    status: 'approved',
    attempt_id: attempt.id,
    ...known,
    ...(others.length > 0 ? { paid_twice: others } : {}),
  });
}

/** A decline: the session is open for another attempt, or failed after the last one. */
export function declined(
  session: Session,
  attempt: Attempt,
  c: Circumstances,
  told: { result: Result; advice: Advice },
  transactionId: string | undefined,
): Change {
  const state: SessionState = hasAttemptsLeft(session, c)
    ? openAgain(attempt, { notice: 'declined', ...told })
    : { status: 'failed', ...told };
  const known = transactionId ? { transaction_id: transactionId } : {};
  return settled(session, attempt, c, { status: 'declined', result: told.result }, known, state);
}

/** The end of an attempt, and who holds the order after it. */
export function settled(
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

/** True while the shopper may try again. `c.attempts` has the present attempt in it. */
export function hasAttemptsLeft(session: Session, c: Circumstances): boolean {
  return !session.terms.single && attemptsMade(session.id, c.attempts) < c.limits.attempts_per_session;
}

/** What is told of an attempt after which another may be made. */
type Told = Pick<Extract<SessionState, { status: 'open' }>, 'notice' | 'advice' | 'result'>;

/** The state of a session that may be paid by another attempt than this one. */
export function openAgain({ method }: Attempt, told: Told): SessionState {
  return { status: 'open', ...told, last_method: method === 'token' ? 'card' : method };
}

/** The state of a session after an attempt that does not count: open for another, unless it has just one. */
export function reopened(session: Session, attempt: Attempt, told: Told): SessionState {
  const { notice, ...rest } = told;
  return session.terms.single ? { status: 'failed', ...rest } : openAgain(attempt, told);
}

/** A moment `ms` after another, as ISO 8601. */
export function later(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}

export const HOUR_MS = 3_600_000;

/**
 * A moment at most `ms` after another and not much sooner, as ISO 8601, for a look that is not pressing (`ms` is `maxMs` or
 * more): the looks at many sessions fall on the same moments, so that they share queries.
 */
export function laterTogether(now: Date, ms: number, maxMs: number): string {
  const apart = Math.ceil((ms < HOUR_MS ? maxMs : HOUR_MS) / 4);
  const at = now.getTime() + ms;
  return new Date(at - (at % apart)).toISOString();
}

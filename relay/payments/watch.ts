import { type Attempt, type Session, type Watch, wasLeft } from './session.ts';
import { type Change, type Circumstances, later, laterTogether } from './transitions.ts';

const DAY_MS = 86_400_000;

/** How long an attempt that was left is looked at: the longest time in which vouchers are paid. */
export const WATCH_MS = 30 * DAY_MS;

/** A change with the watch that it begins, where its attempt was left, or ends, where no attempt of its session still is. */
export function withWatch({ session, attempt, hold }: Change, { now, attempts, resolve }: Circumstances): Change {
  if (wasLeft(attempt)) {
    const watch: Watch = { since: now.toISOString(), next_look_at: later(now, resolve.max_ms), looks: 0 };
    return { session: { ...session, watch }, attempt, hold };
  }
  const isLeft = (other: Attempt): boolean =>
    other.id !== attempt.id && other.session_id === session.id && wasLeft(other);
  return { session: attempts.some(isLeft) ? session : withoutWatch(session), attempt, hold };
}

/** The session with its watch one look further, ready for compare-and-set; undefined where no look at it was due. */
export function afterWatchLook(session: Session, now: Date, maxMs: number): Session | undefined {
  const { watch, state, version } = session;
  // These are looked at for another attempt's sake, and nobody may come between a payment and its answer.
  if (state.status === 'processing' || state.status === 'redirected' || state.status === 'unknown') return undefined;
  if (!watch || Date.parse(watch.next_look_at) > now.getTime()) return undefined;
  const next = { ...session, version: version + 1 };
  if (now.getTime() - Date.parse(watch.since) >= WATCH_MS) return withoutWatch(next);
  const looks = watch.looks + 1;
  const wait = Math.min(DAY_MS, maxMs * 2 ** Math.min(looks, 30));
  return { ...next, watch: { ...watch, looks, next_look_at: laterTogether(now, wait, maxMs) } };
}

function withoutWatch({ watch: _, ...session }: Session): Session {
  return session;
}

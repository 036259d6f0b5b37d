import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';

/**
 * How long after it was begun a message may still leave. This is less than the grace before it counts as orphaned: a relay that
 * takes over the work of one that was stopped for a while can be sure that it is not sent after that.
 */
const SEND_WITHIN_MS = 4000;

/** A query nearly always takes longer to read an order, ask the gateway and write. Reading every order again would cost payments time. */
const QUERIED_AFTER_MS = 100;

/**
 * Notes that this process begins an attempt or operation now. What it began so long ago that it is over is forgotten, for its outcome
 * may not have been written.
 */
export function noteBegun(context: Context, id: string): void {
  const { begunLately, monotonic } = context;
  for (const known of begunLately.keys()) {
    if (isBeingSent(context, known)) break;
    begunLately.delete(known);
  }
  begunLately.set(id, monotonic());
}

/** Notes that the outcome of an attempt or operation is in the store. */
export function noteWritten({ begunLately }: Context, id: string): void {
  begunLately.delete(id);
}

/**
 * True for what was begun so long ago that it must not be sent any more: by the monotonic clock, or by the other, which also
 * goes on while the machine is suspended.
 * @param begunAt ISO 8601
 */
export function isTooLateToSend({ begunLately, monotonic, now }: Context, id: string, begunAt: string): boolean {
  const waited = monotonic() - (begunLately.get(id) ?? Number.NEGATIVE_INFINITY);
  return waited > SEND_WITHIN_MS || now().getTime() - Date.parse(begunAt) > SEND_WITHIN_MS;
}

/** True if the store confirmed an attempt so late that a query may have settled it before this process heard the confirmation. */
export function isConfirmedLate(context: Context, id: string): boolean {
  return mayBeQueriedSince(context, context.begunLately.get(id) ?? Number.NEGATIVE_INFINITY);
}

/** True where a query may have changed an order since a moment of the monotonic clock. */
export function mayBeQueriedSince({ monotonic }: Context, moment: number): boolean {
  return monotonic() - moment > QUERIED_AFTER_MS;
}

/** True for an attempt or operation that this process may still be sending, whatever the clock says. */
export function isBeingSent({ begunLately, monotonic, config }: Context, id: string): boolean {
  return monotonic() - (begunLately.get(id) ?? Number.NEGATIVE_INFINITY) < rulesOf(config).orphanedMs;
}

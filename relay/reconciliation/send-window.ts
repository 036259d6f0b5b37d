import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';

/**
 * How long after its begin a message may still be sent. Shorter than the time until it counts as orphaned: a relay that takes it over can
 * be sure that it is not sent later.
 */
const SEND_WITHIN_MS = 4000;

/** The shortest time in which a query changes an order. Reading every order again would make payments slower. */
const QUERIED_AFTER_MS = 100;

/** Notes that this process begins an attempt or operation now. Deletes old entries, whose outcomes may not have been written. */
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
 * True for an attempt or operation that must not be sent any more: by the monotonic clock, or by the other one, which also runs while the
 * machine is suspended.
 * @param begunAt ISO 8601
 */
export function isTooLateToSend({ begunLately, monotonic, now }: Context, id: string, begunAt: string): boolean {
  const waited = monotonic() - (begunLately.get(id) ?? Number.NEGATIVE_INFINITY);
  return waited > SEND_WITHIN_MS || now().getTime() - Date.parse(begunAt) > SEND_WITHIN_MS;
}

/** True if the store confirmed an attempt so late that a query may have settled it before. */
export function isConfirmedLate(context: Context, id: string): boolean {
  return mayBeQueriedSince(context, context.begunLately.get(id) ?? Number.NEGATIVE_INFINITY);
}

/** Whether a query may have changed an order since a moment of the monotonic clock. */
export function mayBeQueriedSince({ monotonic }: Context, moment: number): boolean {
  return monotonic() - moment > QUERIED_AFTER_MS;
}

/** True for an attempt or operation that this process may still be sending, whatever the clock says. */
export function isBeingSent({ begunLately, monotonic, config }: Context, id: string): boolean {
  return monotonic() - (begunLately.get(id) ?? Number.NEGATIVE_INFINITY) < rulesOf(config).orphanedMs;
}

import { MAX_CLOCK_SKEW_MS } from '../payments/absence-clock.ts';

/**
 * A share of the work of several relays on one store: no other relay gets the leased work before `until`. If a relay
 * crashes, its leases end then. A lease or a plan that a clock made too far ahead does not count: a lease that ends
 * more than half a minute after one that begins now, and a plan that was made more than half a minute after now. Times
 * are ISO 8601 in UTC.
 */
export type Lease = { now: string; until: string; limit: number };

/** The tolerance for clocks that differ a little, and for a write that waits for the store. */
const SLACK_MS = 30_000;

/** A plan that was made after this moment (ISO 8601) comes from a clock that was ahead: it is due. */
export function plannedAhead(now: string): string {
  return later(now, SLACK_MS);
}

/** A query that began after this moment (ISO 8601) was recorded by a clock that was ahead: it counts as long past. */
export function askedAhead(now: string): string {
  return later(now, MAX_CLOCK_SKEW_MS);
}

/** An attempt that was counted after this moment (ISO 8601) comes from a clock that was ahead: no limit counts it. */
export function countedAhead(now: string): string {
  return later(now, SLACK_MS);
}

/** A lease that lasts beyond this moment (ISO 8601) comes from a clock that was ahead: it is over. */
export function leasedAhead({ until }: Pick<Lease, 'until'>): string {
  return later(until, SLACK_MS);
}

/** The moment (ISO 8601) this many milliseconds later. */
export function later(moment: string, ms: number): string {
  return new Date(Date.parse(moment) + ms).toISOString();
}

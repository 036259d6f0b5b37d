import { MAX_CLOCK_SKEW_MS } from '../payments/absence-clock.ts';

/**
 * A share of the work that several relays on one store do: what is given out under a lease is given to no other relay before
 * `until`. A relay that crashes loses its share then. What a clock that was ahead leased or planned is free and due: a lease that
 * ends later than one that begins now, and a plan that was made later than now, by more than half a minute. Times are ISO 8601 in UTC.
 */
export type Lease = { now: string; until: string; limit: number };

/** Clocks may differ a little, and a write may wait for the store: what lies no further ahead is waited for, or counts. */
const SLACK_MS = 30_000;

/** A plan that was made after this moment (ISO 8601) was made by a clock that was ahead: it is due. */
export function plannedAhead(now: string): string {
  return later(now, SLACK_MS);
}

/** A query that began after this moment (ISO 8601) was noted by a clock that was ahead: it is long ago. */
export function askedAhead(now: string): string {
  return later(now, MAX_CLOCK_SKEW_MS);
}

/** An attempt that was counted after this moment (ISO 8601) was counted by a clock that was ahead: no limit counts it. */
export function countedAhead(now: string): string {
  return later(now, SLACK_MS);
}

/** A lease that lasts longer than until this moment (ISO 8601) was taken by a clock that was ahead: it is over. */
export function leasedAhead({ until }: Pick<Lease, 'until'>): string {
  return later(until, SLACK_MS);
}

/** A moment (ISO 8601) so many milliseconds later. */
export function later(moment: string, ms: number): string {
  return new Date(Date.parse(moment) + ms).toISOString();
}

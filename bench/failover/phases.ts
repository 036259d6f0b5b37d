import type { Row } from '../harness/report.ts';
import type { Seen } from './shoppers.ts';

/** One event with the time after it, from when to when, in milliseconds of `performance.now()`. */
export type Phase = { what: string; from: number; to: number };

/** What clients asked for in a phase, however late it was answered. `all` are the requests of all phases. */
export function askedIn({ from, to }: Phase, all: readonly Seen[]): Seen[] {
  return all.filter(({ at }) => at >= from && at < to);
}

/**
 * The longest time of a phase in which no payment was approved, in milliseconds. An answer of `unknown` approves none. The time
 * before the first approval counts, and that after the last one.
 */
export function gapOf({ from, to }: Phase, all: readonly Seen[]): number {
  const approved = all.filter(({ paid }) => paid === 'approved').map(({ at, ms }) => at + ms);
  const own = approved.filter((time) => time >= from && time <= to);
  const times = [from, ...own.toSorted((a, b) => a - b), to];
  return Math.max(...times.map((time, at) => time - (times[at - 1] ?? time)));
}

/** What clients saw of a phase. */
export function row(phase: Phase, all: readonly Seen[]): Row {
  const seen = askedIn(phase, all);
  return {
    what: phase.what,
    figures: {
      requests: seen.length,
      '503 with Retry-After': seen.filter((one) => hasFailed(one) && !isWrong(one)).length,
      'other failures': seen.filter(isWrong).length,
      'slowest ms': Math.max(...seen.map(({ ms }) => ms)),
      'gap ms': gapOf(phase, all),
    },
  };
}

/** No answer, or one that says that the server failed. */
export function hasFailed({ status }: Seen): boolean {
  return status === 0 || status >= 500;
}

/** A failure that does not tell its client when to ask again. */
export function isWrong(one: Seen): boolean {
  return hasFailed(one) && !(one.status === 503 && one.retryAfter);
}

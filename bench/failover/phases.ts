import type { Row } from '../harness/report.ts';
import type { Seen } from './shoppers.ts';

/** What clients saw of one event; `gap_ms` is the longest time in which no payment was approved. */
export type Phase = { what: string; seen: readonly Seen[]; gap_ms: number };

/**
 * The longest time from `from` to `to` in which no payment was approved, in milliseconds. An answer of `unknown` approves none.
 * The time before the first approval counts, and that after the last one.
 */
export function gapOf(seen: readonly Seen[], from: number, to: number): number {
  const paid = seen.filter(({ paid }) => paid === 'approved').map(({ at, ms }) => at + ms);
  const times = [from, ...paid.toSorted((a, b) => a - b), to];
  return Math.max(...times.map((time, at) => time - (times[at - 1] ?? time)));
}

export function row({ what, seen, gap_ms }: Phase): Row {
  return {
    what,
    figures: {
      requests: seen.length,
      '503 with Retry-After': seen.filter((one) => hasFailed(one) && !isWrong(one)).length,
      'other failures': seen.filter(isWrong).length,
      'slowest ms': Math.max(...seen.map(({ ms }) => ms)),
      'gap ms': gap_ms,
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

import type { Row } from '../harness/report.ts';
import type { ClientRequest } from './shoppers.ts';

/** One event and the time after it, in milliseconds of `performance.now()`. */
export type Phase = { what: string; from: number; to: number };

/** The requests that began in a phase, whenever they were answered. `all` are the requests of all phases. */
export function requestsIn({ from, to }: Phase, all: readonly ClientRequest[]): ClientRequest[] {
  return all.filter(({ at }) => at >= from && at < to);
}

/**
 * The longest time of a phase in which no payment was approved, in milliseconds. An answer of `unknown` approves none. The time
 * before the first approval counts, and that after the last one.
 */
export function gapOf({ from, to }: Phase, all: readonly ClientRequest[]): number {
  const approved = all.filter(({ paid }) => paid === 'approved').map(({ at, ms }) => at + ms);
  const own = approved.filter((time) => time >= from && time <= to);
  const times = [from, ...own.toSorted((a, b) => a - b), to];
  return Math.max(...times.map((time, at) => time - (times[at - 1] ?? time)));
}

/** The row of a phase. */
export function phaseRow(phase: Phase, all: readonly ClientRequest[]): Row {
  const requests = requestsIn(phase, all);
  return {
    what: phase.what,
    figures: {
      requests: requests.length,
      '503 with Retry-After': requests.filter((one) => hasFailed(one) && !isOtherFailure(one)).length,
      'other failures': requests.filter(isOtherFailure).length,
      'slowest ms': Math.max(...requests.map(({ ms }) => ms)),
      'gap ms': gapOf(phase, all),
    },
  };
}

/** True for a request without an answer, or with a server error. */
export function hasFailed({ status }: ClientRequest): boolean {
  return status === 0 || status >= 500;
}

/** True for a failure that is not a 503 with `Retry-After`. */
export function isOtherFailure(request: ClientRequest): boolean {
  return hasFailed(request) && !(request.status === 503 && request.retryAfter);
}

import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';

/** A clock that is kept right by NTP is slewed by less than this between two looks. */
const LEAST_STEP_MS = 1000;

/** The clock, a monotonic one in milliseconds, and where a step is reported. */
type Clocks = { now: () => Date; monotonic: () => number; metrics: Metrics; log: Logger };

/** Compares the clock with the monotonic one at each call, and tells where it was set since the last one. */
export function createClockWatch({ now, monotonic, metrics, log }: Clocks): () => void {
  const offset = (): number => now().getTime() - monotonic();
  let last = offset();
  return () => {
    const current = offset();
    const step = Math.round(current - last);
    last = current;
    if (Math.abs(step) < LEAST_STEP_MS) return;
    metrics.clockStepped();
    log.warn({}, `clock stepped by ${step} ms`);
  };
}

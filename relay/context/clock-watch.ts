import type { Logger } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';

/** NTP slews a clock by less than this between two calls. */
const MIN_STEP_MS = 1000;

/** The clock, a monotonic one in milliseconds, and the log and metrics that report a step. */
type Clocks = { now: () => Date; monotonic: () => number; metrics: Metrics; log: Logger };

/** Compares the clock with the monotonic one at each call, and reports if it was set since the last call. */
export function createClockWatch({ now, monotonic, metrics, log }: Clocks): () => void {
  const offset = (): number => now().getTime() - monotonic();
  let last = offset();
  return () => {
    const current = offset();
    const step = Math.round(current - last);
    last = current;
    if (Math.abs(step) < MIN_STEP_MS) return;
    metrics.clockStepped();
    log.warn({ ms: step }, 'clock was set');
  };
}

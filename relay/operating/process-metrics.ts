import { collectDefaultMetrics, Registry } from 'prom-client';

/** Often enough to see what a shopper would feel, and too seldom to cost anything. */
const EVENT_LOOP_RESOLUTION_MS = 20;

let registry: Registry | undefined;

/**
 * How the process is: CPU, memory, event loop, garbage collection. It watches through timers and observers that never end,
 * so there is one for the process, however many relays are started in it.
 */
export function processMetrics(): Registry {
  if (!registry) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_RESOLUTION_MS });
  }
  return registry;
}

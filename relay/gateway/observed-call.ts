import type { Logger } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Call, Called, GatewayResult } from './call.ts';

/** The same call, measured and logged: what came of it and how long it took, with all its tries. */
export function observedCall(call: Call, { metrics, log }: { metrics: Metrics; log: Logger }): Call {
  return async (name, ...rest) => {
    const started = performance.now();
    const called = await call(name, ...rest);
    const ms = performance.now() - started;
    const result = resultOf(called);
    metrics.gatewayCall(name, result, ms / 1000);
    const http_status = 'evidence' in called ? called.evidence.http_status : undefined;
    log.info({ name, result, http_status, ms: Math.round(ms) }, 'gateway called');
    return called;
  };
}

/** What came of a call, in one word. */
function resultOf(called: Called): GatewayResult {
  return called.kind === 'unusable' ? called.fault : called.kind;
}

import type { OperationName } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import type { Logger } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Outages } from '../base/outages.ts';
import type { Tracer } from '../base/tracing.ts';
import type { CallResult, Fault, Gateway, LongCallResult } from './call.ts';

/** The result of a call in one word: an answer, or the reason why none is usable. */
type GatewayResult = Exclude<CallResult['kind'], 'unusable'> | Fault;

/** The observers of calls to the gateway. */
type Observers = { metrics: Metrics; tracer: Tracer; log: Logger; outages: Outages };

/**
 * The same client, which measures, traces and logs each call with all its tries: its result and its duration. An answered payment is logged
 * later, in one line with its outcome: each line costs 2% of a payment's time. No trace header is sent: the gateway's interface has none.
 */
export function observedGateway({ call, longCall }: Gateway, watch: Observers): Gateway {
  return {
    call: (name, as, message, ...rest) => observed(name, message, () => call(name, as, message, ...rest), watch),
    longCall: (name, as, message) => observed(name, message, () => longCall(name, as, message), watch),
  };
}

async function observed<AnyResult extends LongCallResult>(
  name: OperationName,
  { order_no }: Message,
  call: () => Promise<AnyResult>,
  { metrics, tracer, log, outages }: Observers,
): Promise<AnyResult> {
  const started = performance.now();
  const about = {
    'turnpike.operation': name,
    'turnpike.order_no': typeof order_no === 'string' ? order_no : undefined,
  };
  const called = await tracer.work(`gateway ${name}`, about, call, (known) => ({
    'turnpike.result': resultOf(known),
    'http.response.status_code': statusOf(known),
  }));
  const ms = performance.now() - started;
  const result = resultOf(called);
  metrics.gatewayCall(name, result, ms / 1000);
  const code = codeOf(called);
  if (called.kind === 'not_sent' && code !== undefined) outages.failed('gateway', code);
  else if (statusOf(called) !== undefined) outages.works('gateway');
  if (called.kind === 'answer' && (name === 'direct_payment' || name === 'apm_payment')) return called;
  log.info({ name, result, code, http_status: statusOf(called), ms: Math.round(ms) }, 'gateway called');
  return called;
}

function statusOf(called: LongCallResult): number | undefined {
  switch (called.kind) {
    case 'answer':
    case 'long_answer':
      return 200;
    case 'refused':
    case 'unusable':
      return called.evidence.http_status;
    default:
      return undefined;
  }
}

/** The code of a failed connection. */
function codeOf(called: LongCallResult): string | undefined {
  return called.kind === 'not_sent' || called.kind === 'unusable' ? called.code : undefined;
}

/** The result of a call in one word. */
function resultOf(called: LongCallResult): GatewayResult {
  if (called.kind === 'long_answer') return 'answer';
  return called.kind === 'unusable' ? called.fault : called.kind;
}

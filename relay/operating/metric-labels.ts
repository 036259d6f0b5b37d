import { type CallResult, faults } from '../gateway/call.ts';
import { type Outcome, unknownReasons } from '../gateway/outcome.ts';
import { limitNames } from '../payments/attempt.ts';

/** The kinds of a union. The compiler reports a missing one. */
function kinds<Kind extends string>(all: Record<Kind, true>): readonly string[] {
  return Object.keys(all);
}

const calls = kinds<Exclude<CallResult['kind'], 'unusable'>>({
  answer: true,
  refused: true,
  not_sent: true,
  not_configured: true,
});

const outcomes = kinds<Outcome['kind']>({
  approved: true,
  declined: true,
  redirect: true,
  pending: true,
  refused: true,
  not_sent: true,
  unknown: true,
});

/** Every value of the labels of `createMetrics`. */
export const metricLabels = {
  gatewayResults: [...calls, ...faults],
  outcomes,
  unknownReasons,
  limitNames: ['session', ...limitNames, 'api_key'],
};

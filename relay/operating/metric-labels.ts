import type { Fault, GatewayResult } from '../gateway/call.ts';
import type { Outcome, UnknownReason } from '../gateway/outcome.ts';
import type { LimitName } from '../payments/limits.ts';

/** Every value of a union of texts; the compiler sees to it that none is left out. */
function all<Value extends string>(values: Record<Value, true>): readonly Value[] {
  return Object.keys(values).filter((value): value is Value => Object.hasOwn(values, value));
}

const faults: Record<Fault, true> = {
  timeout: true,
  connection_lost: true,
  answer_too_large: true,
  unreadable_encoding: true,
  not_well_formed: true,
  wrong_root: true,
  foreign_namespace: true,
  repeated_element: true,
  nested_element: true,
  too_many_elements: true,
  readers_differ: true,
  not_json: true,
  repeated_field: true,
  nested_too_deep: true,
  signature_missing: true,
  signature_wrong: true,
  signature_not_checkable: true,
  http_status: true,
  wrong_shape: true,
  echo_mismatch: true,
};

const gatewayResults = all<GatewayResult>({
  answer: true,
  refused: true,
  not_sent: true,
  not_configured: true,
  ...faults,
});

const outcomes = all<Outcome['kind']>({
  approved: true,
  declined: true,
  redirect: true,
  refused: true,
  not_sent: true,
  unknown: true,
});

const unknownReasons = all<UnknownReason>({
  ...faults,
  codes_not_listed: true,
  codes_disagree: true,
  card_in_issuer_url: true,
  gateway_refused: true,
  issuer_unreachable: true,
  relay_stopped: true,
  query_failed: true,
  left_at_issuer: true,
  no_transaction_id: true,
  paid_before: true,
  amount_differs: true,
});

const limitNames = all<LimitName | 'session'>({ session: true, ip: true, card: true, account: true, sign_in: true });

/** Every value of the labels of `createMetrics`. */
export const metricLabels = { gatewayResults, outcomes, unknownReasons, limitNames };

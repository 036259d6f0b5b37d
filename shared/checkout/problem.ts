import { z } from 'zod';
import { optionalString, string } from '../gateway/text.ts';

/** Every error code of the relay's answers, with its HTTP status. */
export const problems = {
  malformed_request: { status: 400, title: 'The request is not HTTP as it should be' },
  invalid_json: { status: 400, title: 'The body is not JSON' },
  idempotency_key_invalid: { status: 400, title: 'The Idempotency-Key cannot be used' },
  invalid_request: { status: 400, title: 'The request does not have the form that it should' },
  unauthorized: { status: 401, title: 'The credentials are missing or wrong' },
  missing_scope: { status: 403, title: 'This API key or person may not do this' },
  above_limit: { status: 403, title: 'This is more than this person may move' },
  csrf: { status: 403, title: 'The request does not come from the console’s page' },
  password_wrong: { status: 403, title: 'The password is wrong' },
  second_factor_required: { status: 403, title: 'A code of the second factor is missing' },
  second_factor_wrong: { status: 403, title: 'The code of the second factor is wrong, or was used' },
  second_factor_not_enrolled: { status: 403, title: 'The person has to set up a second factor first' },
  own_request: { status: 403, title: 'A person cannot approve what they asked for' },
  not_found: { status: 404, title: 'There is nothing here' },
  method_not_allowed: { status: 405, title: 'This address does not take this method' },
  order_in_progress: { status: 409, title: 'A payment of this order is under way' },
  order_already_paid: { status: 409, title: 'This order is already paid' },
  attempt_in_flight: { status: 409, title: 'A payment of this session is under way' },
  session_final: { status: 409, title: 'This session takes no more payments' },
  session_not_unsettled: { status: 409, title: 'Nothing of this session is undecided' },
  transaction_known: { status: 409, title: 'This transaction paid another order' },
  cannot_abandon: { status: 409, title: 'The shopper cannot abandon this payment' },
  session_changed: { status: 409, title: 'The order changed since it was shown' },
  transaction_id_form: { status: 400, title: 'The transaction_id is another spelling of a known one' },
  refund_exceeds_payment: { status: 409, title: 'Refund exceeds the amount paid' },
  capture_exceeds_payment: { status: 409, title: 'Capture exceeds the amount authorised' },
  nothing_to_capture: { status: 409, title: 'This payment is captured automatically' },
  payment_cancelled: { status: 409, title: 'This payment is cancelled' },
  payment_rejected: { status: 409, title: 'A review rejected this payment' },
  payment_reversed: { status: 409, title: 'This payment was reversed' },
  payment_held: { status: 409, title: 'This payment waits for a review' },
  operation_undecided: { status: 409, title: 'The outcome of another operation on this payment is not known' },
  operation_declined: { status: 409, title: 'The gateway declined it' },
  several_payments: { status: 409, title: 'This order was paid more than once' },
  not_paid: { status: 409, title: 'This order is not paid' },
  currency_differs: { status: 400, title: 'The currency is not that of the payment' },
  amount_differs: { status: 400, title: 'The amount is not that of the payment' },
  request_id_used: { status: 409, title: 'There is a payout with this request_id' },
  reference_used: { status: 409, title: 'There is an operation with this reference' },
  in_progress: { status: 409, title: 'The same request is still running' },
  outcome_unknown: { status: 409, title: 'The outcome of this request is not known' },
  operation_settled: { status: 409, title: 'The outcome of this operation was found without an answer' },
  operation_not_unknown: { status: 409, title: 'The outcome of this operation is known' },
  approval_waiting: { status: 409, title: 'Another request for this payment waits for approval' },
  approval_over: { status: 409, title: 'This request for approval is over' },
  event_pending: { status: 409, title: 'This webhook is still being delivered' },
  event_unwanted: { status: 409, title: 'No endpoint gets this webhook' },
  event_not_failed: { status: 409, title: 'This webhook was not given up' },
  second_factor_enrolled: { status: 409, title: 'The person has a second factor' },
  batch_too_large: { status: 400, title: 'Too many entries in one request' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json' },
  expectation_failed: { status: 417, title: 'The relay does not meet this Expect' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  too_many_attempts: { status: 429, title: 'Too many attempts were made' },
  rate_limited: { status: 429, title: 'This API key made too many requests' },
  gateway_refused: { status: 422, title: 'The gateway does not take this message' },
  idempotency_key_reused: { status: 422, title: 'This Idempotency-Key belongs to another request' },
  internal: { status: 500, title: 'Something went wrong in the relay' },
  operation_not_configured: { status: 501, title: 'The relay is not set up for this operation' },
  gateway_answer_unusable: { status: 502, title: 'The gateway did not answer in a way that can be used' },
  gateway_unreachable: { status: 503, title: 'The gateway cannot be reached' },
  relay_paused: { status: 503, title: 'The relay is paused' },
  store_unavailable: { status: 503, title: 'The relay cannot reach its store' },
  gateway_timeout: { status: 504, title: 'The gateway did not answer in time' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

/** Every error code, in the order of the table. */
export const problemCodes = Object.keys(problems).filter((code): code is ProblemCode => Object.hasOwn(problems, code));

/** One fault of a request: its dotted path, and the message. */
const fieldError = z
  .object({
    path: string.describe('The path of the field, such as `order.amount` or `refund_orders.0.currency`.'),
    message: string.describe('The fault of the value.'),
  })
  .meta({ name: 'FieldError', description: 'One field that is wrong.' });
export type FieldError = z.infer<typeof fieldError>;

/** Why the gateway declined an operation: its code, if there is one, and its message. */
const declineResult = z.object({
  code: optionalString.describe('The gateway’s code.'),
  message: string.describe('The gateway’s message.'),
});
export type DeclineResult = z.infer<typeof declineResult>;

/** A problem (RFC 9457, `application/problem+json`) as the relay writes it. */
export const problem = z
  .object({
    type: z
      .string()
      .regex(/^urn:turnpike:problem:[a-z_]+$/)
      .describe('The same code as a URN.'),
    title: string.describe('The code in words.'),
    status: z.int().min(400).max(599).describe('The HTTP status.'),
    detail: string.describe('Advice for people. Programs branch on `code`.'),
    code: z.enum(problemCodes).describe('The code of the problem. Its meaning never changes.'),
    errors: z.array(fieldError).optional().describe('Every field that is wrong.'),
    operation_id: optionalString.describe('The operation or the payment’s session that it is about.'),
    operation_ids: z.array(string).optional().describe('All operations that it is about, where there may be several.'),
    transaction_ids: z
      .array(string)
      .optional()
      .describe('With `several_payments`: the transactions that the request can name.'),
    result: declineResult.optional().describe('Why the gateway declined it, with `operation_declined`.'),
    session_id: optionalString.describe(
      'The session that pays the order, or paid it, as far as it is known: in answers to `POST /v1/sessions`.',
    ),
  })
  .meta({ name: 'Problem', description: 'An error (RFC 9457).' });
export type Problem = z.infer<typeof problem>;

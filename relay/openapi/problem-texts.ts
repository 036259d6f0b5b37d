import type { ProblemCode } from '../../shared/checkout/problem.ts';

/** What a caller does about each error code. */
export const whatToDo: Record<ProblemCode, string> = {
  malformed_request: 'Send HTTP/1.1 with one `Host`, as RFC 9112 says.',
  invalid_json: 'Send well-formed JSON in UTF-8.',
  idempotency_key_invalid: 'Send one key of 1 to 255 visible ASCII characters, such as a UUID.',
  invalid_request: 'Correct the fields that `errors` names.',
  unauthorized: 'Send a valid key: `Authorization: Bearer …`.',
  missing_scope: 'Use a key that has the scope.',
  csrf: 'Only the console’s page is told this: it sends the `X-CSRF-Token` that `GET /console/api/me` gives.',
  not_found: 'Check the address and the id. What belongs to another account is not found either.',
  method_not_allowed: 'Use one of the methods in the header `Allow`.',
  order_in_progress: 'Wait until it is known what became of the payment that is under way.',
  order_already_paid: 'The order is paid. A new order needs a new `order_no`.',
  attempt_in_flight: 'Read the session until it is known; do not pay again.',
  session_final: 'The session takes no more payments. Make a new one if there is still something to pay.',
  session_not_unsettled: 'Read the session: nothing of its order is left for a person to decide.',
  cannot_abandon: 'Wait: what is awaited completes without the shopper, or nothing is pending. Read the session.',
  session_changed: 'Show the order again, then pay with its new `revision`.',
  refund_exceeds_payment: 'Refund at most what `errors` says is left.',
  request_id_used:
    'Read the payout that has this `request_id` (`operation_id`, while it is kept), or take a new one for a new payout.',
  reference_used:
    'Read what became of the item in the operation that has the reference (`operation_id`, while it is kept). A new item needs a new reference.',
  in_progress: 'Repeat the request with the same key, after `Retry-After` seconds.',
  outcome_unknown:
    'Do not send it again: the gateway may have done it. Read what `operation_id` names until it is known.',
  operation_settled: 'It was found out without an answer. Read the operation that `operation_id` names.',
  operation_not_unknown: 'It is known what became of it. Read the operation.',
  event_pending: 'It is sent again by itself. Its `next_try_at` tells when.',
  event_not_failed: 'Only a webhook that was given up can be acknowledged. Read it.',
  batch_too_large: 'Split the request; nothing of it was sent.',
  request_timeout: 'Send the whole request within a minute.',
  body_too_large: 'Send at most 1 MiB, and a document’s file of at most 5 MB.',
  unsupported_media_type:
    'Send `Content-Type: application/json`, in UTF-8; a notification plain or in gzip, deflate or br.',
  expectation_failed: 'Send no `Expect`, or `100-continue`.',
  headers_too_large: 'Send at most 16 KiB of headers.',
  too_many_attempts: 'Nothing was sent. Wait for `Retry-After` seconds.',
  gateway_refused:
    'The gateway does not take this message: nothing was done. After 400 and 404 correct it, after 429 wait, after 401 and 403 ask the relay’s operator; then send it with a new key.',
  idempotency_key_reused:
    'The key was used for another body, which `operation_id` leads to where it made something. Give a new request a new key. Never repeat a request under a new key before you know what the first one did: money could move twice.',
  internal: 'Repeat it with the same key; if it stays, give the operator the `X-Request-Id`.',
  operation_not_configured: 'Ask the operator: the gateway’s profile lacks what this operation needs.',
  gateway_answer_unusable:
    'Repeat it, for a shorter period where the answer was too large; if it stays, ask the operator. It only read, so nothing was changed.',
  gateway_unreachable: 'Nothing was sent. Repeat it with the same key in a moment.',
  relay_paused:
    'Nothing was sent: the operator lets nothing be changed at the gateway now. Repeat it with the same key later.',
  store_unavailable: 'Nothing was done. Repeat it with the same key in a moment.',
  gateway_timeout: 'Repeat it. It only read, so nothing was changed.',
};

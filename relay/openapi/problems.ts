import type { ProblemCode } from '../../shared/checkout/problem-codes.ts';
import { CORRECT_FIELDS } from '../base/errors.ts';

/** The advice to clients for each error code. */
export const whatToDo: Record<ProblemCode, string> = {
  malformed_request: 'Send HTTP/1.1 with one `Host`, as RFC 9112 says.',
  invalid_json: 'Send well-formed JSON in UTF-8.',
  idempotency_key_invalid: 'Send one key of 1 to 255 visible ASCII characters, such as a UUID.',
  invalid_request: CORRECT_FIELDS,
  unauthorized: 'Send a valid key: `Authorization: Bearer …`.',
  missing_scope: 'Use a key that has the scope.',
  above_limit:
    'Only people at the console get this: the amount is above a limit of `console.people`. Ask a person with a higher limit.',
  csrf: 'Only the console’s page gets this: it sends the `X-CSRF-Token` that `GET /console/api/me` gives.',
  password_wrong: 'Only the console’s page gets this: type the current password again.',
  second_factor_required: 'Only the console’s page gets this: send the `code` with the password.',
  second_factor_wrong:
    'Only the console’s page gets this: wait for the next code of the app, or use a recovery code. Each is taken once.',
  second_factor_not_enrolled: 'Only the console’s page gets this: it shows the person how to set one up.',
  own_request: 'Only people at the console get this: another person must approve the request.',
  not_found: 'Check the address and the id. What belongs to another account is not found either.',
  method_not_allowed: 'Use one of the methods in the header `Allow`.',
  order_in_progress: 'Wait until the outcome of the payment in progress is known.',
  order_already_paid: 'The order is paid. A new order needs a new `order_no`.',
  attempt_in_flight: 'Poll the session until its outcome is known; do not pay again.',
  session_final: 'The session takes no more payments. Make a new one if there is still something to pay.',
  session_not_unsettled: 'Read the session: nothing of its order is left for a person to decide.',
  transaction_known: 'Find the order by this `transaction_id`, and settle with the transaction that paid this one.',
  cannot_abandon: 'Read the session. Either no payment is awaited of the shopper, or it completes without them.',
  session_changed: 'Show the order again, then pay with its new `revision`.',
  transaction_id_form:
    'Nothing was sent. Send the `transaction_id` exactly as the gateway gave it: `errors` names the known one that differs only in letter case, blanks or invisible characters. No `Idempotency-Key` keeps this refusal: a refund that made the other one known may fail.',
  refund_exceeds_payment: 'Refund at most what `errors` says is left.',
  capture_exceeds_payment: 'Capture at most what `errors` says is left.',
  nothing_to_capture: 'Nothing is left to do: the gateway captures the payments of this method with their approval.',
  payment_cancelled:
    'Nothing was sent. A cancelled payment can neither be captured nor cancelled again, and only what was captured of it before can be refunded.',
  payment_reversed:
    'Nothing was sent. The gateway’s record says that the payment was charged back or declined after its approval: nothing of it can be captured or refunded.',
  payment_held:
    'Nothing was sent. The payment waits for a review: accept it by `POST /v1/orders/{order_no}/review` first.',
  payment_rejected: 'Nothing was sent. A payment that a review rejected can be neither captured nor refunded.',
  operation_undecided:
    'Nothing was sent. Read the operations that `operation_ids` names until their outcome is known, or settle them; then look at the payment again. One that the gateway refused counts for `resolve.absent_ms`, 15 minutes by default.',
  operation_declined:
    'The gateway did not do it: `result` has its code and message. Look at the payment before you try again, with a new key.',
  several_payments: 'Nothing was sent. Send the `transaction_id` of one of the payments that `transaction_ids` lists.',
  not_paid: 'Nothing was sent. Check the `order_no` and the `transaction_id`, or wait until the order is paid.',
  currency_differs: 'Send the currency that `errors` names.',
  amount_differs: 'Send the amount that `errors` names: a cancellation is of the whole payment.',
  request_id_used:
    'Read the payout that has this `request_id` (`operation_id`, while it is kept), or take a new one for a new payout.',
  reference_used:
    'Read the outcome of the item in the operation that has the reference (`operation_id`, while it is kept). A new item needs a new reference.',
  in_progress: 'Repeat the request with the same key, after `Retry-After` seconds.',
  outcome_unknown:
    'Do not send it again: the gateway may have done it. Read what `operation_id` names until it is known.',
  operation_settled:
    'The outcome was determined without the gateway’s answer. Read the operation that `operation_id` names.',
  operation_not_unknown: 'Nothing is left to settle. Read the operation.',
  approval_waiting: 'Only people at the console get this: wait until the other request is decided, or withdraw it.',
  approval_over:
    'Only people at the console get this: the request was approved, declined, withdrawn or is too old. Ask for it anew.',
  event_pending: 'The relay retries it. `next_try_at` is the time of the next try.',
  event_unwanted: 'No endpoint of the account wants its type. Read its `data`, or configure an endpoint.',
  event_not_failed: 'Only a webhook that was given up can be acknowledged. Read it.',
  second_factor_enrolled: 'Only the console’s page gets this: remove the second factor to set up another one.',
  batch_too_large: 'Split the request; nothing of it was sent.',
  request_timeout: 'Send the whole request within a minute.',
  body_too_large: 'Send at most 1 MiB, and a document’s file of at most 5 MB.',
  unsupported_media_type:
    'Send `Content-Type: application/json`, in UTF-8; a notification plain or in gzip, deflate or br.',
  expectation_failed: 'Send no `Expect`, or `100-continue`.',
  headers_too_large: 'Send at most 16 KiB of headers.',
  too_many_attempts: 'Nothing was sent. Wait for `Retry-After` seconds.',
  rate_limited: 'Nothing was done. Send the same request again after `Retry-After` seconds.',
  gateway_refused:
    'The gateway does not take this message. After 400 and 404 correct it, after 429 wait, after 401 and 403 ask the relay’s operator; then send it with a new key. The gateway may still make a refund that it refused: first read the operation that `operation_id` names.',
  idempotency_key_reused:
    'The key was used for another body. `operation_id` names the operation that the first request created, if any. Give a new request a new key. Never repeat a request under a new key before you know what the first one did: money could move twice.',
  internal: 'Retry it with the same key; if the error persists, give the operator the `X-Request-Id`.',
  operation_not_configured: 'Ask the operator: the gateway’s profile lacks what this operation needs.',
  gateway_answer_unusable:
    'Retry it; if the answer was too large, with a shorter period. If the error persists, ask the operator. The request only reads, so nothing changed.',
  gateway_unreachable:
    'Nothing was sent. Repeat it with the same key in a moment. If `operation_id` names an earlier refund, its outcome at the gateway is not known.',
  relay_paused:
    'Nothing was sent: the operator has paused all changes at the gateway. Retry it with the same key later.',
  store_unavailable: 'Nothing was done. Repeat it with the same key in a moment.',
  gateway_timeout: 'Retry it. The request only reads, so nothing changed.',
};

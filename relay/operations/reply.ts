import type { DeclineResult } from '../../shared/checkout/problem.ts';
import { type Operation, type OperationName, operations } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { ProblemError } from '../base/errors.ts';
import { jsonReply, problemReply, type Reply } from '../http/idempotency/idempotency.ts';
import { listIn, resultsByItem } from '../payments/operations/answered-state.ts';
import { canBeSettled, itemsOf, type OperationState, type StoredOperation } from '../payments/operations/operation.ts';

/** The detail for an operation whose connection to the gateway failed. */
export const NOT_REACHED = 'The gateway cannot be reached; nothing was sent. Try again.';

/** The detail for an operation that was begun and could not be sent in time. */
export const DELAYED = 'The relay was delayed, so nothing was sent. Try again.';

/** The reply for an operation's state. A ProblemError is not stored under the key, because a later reply may differ. */
export function replyOf(operation: StoredOperation): Reply | ProblemError {
  const { id, state } = operation;
  if (state.status === 'answered') return jsonReply(200, notedAnswer(operation, state), { 'X-Operation-Id': id });
  const problem = problemOf(operation, state);
  return state.status === 'refused' && !state.reserved ? problemReply(problem) : problem;
}

/** The gateway's answer with the operation's id and its outcome; in a batch each result has its own outcome. */
function notedAnswer(
  { id, name, request }: StoredOperation,
  { answer, items }: Extract<OperationState, { status: 'answered' }>,
): object {
  const { batch }: Operation = operations[name];
  if (!batch) return { ...answer, operation_id: id, outcome: items[0] ?? 'unknown' };
  const results = listIn(answer, batch.list);
  if (results.length === 0) return { ...answer, operation_id: id };
  const own = resultsByItem(itemsOf({ name, request }), results).results;
  const noted = results.map((result) => ({ ...result, outcome: items[own.indexOf(result)] ?? 'unknown' }));
  return { ...answer, operation_id: id, [batch.list]: noted };
}

/** The reply for an operation's state. Throws ProblemError. */
export function givenReply(operation: StoredOperation): Reply {
  const reply = replyOf(operation);
  if (reply instanceof ProblemError) throw reply;
  return reply;
}

/** The problem for an operation without an answer. */
export function problemOf(
  { id, name }: Pick<StoredOperation, 'id' | 'name'>,
  state: Exclude<OperationState, { status: 'answered' }>,
): ProblemError {
  const about = { operation_id: id };
  switch (state.status) {
    case 'refused': {
      if (state.reserved) return new ProblemError('gateway_refused', mayBeMade(id, state.evidence.http_status), about);
      const anew = name === 'payout' ? 'a new key and a new request_id' : 'a new key';
      const detail = `${refusedText(name, state.evidence.http_status ?? 400)} Use ${anew}.`;
      return new ProblemError('gateway_refused', detail, about);
    }
    case 'not_sent':
      return state.not_configured === undefined
        ? new ProblemError('gateway_unreachable', state.detail ?? NOT_REACHED, about)
        : new ProblemError('operation_not_configured', state.not_configured, about);
    case 'in_flight':
    case 'unknown':
      return outcomeUnknown(id);
    case 'settled':
      return outcomeElsewhere(id);
  }
}

/** Why the gateway refused a message, by the HTTP status of its answer. */
export function refusedText(name: OperationName, status: number): string {
  const refused = `The gateway did not take the ${name}: HTTP ${status}.`;
  switch (status) {
    case 400:
    case 404:
      return `${refused} Correct it.`;
    case 401:
    case 403:
      // §5.3
      return name === 'query' && status === 403
        ? `${refused} It answers registered addresses only: the relay’s operator must have the relay’s addresses registered with it, or else check the account’s credentials.`
        : `${refused} The relay’s operator must check the account’s credentials at the gateway.`;
    case 429:
      return `${refused} Wait before you try again.`;
    default:
      return refused;
  }
}

/** The 409 of an operation that the gateway may have carried out. */
export function outcomeUnknown(id: string): ProblemError {
  const detail = `The gateway may have done this. Do not send it again: GET /v1/operations/${id} shows when it is known.`;
  return new ProblemError('outcome_unknown', detail, { operation_id: id });
}

/** The 409 of an operation whose outcome this answer cannot contain: `GET /v1/operations/:id` has it. */
export function outcomeElsewhere(id: string): ProblemError {
  const detail = `GET /v1/operations/${id} shows its outcome. It is not sent again.`;
  return new ProblemError('operation_settled', detail, { operation_id: id });
}

/** The 409 of an operation with one item that the gateway declined. */
export function declined({ id, name }: StoredOperation, answer: Message): ProblemError {
  const result = declineResult(name, answer);
  return new ProblemError('operation_declined', `The gateway declined the ${name}: ${result.message}`, {
    operation_id: id,
    result,
  });
}

/**
 * Why the gateway declined the only item of a batch, or the whole batch: the code before the message (§2.5), otherwise
 * the status code.
 */
function declineResult(name: OperationName, answer: Message): DeclineResult {
  const { batch }: Operation = operations[name];
  const [item = {}] = batch ? listIn(answer, batch.list) : [];
  const texts = [item.refund_message, item.error_message, answer.return_message];
  const text = texts.find((one) => typeof one === 'string' && one.trim() !== '');
  const [, code, words] = /^\s*([A-Z]*\d+)\s*:\s*(.*\S)\s*$/is.exec(String(text ?? '')) ?? [];
  const status = (batch && item[batch.status]) ?? answer.return_status;
  const known = code ?? (typeof status === 'string' && status !== '' ? status : undefined);
  return {
    ...(known === undefined ? {} : { code: known }),
    message: words ?? (text === undefined ? 'The gateway gives no reason.' : String(text)),
  };
}

/** The detail for a refused refund that the gateway may still carry out. */
function mayBeMade(id: string, status = 400): string {
  const look = `The gateway may still make it: read GET /v1/operations/${id} before you send another one.`;
  return `${refusedText('refund', status)} ${look}`;
}

/** The 409 of a refund whose payment has an earlier refund that was not known to be made: both may be the same refund. */
export function earlierRefundFound({ id }: StoredOperation): ProblemError {
  const detail = `The gateway has an earlier refund of this payment, which was not known to be made: read GET /v1/operations/${id} before you send another one.`;
  return new ProblemError('refund_exceeds_payment', detail, { operation_id: id });
}

/** The 503 of a refund whose payment has an earlier refund that the gateway may have made and does not report now. */
export function earlierRefundUnreported(earlier: StoredOperation): ProblemError {
  const { id } = earlier;
  const detail = `The gateway may have made an earlier refund of this payment, and does not report it now: GET /v1/operations/${id}. Nothing was sent. Try again${canBeSettled(earlier) ? ', or settle that one' : ''}.`;
  return new ProblemError('gateway_unreachable', detail, { operation_id: id });
}

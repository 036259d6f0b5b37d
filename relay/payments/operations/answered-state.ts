import { maskMessage } from '../../../shared/card-data/message.ts';
import { currencyIn, sameAmount } from '../../../shared/gateway/amounts.ts';
import { type EffectName, type Operation, operations, type StatusField } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { CallResult, GatewayIdentity } from '../../gateway/call.ts';
import type { CodeBook } from '../../gateway/profile.ts';
import { canBeSettled, type ItemOutcome, type OperationState, type StoredOperation } from './operation.ts';
import { afterPayoutMessage, payoutOutcome } from './payout-message.ts';

/** The sent operation, its message, and the account that signed it. */
type Sent = { name: EffectName; message: Message; as: Pick<GatewayIdentity, 'merchant_id' | 'account_id'> };

/**
 * The state of an operation after the gateway's answer, by the code book only. An answer for another account, or with
 * other items than the request's, proves nothing: the operation is then unknown.
 * @param since the present time (ISO 8601)
 */
export function readState(sent: Sent, called: CallResult, codes: CodeBook, since: string): OperationState {
  switch (called.kind) {
    case 'not_sent':
      return { status: 'not_sent', ...(called.detail === undefined ? {} : { detail: called.detail }) };
    case 'not_configured':
      return { status: 'not_sent', not_configured: called.detail };
    case 'refused':
      return { status: 'refused', evidence: called.evidence, ...(sent.name === 'refund' ? { reserved: true } : {}) };
    case 'unusable':
      return { status: 'unknown', reason: called.fault, since, evidence: called.evidence };
    case 'answer': {
      const items = isForAccount(sent, called.message) ? readItems(sent, called.message, codes) : undefined;
      if (!items) return { status: 'unknown', reason: 'echo_mismatch', since, evidence: called.evidence() };
      return { status: 'answered', answer: maskMessage(called.message), items };
    }
  }
}

/** False for an answer that names another account; some gateways name none. */
export function isForAccount({ as }: Pick<Sent, 'as'>, answer: Message): boolean {
  return echoes(answer.merchant_id, as.merchant_id) && echoes(answer.account_id, as.account_id);
}

/** The outcome of each item, in the order of the request; undefined if the answer is about other items. */
function readItems({ name, message }: Sent, answer: Message, codes: CodeBook): ItemOutcome[] | undefined {
  const { batch }: Operation = operations[name];
  if (batch) return readBatch(listIn(message, batch.list), answer, batch, codes);
  if (name === 'payout') return isPayoutOf(message, answer) ? [payoutOutcome(answer, codes)] : undefined;
  return isOwn(message, answer, ['recurring_id']) ? [itemOutcome(answer, 'cancel_status', codes)] : undefined;
}

const batchEcho = ['transaction_id', 'order_no', 'currency', 'amount', 'refund_amount'];
const payoutEcho = ['request_id', 'payment_amount', 'payment_currency', 'source_amount', 'source_currency'];

/** Equal items are permitted, so each result is assigned to one item only. */
function readBatch(
  items: readonly Message[],
  answer: Message,
  { list, status }: NonNullable<Operation['batch']>,
  codes: CodeBook,
): ItemOutcome[] | undefined {
  const results = listIn(answer, list);
  // The gateway refused the whole batch, so no item was carried out.
  if (results.length === 0 && codes.return_status.failed.includes(String(answer.return_status))) {
    return items.map(() => 'failed');
  }
  const own = resultsByItem(items, results);
  const outcomes = own.results.map((result) => result && itemOutcome(result, status, codes));
  return own.isWhole && outcomes.every((outcome) => outcome !== undefined) ? outcomes : undefined;
}

/** The result of each item of a batch, in the order of the request. `isWhole`: no result is left over. */
export function resultsByItem(
  items: readonly Message[],
  results: readonly Message[],
): { results: (Message | undefined)[]; isWhole: boolean } {
  const left = [...results];
  const own = items.map((item) => {
    const at = left.findIndex((result) => isOwn(item, result, batchEcho));
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
  return { results: own, isWhole: left.length === 0 };
}

/** An unlisted code proves nothing; two codes of a refund that disagree prove nothing, either. */
export function itemOutcome(result: Message, status: StatusField, codes: CodeBook): ItemOutcome {
  const code = String(result[status]);
  const message = /^[^:]*/.exec(String(result.refund_message ?? ''))?.[0] ?? '';
  const messageSucceeds = codes.refund_message.success.includes(message);
  const isRefund = status === 'refund_status';
  if (codes[status].success.includes(code) && (!isRefund || messageSucceeds)) return 'succeeded';
  if (codes[status].failed.includes(code) && !(isRefund && messageSucceeds)) return 'failed';
  return 'unknown';
}

/** True if a message is about this payout: its request_id, amounts and currencies are the requested ones. */
export function isPayoutOf(request: Message, message: Message): boolean {
  return isOwn(request, message, payoutEcho);
}

/** True if the answer repeats the sent values of these fields. A missing field is no difference. */
function isOwn(sent: Message, answer: Message, fields: readonly string[]): boolean {
  return fields.every((field) => sent[field] === undefined || echoes(answer[field], String(sent[field]), field));
}

function echoes(given: unknown, expected: string, field = ''): boolean {
  if (given === undefined || given === null || given === '') return true;
  if (field.endsWith('amount')) return sameAmount(String(given), expected);
  if (field.endsWith('currency')) return currencyIn(String(given)) === expected;
  // A UUID may be written in upper case.
  return field === 'request_id' ? String(given).toLowerCase() === expected.toLowerCase() : String(given) === expected;
}

/** The messages of a list in a message; none if the field is not a list. */
export function listIn(message: Message | undefined, field: string): Message[] {
  const list = message?.[field];
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'object' && entry !== null) : [];
}

/**
 * The state of an operation that was written before its own answer arrived: by a relay that counted it as orphaned, by
 * a payout's notification, or by a person. The gateway's answer takes precedence over the person's decision, which is
 * stored beside it. Undefined if the answer adds nothing.
 */
export function afterLateAnswer(
  current: StoredOperation,
  read: StoredOperation,
  codes: CodeBook,
  now: string,
): StoredOperation | undefined {
  const { applied } = current;
  const next: StoredOperation = { ...read, version: current.version + 1, ...(applied ? { applied } : {}) };
  switch (current.state.status) {
    case 'unknown':
      // A search that has begun continues if the answer decides nothing.
      if (read.state.status === 'unknown' && current.lookup) return { ...next, lookup: current.lookup };
      return next;
    case 'answered':
    case 'settled': {
      if (read.state.status !== 'answered') return undefined;
      const { state } = read;
      if (read.name === 'payout') return lateAnswerOfPayout(current, next, state.answer, codes, now);
      // The operation was already written, and the relay did not receive the confirmation.
      if (current.state.status === 'answered' || current.state.answer) return undefined;
      return { ...next, state: { ...state, settlement: current.state.settlement } };
    }
    case 'in_flight':
    case 'refused':
    case 'not_sent':
      return undefined;
  }
}

function lateAnswerOfPayout(
  current: StoredOperation,
  { settled_at: _, ...next }: StoredOperation,
  answer: Message,
  codes: CodeBook,
  now: string,
): StoredOperation | undefined {
  const state = afterPayoutMessage(current.state, answer, 'answer', codes, now);
  if (!state) return undefined;
  const merged: StoredOperation = { ...next, state };
  return canBeSettled(merged) ? merged : { ...merged, settled_at: current.settled_at ?? now };
}

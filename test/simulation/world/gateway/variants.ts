import { isObject } from '../../../../shared/checkout/is-object.ts';
import { type OperationName, operations } from '../../../../shared/gateway/operations.ts';
import type { Message } from '../../../../shared/gateway/signature.ts';
import type { GatewayVariant, Numbers } from '../../gateway-variant.ts';
import type { GatewayAnswer } from './answers.ts';
import type { BookRecord } from './books.ts';
import { isPayment } from './payments.ts';

/** The result in the record of an order that the gateway does not know. */
export const NOT_FOUND = 'not found';

/** The answer as a relay must read it: unusable without a list, or with an order_no that the relay did not send. */
export function asReceived(
  name: OperationName,
  answer: GatewayAnswer,
  { numbers, emptyLists }: GatewayVariant,
): GatewayAnswer {
  if (answer.kind !== 'answer') return answer;
  const { message } = answer;
  if (name === 'query' && emptyLists === 'not_counted' && isEmpty(message.orders_list)) {
    return { kind: 'unusable', fault: 'no_list', message: withoutList(message) };
  }
  if (!isPayment(name) || !numbers?.isInAnswers || answer.unsigned) return answer;
  return { kind: 'unusable', fault: 'number_differs', message: rewritten(message, numbers.form) };
}

/**
 * An answer in the gateway's own form: a query's answer without an empty list, and with its own order numbers; any
 * other answer with its wording.
 */
export function asWritten(
  name: OperationName,
  answer: GatewayAnswer,
  asked: Message,
  variant: GatewayVariant,
): GatewayAnswer {
  if (answer.kind !== 'answer') return answer;
  const message = name === 'query' ? listed(answer.message, asked, variant) : answer.message;
  const isXml = operations[name].answerFormat === 'xml';
  return { ...answer, message: isXml && variant.wording === 'json numbers' ? message : worded(message, variant) };
}

function listed(message: Message, asked: Message, { numbers, emptyLists, wording }: GatewayVariant): Message {
  const { orders_list } = message;
  if (!Array.isArray(orders_list)) return message;
  if (wording === 'not found' && typeof asked.orders === 'string')
    return { ...message, orders_list: withNotFound(orders_list, asked.orders) };
  if (emptyLists && isEmpty(orders_list)) return withoutList(message);
  if (!numbers) return message;
  return { ...message, orders_list: orders_list.map((one: BookRecord) => rewritten(one, numbers.form)) };
}

/** The answer with a "not found" record for each queried order without a record. */
function withNotFound(records: readonly BookRecord[], asked: string): object[] {
  const named = new Set(records.map(({ order_no }) => order_no));
  const missing = asked.split(',').filter((order_no) => !named.has(order_no));
  return [...records, ...missing.map((order_no) => ({ order_no, query_result: NOT_FOUND }))];
}

/** Every object of a message with JSON numbers in place of amounts and codes, or with currencies in lower case. */
function worded<Value>(value: Value, variant: GatewayVariant): Value;
function worded(value: unknown, variant: GatewayVariant): unknown {
  if (Array.isArray(value)) return value.map((one) => worded(one, variant));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, field]) => [name, inWords(name, worded(field, variant), variant)]);
  return Object.fromEntries(entries);
}

function inWords(name: string, value: unknown, { wording }: GatewayVariant): unknown {
  if (typeof value !== 'string') return value;
  if (wording === 'small currencies' && name.endsWith('currency')) return value.toLowerCase();
  const isNumber = name.endsWith('amount') || name.endsWith('_status');
  return wording === 'json numbers' && isNumber && /^[1-9]\d*(\.\d+)?$/.test(value) ? Number(value) : value;
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

function withoutList({ orders_list: _, ...message }: Message): Message {
  return message;
}

function rewritten<Named extends Message | BookRecord>(named: Named, form: Numbers['form']): Named {
  const order_no = String(named.order_no);
  return { ...named, order_no: form === 'small letters' ? order_no.toLowerCase() : `${order_no} ` };
}

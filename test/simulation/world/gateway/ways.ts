import type { OperationName } from '../../../../shared/gateway/operations.ts';
import type { Message } from '../../../../shared/gateway/signature.ts';
import type { Numbers, Ways } from '../../steps.ts';
import type { BookRecord } from './books.ts';
import type { Said } from './said.ts';

/** What a relay must make of an answer: one without a list, or about an order_no that it did not send, tells nothing. */
export function asHeard(name: OperationName, said: Said, { numbers, emptyLists }: Ways): Said {
  if (said.kind !== 'answer') return said;
  const { message } = said;
  if (name === 'query' && emptyLists === 'not_counted' && isEmpty(message.orders_list)) {
    return { kind: 'unusable', fault: 'no_list', message: withoutList(message) };
  }
  const isPayment = name === 'direct_payment' || name === 'apm_payment';
  if (!isPayment || !numbers?.isInAnswers || said.unsigned) return said;
  return { kind: 'unusable', fault: 'number_differs', message: rewritten(message, numbers.form) };
}

/** A query's answer as the gateway writes it: without an empty list, and with its own order numbers. */
export function asWritten(name: OperationName, said: Said, { numbers, emptyLists }: Ways): Said {
  if (name !== 'query' || said.kind !== 'answer') return said;
  const { orders_list } = said.message;
  if (emptyLists && isEmpty(orders_list)) return { ...said, message: withoutList(said.message) };
  if (!numbers || !Array.isArray(orders_list)) return said;
  const records = orders_list.map((one: BookRecord) => rewritten(one, numbers.form));
  return { ...said, message: { ...said.message, orders_list: records } };
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

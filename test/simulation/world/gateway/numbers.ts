import type { OperationName } from '../../../../shared/gateway/operations.ts';
import type { Message } from '../../../../shared/gateway/signature.ts';
import type { Numbers } from '../../steps.ts';
import type { BookRecord } from './books.ts';
import type { Said } from './said.ts';

/** A signed answer to a payment, from a gateway that writes its order_no in a way of its own. */
export function inAnswer(name: OperationName, said: Said, { form, isInAnswers }: Numbers): Said {
  const isPayment = name === 'direct_payment' || name === 'apm_payment';
  if (!isInAnswers || !isPayment || said.kind !== 'answer' || said.unsigned) return said;
  return { kind: 'unusable', fault: 'number_differs', message: rewritten(said.message, form) };
}

/** A query's answer, whose records have order numbers as the gateway writes them. */
export function inRecords(name: OperationName, said: Said, { form }: Numbers): Said {
  if (name !== 'query' || said.kind !== 'answer') return said;
  const { orders_list } = said.message;
  if (!Array.isArray(orders_list)) return said;
  return {
    ...said,
    message: { ...said.message, orders_list: orders_list.map((one: BookRecord) => rewritten(one, form)) },
  };
}

function rewritten<Named extends Message | BookRecord>(named: Named, form: Numbers['form']): Named {
  const order_no = String(named.order_no);
  return { ...named, order_no: form === 'small letters' ? order_no.toLowerCase() : `${order_no} ` };
}

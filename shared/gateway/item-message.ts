import { isObject } from '../checkout/is-object.ts';

/**
 * The gateway's words to one item of an operation, such as `V0006:The payment was cancelled` (§2.5 to §2.7): those of the only item of its
 * answer about the same transaction. Undefined if the answer has none.
 * @param answer the gateway's answer to the operation
 * @param item the item as it was asked for
 */
export function itemMessage(answer: unknown, item: Readonly<Record<string, unknown>>): string | undefined {
  if (!isObject(answer) || item.transaction_id === undefined) return undefined;
  const lists = Object.entries(answer).flatMap(([name, value]) =>
    name.endsWith('_orders') && Array.isArray(value) ? [value] : [],
  );
  const items = lists.flat().filter(isObject);
  const [own, ...more] = items.filter(({ transaction_id }) => transaction_id === item.transaction_id);
  if (!own || more.length > 0) return undefined;
  const words = own.refund_message ?? own.error_message;
  return typeof words === 'string' && words !== '' ? words : undefined;
}

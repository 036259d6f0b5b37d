import { isObject } from '../checkout/is-object.ts';

/**
 * The gateway's message about one item of an operation, such as `V0006:The payment was cancelled` (§2.5 to §2.7), from
 * the only result about the item's transaction. Undefined if there is none.
 * @param answer the gateway's answer to the operation
 * @param item the requested item
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

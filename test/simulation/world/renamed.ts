import type { Message } from '../../../shared/gateway/signature.ts';

/** A message with other order names, also in its lists and items. */
export function renamed(message: Message, rename: (orderNo: string) => string): Message {
  const value = (field: string, given: unknown): unknown => {
    if (Array.isArray(given)) return given.map((one) => (isMessage(one) ? renamed(one, rename) : one));
    if (typeof given !== 'string') return given;
    if (field === 'order_no') return rename(given);
    // A refund search names payments by their transactions, or by their orders.
    if (field !== 'orders' && field !== 'refund_orders') return given;
    return given
      .split(',')
      .map((one) => (/^O\d/i.test(one) ? rename(one) : one))
      .join();
  };
  return Object.fromEntries(Object.entries(message).map(([field, given]) => [field, value(field, given)]));
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null;
}

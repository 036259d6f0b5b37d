import { maskText } from '../../shared/card-data/mask.ts';
import { maskMessage } from '../../shared/card-data/message.ts';
import type { Message } from '../../shared/gateway/signature.ts';

/** The fields of the spec by which one may recognise what a notification is about, and what it claims. */
const identifying = [
  'order_no',
  'transaction_id',
  'reference_no',
  'recurring_id',
  'refund_reference_id',
  'request_id',
  'short_reference_id',
  'status',
  'order_status',
  'payment_status',
  'refund_status',
  'recurring_status',
  'return_status',
  'result_info',
] as const;

/** An identifier or a code is short and plain. What is not may be anything. */
const plain = /^[\x20-\x7e]{1,255}$/;

/** The short texts of a notification that identify something, without card data (see `withoutCards`). */
export function identifyingFields(message: Message, isTrusted = false): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of identifying) {
    const value = message[name];
    if (typeof value === 'string' && plain.test(value)) fields[name] = value;
  }
  return Object.fromEntries(
    Object.entries(withoutCards(fields, isTrusted)).map(([name, text]) => [name, String(text)]),
  );
}

/**
 * A notification without card data. One that the gateway signed is like an answer (`isTrusted`): its identifiers stay as they
 * came. In what anybody may have written a number may be a card's wherever it stands, in names and identifiers too.
 */
export function withoutCards(message: Message, isTrusted: boolean): Message {
  if (isTrusted) return maskMessage(message);
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [maskText(name), valueWithoutCards(value)]));
}

function valueWithoutCards(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(valueWithoutCards);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [maskText(name), valueWithoutCards(entry)]));
  }
  return typeof value === 'number' && maskText(String(value)) !== String(value) ? null : value;
}

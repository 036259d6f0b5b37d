import { maskText } from '../../shared/card-data/mask.ts';
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

/**
 * The short texts of a notification that identify something, without card data. A number may be a card's in any of them,
 * an identifier too: what a notification says is never used to find or change anything, so what is masked breaks nothing.
 */
export function identifyingFields(message: Message): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of identifying) {
    const value = message[name];
    if (typeof value === 'string' && plain.test(value)) fields[name] = maskText(value);
  }
  return fields;
}

/** A value of a notification without card data, wherever in it some may stand: names and identifiers too. */
export function valueWithoutCards(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(valueWithoutCards);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [maskText(name), valueWithoutCards(entry)]));
  }
  return typeof value === 'number' && maskText(String(value)) !== String(value) ? null : value;
}

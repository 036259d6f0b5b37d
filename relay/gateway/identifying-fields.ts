import { maskMessage } from '../../shared/card-data/message.ts';
import type { Message } from '../../shared/gateway/signature.ts';

/** The fields of the spec that identify the subject and the claim of a notification. */
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

/** Identifiers and codes are short and plain. Any other text may contain anything. */
const plain = /^[\x20-\x7e]{1,255}$/;

/** The short texts of a notification that identify something, without card data (see `withoutCards`). */
export function identifyingFields(message: Message, isTrusted = false): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of identifying) {
    const value = message[name];
    if (typeof value === 'string' && plain.test(value)) fields[name] = value;
  }
  const masked = Object.entries(withoutCards(fields, isTrusted));
  return Object.fromEntries(masked.map(([name, text]) => [name, String(text)]));
}

/** A notification without card data. A signed one (`isTrusted`) keeps its identifiers. In an unsigned one, every number may be a card's. */
export function withoutCards(message: Message, isTrusted: boolean): Message {
  return maskMessage(message, {}, isTrusted ? 'gateway' : 'anyone');
}

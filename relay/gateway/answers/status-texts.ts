import { isObject } from '../../../shared/checkout/is-object.ts';
import type { Message } from '../../../shared/gateway/signature.ts';

/** The fields of §2 and §3 that hold a code, which the spec types as a string. */
const codes = new Set([
  'return_status',
  'order_status',
  'payment_status',
  'refund_status',
  'review_status',
  'review_flag',
  'capture_status',
  'cancel_status',
  'recurring_status',
  'status',
  'is3ds',
  'query_result',
]);

/**
 * The same message with the text of each code that came as a whole JSON number, in itself, its records and their objects.
 * @returns the message itself where there is none
 */
export function withStatusTexts(message: Message): Message {
  let changed: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(message)) {
    const text = codes.has(name) && Number.isSafeInteger(value) ? String(value) : inner(value);
    if (text === value) continue;
    changed ??= { ...message };
    changed[name] = text;
  }
  return changed ?? message;
}

function inner(value: unknown): unknown {
  if (!Array.isArray(value)) return isObject(value) ? withStatusTexts(value) : value;
  const entries: unknown[] = value.map(inner);
  return entries.every((entry, at) => entry === value[at]) ? value : entries;
}

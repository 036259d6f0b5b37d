import { fieldNames } from '../gateway/field-names.ts';
import { isCodeField } from './find.ts';
import { type CardSecrets, maskOwnCard, maskPan, maskText } from './mask.ts';

/** Fields of the gateway's interface that hold what somebody wrote, or a card. Its others are numbers and identifiers. */
const freeTexts: ReadonlySet<string> = new Set([
  'card',
  'security_code',
  'note',
  'custom',
  'items',
  'reason',
  'client_data',
  'decline_reason',
  'failure_reason',
  'refund_reason',
  'refund_message',
  'return_message',
  'error_message',
  'result_info',
  'check_items',
  'issuer_url',
]);

/** What fields are called that hold a card number, whatever it looks like. */
export const CARDS = /^(card|pan|card.?(number|no|num))$/i;

/** Where a message came from: in one that anybody may have written any field may hold card data. */
export type Source = { trusted: boolean };

const GATEWAY: Source = { trusted: true };

/**
 * A value of a parsed message as it may be kept and shown. What the gateway's interface documents as a number, phone,
 * document or identifier stays as it came, but for the payment's own card number; free texts are masked, and so are fields
 * that the interface does not have. Of a message that is not trusted every field is masked.
 * @param field the name of the field that holds the value
 */
export function maskValue(value: unknown, own: CardSecrets = {}, field = '', source = GATEWAY): unknown {
  if (typeof value === 'string') return maskField(field, value, own, source);
  if (typeof value === 'number') {
    const text = String(value);
    // Some other card's number is written without decimals, by a gateway.
    const isAmount = source.trusted && !Number.isInteger(value);
    const masked = isAmount ? maskOwnCard(text, own) : maskField(field, text, own, source);
    return masked === text ? value : null;
  }
  if (Array.isArray(value)) return value.map((entry) => maskValue(entry, own, field, source));
  if (typeof value === 'object' && value !== null) return maskFields(value, own, field, source);
  return value;
}

/** `maskValue` for the fields of a message. */
export function maskMessage(
  message: Readonly<Record<string, unknown>>,
  own: CardSecrets = {},
  source = GATEWAY,
): Record<string, unknown> {
  return maskFields(message, own, '', source);
}

/** What is inside a security code's field is a part of it. */
function maskFields(value: object, own: CardSecrets, field: string, source: Source): Record<string, unknown> {
  const entries = Object.entries(value).map(([name, entry]) => [
    maskText(name, own),
    maskValue(entry, own, isCodeField(field) ? field : name, source),
  ]);
  return Object.fromEntries(entries);
}

function maskField(field: string, text: string, own: CardSecrets, { trusted }: Source): string {
  if (isCodeField(field)) return text && '***';
  if (trusted && fieldNames.has(field) && !freeTexts.has(field)) return maskOwnCard(text, own);
  const masked = maskText(text, own);
  const digits = CARDS.test(field) ? masked.replace(/\D/g, '') : '';
  return digits.length >= 12 ? maskPan(digits) : masked;
}

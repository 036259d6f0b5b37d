import { fieldNames } from '../gateway/field-names.ts';
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

/** What fields are called that hold a security code or a card number, whatever these look like. */
export const CODES = /^(security|verification).?(code|value)$|^(cvv|cvc|cvn|csc|cav|cid|pin)\d?$/i;
export const CARDS = /^(card|pan|card.?(number|no|num))$/i;

/**
 * A value of a parsed message as it may be kept and shown. What the gateway's interface documents as a number, phone,
 * document or identifier stays as it came, but for the payment's own card number; free texts are masked, and so are fields
 * that the interface does not have.
 * @param field the name of the field that holds the value
 */
export function maskValue(value: unknown, own: CardSecrets = {}, field = ''): unknown {
  if (typeof value === 'string') return maskField(field, value, own);
  if (typeof value === 'number') {
    const text = String(value);
    // Some other card's number is written without decimals.
    const masked = Number.isInteger(value) ? maskField(field, text, own) : maskOwnCard(text, own);
    return masked === text ? value : null;
  }
  if (Array.isArray(value)) return value.map((entry) => maskValue(entry, own, field));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([name, entry]) => [maskText(name, own), maskValue(entry, own, name)]));
  }
  return value;
}

/** `maskValue` for the fields of a message. */
export function maskMessage(
  message: Readonly<Record<string, unknown>>,
  own: CardSecrets = {},
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => [maskText(name, own), maskValue(value, own, name)]),
  );
}

function maskField(field: string, text: string, own: CardSecrets): string {
  if (fieldNames.has(field) && !freeTexts.has(field)) return maskOwnCard(text, own);
  if (CODES.test(field)) return text && '***';
  const masked = maskText(text, own);
  const digits = CARDS.test(field) ? masked.replace(/\D/g, '') : '';
  return digits.length >= 12 ? maskPan(digits) : masked;
}

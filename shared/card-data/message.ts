import { z } from 'zod';
import { operationNames, operations } from '../gateway/operations.ts';
import { isCodeField } from './find.ts';
import { type CardSecrets, maskOwnCard, maskPan, maskText } from './mask.ts';

/**
 * Fields of the gateway's interface that hold what somebody wrote, or a card: in orders and in answers. Its others are
 * numbers and identifiers; `contract_name` is one, by which a subscription is cancelled.
 */
const freeTexts: ReadonlySet<string> = new Set([
  'card',
  'security_code',
  // Notes, reasons and what else is told.
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
  'connector',
  'issuer_url',
  // Names of persons, companies and goods.
  'name',
  'first_name',
  'last_name',
  'social_name',
  'company_name',
  'owner_name',
  'account_name',
  'bank_name',
  'delivery_firstname',
  'delivery_lastname',
  // Addresses, without their codes and numbers.
  'billing_city',
  'billing_address',
  'delivery_city',
  'delivery_address',
  'delivery_district_name',
  'delivery_street_name',
  'address',
  'address_city',
  'address_street',
  'address_complement',
  'bank_street_address',
  'city',
  'complement',
  'street',
  'street_address',
]);

/** What fields are called that hold a card number, whatever it looks like. */
export const CARDS = /^(card|pan|card.?(number|no|num))$/i;

/**
 * Who wrote a message. Of the gateway's own the numbers and identifiers stay, but for the payment's own card number; of a
 * shop's order everything but free texts; and in what anyone may have written any field may hold card data.
 */
type Author = 'gateway' | 'shop' | 'anyone';

/**
 * A value of a parsed message as it may be kept and shown. What the gateway's interface documents as a number, phone,
 * document or identifier stays as it came (see `Author`); free texts are masked, and so are fields of an answer that the
 * interface does not have.
 * @param field the name of the field that holds the value
 */
export function maskValue(value: unknown, own: CardSecrets = {}, field = '', author: Author = 'gateway'): unknown {
  if (typeof value === 'string') return maskField(field, value, own, author);
  if (typeof value === 'number' && author !== 'shop') {
    const text = String(value);
    // Some other card's number is written without decimals, by a gateway.
    const isAmount = author === 'gateway' && !Number.isInteger(value);
    const masked = isAmount ? maskOwnCard(text, own) : maskField(field, text, own, author);
    return masked === text ? value : null;
  }
  if (Array.isArray(value)) return value.map((entry) => maskValue(entry, own, field, author));
  if (typeof value === 'object' && value !== null) return maskFields(value, own, field, author);
  return value;
}

/** `maskValue` for the fields of a message. */
export function maskMessage(
  message: Readonly<Record<string, unknown>>,
  own: CardSecrets = {},
  author: Author = 'gateway',
): Record<string, unknown> {
  return maskFields(message, own, '', author);
}

/** What is inside a security code's field is a part of it. */
function maskFields(value: object, own: CardSecrets, field: string, author: Author): Record<string, unknown> {
  const entries = Object.entries(value).map(([name, entry]) => [
    maskText(name, own),
    maskValue(entry, own, isCodeField(field) ? field : name, author),
  ]);
  return Object.fromEntries(entries);
}

function maskField(field: string, text: string, own: CardSecrets, author: Author): string {
  if (isCodeField(field)) return text && '***';
  if (!freeTexts.has(field)) {
    if (author === 'shop') return text;
    if (author === 'gateway' && fieldNames.has(field)) return maskOwnCard(text, own);
  }
  const masked = maskText(text, own);
  const digits = CARDS.test(field) ? masked.replace(/\D/g, '') : '';
  return digits.length >= 12 ? maskPan(digits) : masked;
}

/** Every name that a field of a request or an answer has, at any depth. */
export const fieldNames: ReadonlySet<string> = new Set(
  operationNames
    .flatMap((name) => [operations[name].request, operations[name].answer])
    .flatMap((schema) => namesIn(schema)),
);

function namesIn(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
  }
  if (schema instanceof z.ZodArray) return namesIn(schema.element);
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodCatch;
  return isWrapped ? namesIn(schema.unwrap()) : [];
}

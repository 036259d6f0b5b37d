import { z } from 'zod';
import { operationNames, operations } from '../gateway/operations.ts';
import { hasFixedForm } from '../gateway/text.ts';
import { isCodeField } from './find.ts';
import { type CardSecrets, maskOwnCard, maskPan, maskText } from './mask.ts';

/** The names of fields that contain a card number in any form. */
export const CARDS = /^(card|pan|card.?(number|no|num))$/i;

/**
 * The author of a message. Fields with a fixed form in the spec stay unchanged in the gateway's own messages, except
 * for the payment's own card number, and in a shop's order. In a message of `anyone`, every field may contain card
 * data.
 */
type Author = 'gateway' | 'shop' | 'anyone';

/**
 * A value of a parsed message as it may be stored and shown. Fields that the gateway's interface documents as a number,
 * phone, document or identifier (see `fixedForm`) stay unchanged (see `Author`). Every other field is masked, and so
 * are fields that the interface does not have.
 * @param field the name of the field with the value
 */
export function maskValue(value: unknown, own: CardSecrets = {}, field = '', author: Author = 'gateway'): unknown {
  if (typeof value === 'string') return maskField(field, value, own, author);
  if (typeof value === 'number' && author !== 'shop') {
    const text = String(value);
    // A gateway never writes another card's number with decimals.
    const isAmount = author === 'gateway' && !Number.isInteger(value);
    const masked = isAmount ? maskOwnCard(text, own) : maskField(field, text, own, author);
    return masked === text ? value : null;
  }
  if (Array.isArray(value)) return value.map((entry) => maskValue(entry, own, field, author));
  if (typeof value === 'object' && value !== null) return maskMessage(value, own, author, field);
  return value;
}

/**
 * `maskValue` for the fields of a message, or of its part in a `field`. Everything inside the field of a security code
 * is a part of the code.
 */
export function maskMessage(
  message: object,
  own: CardSecrets = {},
  author: Author = 'gateway',
  field = '',
): Record<string, unknown> {
  const entries = Object.entries(message).map(([name, entry]) => [
    maskText(name, own),
    maskValue(entry, own, isCodeField(field) ? field : name, author),
  ]);
  return Object.fromEntries(entries);
}

function maskField(field: string, text: string, own: CardSecrets, author: Author): string {
  if (isCodeField(field)) return text && '***';
  if (author !== 'anyone' && fixedForms.has(field)) return author === 'shop' ? text : maskOwnCard(text, own);
  const masked = maskText(text, own);
  const digits = CARDS.test(field) ? masked.replace(/\D/g, '') : '';
  return digits.length >= 12 ? maskPan(digits) : masked;
}

const fields = operationNames
  .flatMap((name) => [operations[name].request, operations[name].answer])
  .flatMap((schema) => fieldsIn(schema));

/** Every name of a field of a request or an answer, at any depth. */
export const fieldNames: ReadonlySet<string> = new Set(fields.map(({ name }) => name));

const openForms: ReadonlySet<string> = new Set(fields.flatMap(({ name, isFixed }) => (isFixed ? [] : [name])));

/** The names of fields whose form is fixed at every depth. */
const fixedForms: ReadonlySet<string> = new Set([...fieldNames].filter((name) => !openForms.has(name)));

function fieldsIn(schema: z.core.$ZodType): { name: string; isFixed: boolean }[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, inner]) => [
      { name, isFixed: hasFixedForm(inner) },
      ...fieldsIn(inner),
    ]);
  }
  if (schema instanceof z.ZodArray) return fieldsIn(schema.element);
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodCatch;
  return isWrapped ? fieldsIn(schema.unwrap()) : [];
}

import { z } from 'zod';
import { digitRows } from '../../../shared/card-data/digits.ts';
import { type CardSecrets, holdsOwnCard, maskText, mayHoldCard } from '../../../shared/card-data/mask.ts';
import { maskMessage } from '../../../shared/card-data/message.ts';
import { kindOf } from '../../../shared/checkout/fields/kinds.ts';
import { isObject } from '../../../shared/checkout/is-object.ts';
import type { Metadata } from '../../../shared/checkout/metadata.ts';
import type { FieldError } from '../../../shared/checkout/problem.ts';
import { collectGroups, type Order } from '../../../shared/checkout/session.ts';
import { invalidFields } from '../../base/errors.ts';
import type { Terms } from '../../payments/session.ts';
import type { PayBody } from '../message.ts';

/** Longer values are sent and not stored: no shopper types them, and every change would write them again. */
const MAX_CHARACTERS = 300;

/** Pairs of fields that form one text: a card number that was typed as a name is split between them. */
export const parts = [
  ['first_name', 'last_name'],
  ['delivery_firstname', 'delivery_lastname'],
] as const;

/**
 * The terms with the shopper's values of this attempt, so that the form can show them again at the next attempt. They
 * include only fields that the form shows beside the card's, no files, and no text that may contain card data.
 */
export function withFilled(terms: Terms, body: PayBody): Terms {
  const isShown = shownFields(terms);
  const isKept = (path: string): boolean =>
    path === 'installments' || path === 'installments_id' || (isShown(path) && kindOf(path) !== 'file_data');
  const own: CardSecrets = {
    ...('card' in body && { card: body.card }),
    ...('security_code' in body && { security_code: body.security_code }),
  };
  const typed = textsIn(body, isKept);
  const tainted = parts.flatMap((pair): readonly string[] =>
    mayHoldTypedCard(pair.map((path) => typed.get(path) ?? '').join(' '), own) ? pair : [],
  );
  const kept: Record<string, string> = {};
  for (const [path, value] of typed) {
    const isShort = value !== '' && value.length <= MAX_CHARACTERS;
    if (isShort && !tainted.includes(path) && !mayHoldTypedCard(value, own)) kept[path] = value;
  }
  if (Object.keys(kept).length === 0) return terms;
  // A plan is stored completely or not at all.
  const { installments: _, installments_id: __, ...before } = terms.filled ?? {};
  return { ...terms, filled: { ...(typed.get('installments') ? before : terms.filled), ...kept } };
}

/** The initial values of the form's fields: the shopper's values of an earlier attempt, otherwise the order's. */
export function prefill(terms: Terms): Record<string, string> {
  const { order, filled = {}, installment_options } = terms;
  const { installments, installments_id, ...fields } = filled;
  const plan = installment_options.findIndex(
    (option) => option.installments === installments && option.installments_id === installments_id,
  );
  const isShown = shownFields(terms);
  return {
    // Browsers do not let a page fill in a file.
    ...Object.fromEntries(textsIn(order, (path) => isShown(path) && kindOf(path) !== 'file_data')),
    ...fields,
    ...(plan >= 0 ? { installments: String(plan) } : {}),
  };
}

/** The shopper's values without the fields that the shop has changed in the order since. */
export function filledBeside(
  filled: Terms['filled'],
  changed: ReadonlySet<string>,
): { filled?: Record<string, string> } {
  const left = Object.entries(filled ?? {}).filter(([path]) => !changed.has(path.split('.')[0] ?? ''));
  return left.length > 0 ? { filled: Object.fromEntries(left) } : {};
}

/** The group of `collect` that requests a field. */
const groupOf = new Map(
  Object.entries(collectGroups).flatMap(([group, paths]) => paths.map((path) => [path, group] as const)),
);

/** Whether the session requests the field at a path by `collect`. */
export function isCollected({ collect }: Terms, path: string): boolean {
  const own = groupOf.get(path);
  return own !== undefined && collect.some((group) => group === own);
}

/**
 * Returns a function that tests whether the form shows the field at a path beside the card's fields. A method may name
 * an object to request all of its fields.
 */
export function shownFields(terms: Terms): (path: string) => boolean {
  const own = terms.methods.flatMap((method) => (method.type === 'apm' ? ['bank_code', ...(method.fields ?? [])] : []));
  return (path) =>
    path === 'first_name' ||
    path === 'last_name' ||
    isCollected(terms, path) ||
    own.some((name) => path === name || path.startsWith(`${name}.`));
}

/**
 * The texts of a payment or its order at the wanted paths, by dotted path (`person.email`). Fields of a form are at the
 * top or inside `person`.
 */
export function textsIn(value: object, isWanted: (path: string) => boolean): Map<string, string> {
  const texts = new Map<string, string>();
  const read = (inside: Readonly<Record<string, unknown>>, under: string): void => {
    for (const name in inside) {
      const inner = inside[name];
      const path = under + name;
      if (typeof inner === 'string') {
        if (isWanted(path)) texts.set(path, inner);
      } else if ((under || name === 'person') && isObject(inner) && !Array.isArray(inner)) read(inner, `${path}.`);
    }
  };
  if (isObject(value)) read(value, '');
  return texts;
}

/** A text of ASCII characters without a digit. */
const NO_DIGIT = /^[\0-/:-\x7f]*$/;

/**
 * The number of consecutive card digits that a stored text may not contain: only the first six and the last four are
 * shown elsewhere.
 */
const MAX_SHARED_DIGITS = 7;

/**
 * Whether a text that a shopper typed beside the card may contain card data: digits of the paid card, its security
 * code, or any card number, with any separators. True in doubt.
 */
export function mayHoldTypedCard(text: string, own: CardSecrets): boolean {
  // Most texts are names and places without digits.
  if (NO_DIGIT.test(text)) return false;
  return mayHoldCard(text, own) || sharesDigits(text, own.card);
}

function sharesDigits(text: string, card = ''): boolean {
  if (text.length < MAX_SHARED_DIGITS || card === '') return false;
  return digitRows(text).some((digits) => {
    if (digits.length < MAX_SHARED_DIGITS) return false;
    for (let at = 0; at + MAX_SHARED_DIGITS <= card.length; at++) {
      if (digits.includes(card.slice(at, at + MAX_SHARED_DIGITS))) return true;
    }
    return false;
  });
}

/** The order as it is stored and sent: without card data in free texts, at any depth. */
export function withoutCards<Terms extends Order>(order: Terms, own: CardSecrets = {}): Terms {
  return { ...order, ...maskMessage(order, own, 'shop') };
}

/** The shop's metadata as it is stored: without card data in names and values. */
export function withoutCardsIn(metadata: Metadata, own: CardSecrets = {}): Metadata {
  return keptNotes.parse(maskMessage(metadata, own, 'anyone'));
}

const keptNotes = z.record(z.string(), z.string());

/**
 * Throws ProblemError `invalid_request` that names every field, except the card's own, with the card number or the
 * security code of the body. The message contains no value.
 */
export function checkOwnCardAlone(body: object & CardSecrets): void {
  const { card, security_code, ...rest } = body;
  if (!card && !security_code) return;
  const own = { card, security_code };
  const texts = everyTextIn(rest);
  const found = texts.filter(([, text]) => holdsOwnCard(text, own)).map(([path]) => path);
  const known = new Map(texts);
  const split = parts.filter((pair) => {
    const isWhole = pair.some((path) => found.includes(path));
    return !isWhole && holdsOwnCard(pair.map((path) => known.get(path) ?? '').join(' '), own);
  });
  const errors = [...found, ...split.map(([first]) => first)].map(
    // A name in a shop's metadata may itself be the card number.
    (path): FieldError => ({
      path: maskText(path, own),
      message: 'must not hold the card number or the security code',
    }),
  );
  if (errors.length > 0) throw invalidFields(errors);
}

/** Every text and number in an object, at any depth, with its dotted path. */
function everyTextIn(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string' || typeof value === 'number') return [[path, String(value)]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => everyTextIn(inner, path ? `${path}.${name}` : name));
}

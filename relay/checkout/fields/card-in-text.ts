import { z } from 'zod';
import { digitRows } from '../../../shared/card-data/digits.ts';
import { type CardSecrets, holdsOwnCard, maskText, mayHoldCard } from '../../../shared/card-data/mask.ts';
import { maskMessage } from '../../../shared/card-data/message.ts';
import type { Metadata } from '../../../shared/checkout/metadata.ts';
import type { FieldError } from '../../../shared/checkout/problem.ts';
import type { Order } from '../../../shared/checkout/session.ts';
import { invalidFields } from '../../base/errors.ts';

/** Pairs of fields that form one text: a card number that was typed as a name is split between them. */
export const splitNames = [
  ['first_name', 'last_name'],
  ['delivery_firstname', 'delivery_lastname'],
] as const;

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
  return metadataTexts.parse(maskMessage(metadata, own, 'anyone'));
}

const metadataTexts = z.record(z.string(), z.string());

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
  const split = splitNames.filter((pair) => {
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

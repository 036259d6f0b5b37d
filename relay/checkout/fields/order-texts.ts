import { type CardSecrets, holdsOwnCard, maskText } from '../../../shared/card-data/mask.ts';
import type { FieldError } from '../../../shared/checkout/problem.ts';
import type { Order } from '../../../shared/checkout/session.ts';
import { ProblemError } from '../../base/errors.ts';
import { parts } from './filled.ts';

/** Fields of an order that hold what somebody wrote: names, addresses and the note. The others identify something. */
const freeTexts = [
  'note',
  'first_name',
  'last_name',
  'billing_city',
  'billing_address',
  'delivery_firstname',
  'delivery_lastname',
  'delivery_city',
  'delivery_address',
  'delivery_district_name',
  'delivery_street_name',
] as const;

/** The order as it is kept: no card data in what somebody wrote, and where the payment's own is known none in `custom` either. */
export function withoutCards<Terms extends Order>(order: Terms, own: CardSecrets = {}): Terms {
  const masked: Partial<Record<(typeof freeTexts)[number] | 'custom', string>> = {};
  for (const field of freeTexts) {
    const text = order[field];
    if (text !== undefined) masked[field] = maskText(text, own);
  }
  const { custom } = order;
  if (custom !== undefined && (own.card || own.security_code)) masked.custom = maskText(custom, own);
  const items = order.items?.map((item) => ({ ...item, name: maskText(item.name, own) }));
  return { ...order, ...masked, ...(items ? { items } : {}) };
}

/**
 * Throws ProblemError `invalid_request` that names every field, but for the card's own, in which the body's card number
 * stands, or its security code as such. What is wrong is told, never the value.
 */
export function checkOwnCardAlone(body: object & CardSecrets): void {
  const { card, security_code, ...rest } = body;
  if (!card && !security_code) return;
  const own = { card, security_code };
  const texts = textsIn(rest);
  const found = texts.filter(([, text]) => holdsOwnCard(text, own)).map(([path]) => path);
  const known = new Map(texts);
  const split = parts.filter((pair) => {
    const isWhole = pair.some((path) => found.includes(path));
    return !isWhole && holdsOwnCard(pair.map((path) => known.get(path) ?? '').join(' '), own);
  });
  const errors = [...found, ...split.map(([first]) => first)].map(
    (path): FieldError => ({ path, message: 'must not hold the card number or the security code' }),
  );
  if (errors.length > 0) throw new ProblemError('invalid_request', 'Correct the fields that are named.', { errors });
}

/** Every text and number in an object, at any depth, by its dotted path. */
function textsIn(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string' || typeof value === 'number') return [[path, String(value)]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, path ? `${path}.${name}` : name));
}

import { type CardSecrets, holdsOwnCard } from '../../../shared/card-data/mask.ts';
import { maskMessage } from '../../../shared/card-data/message.ts';
import type { FieldError } from '../../../shared/checkout/problem.ts';
import type { Order } from '../../../shared/checkout/session.ts';
import { ProblemError } from '../../base/errors.ts';
import { parts } from './filled.ts';

/** The order as it is kept and sent: no card data in what somebody wrote, at any depth. */
export function withoutCards<Terms extends Order>(order: Terms, own: CardSecrets = {}): Terms {
  return { ...order, ...maskMessage(order, own, 'shop') };
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

import metadata from 'libphonenumber-js/min/metadata';
import type { FieldContext, FieldProblem } from '../../../shared/checkout/fields/context.ts';
import { kindOf } from '../../../shared/checkout/fields/kinds.ts';
import { phoneNumber } from '../../../shared/checkout/fields/phone.ts';
import { fieldProblem, fieldValue } from '../../../shared/checkout/fields/problem.ts';
import { isObject } from '../../../shared/checkout/is-object.ts';
import type { FieldError } from '../../../shared/checkout/problem.ts';
import { ProblemError } from '../../base/errors.ts';
import type { Session } from '../../payments/session.ts';
import type { Context } from '../../store/context.ts';
import type { PayBody } from '../message.ts';
import { adviceOn } from './field-advice.ts';
import { parts, shownFields, textsIn } from './filled.ts';

type Clock = Pick<Context, 'now'>;

/**
 * Holds what the shopper typed beside the card against the rules that the form has too. What the order says itself is the
 * shop's word, what is left out is the gateway's business, and of what the form does not ask only a card number is refused.
 * Throws ProblemError `invalid_request`, which names the fields and what to do about each, and never a value.
 */
export function checkFields(clock: Clock, session: Session, body: PayBody): void {
  const context = fieldContext(clock, session, body);
  const isAsked = shownFields(session.terms);
  const errors = textsIn(body).flatMap(([path, text]): FieldError[] => {
    const problem = text ? fieldProblem(path, text, context) : undefined;
    if (!problem || !(isAsked(path) || isCard(problem))) return [];
    return isShops(session, path, text, context) ? [] : [{ path, message: adviceOn(problem) }];
  });
  errors.push(...cardsInTwoParts(body, context));
  if (errors.length > 0) throw new ProblemError('invalid_request', 'Correct the fields that are named.', { errors });
}

/** Card numbers of which a first name has one half and a last name the other. */
function cardsInTwoParts(body: PayBody, context: FieldContext): FieldError[] {
  const texts = new Map(textsIn(body));
  return parts.flatMap(([first, last]): FieldError[] => {
    const halves = [texts.get(first) ?? '', texts.get(last) ?? ''];
    if (halves.some((half) => half && fieldProblem(first, half, context))) return [];
    const problem = fieldProblem(first, halves.join(' '), context);
    return problem ? [{ path: first, message: adviceOn(problem) }] : [];
  });
}

/** Whether it is taken for a card's number. */
function isCard({ key }: FieldProblem): boolean {
  return key === 'card_in_field' || key === 'name_invalid';
}

/** The body with each value that the form asks for as it is sent; the shop's own values stay as the shop wrote them. */
export function writtenFields<Body extends PayBody>(clock: Clock, session: Session, body: Body): Body {
  const context = fieldContext(clock, session, body);
  const isAsked = shownFields(session.terms);
  const written = structuredClone(body);
  rewrite(written, '', (path, text) => {
    if (!isAsked(path)) return text;
    const sent = shopsText(session, path, text, context) ?? fieldValue(path, text, context);
    // Spaces around a text are no reason to send another than came.
    return sent === text.trim() ? text : sent;
  });
  return written;
}

function fieldContext({ now }: Clock, { terms }: Session, body: PayBody): FieldContext {
  const known = [...textsIn(terms.order), ...textsIn(body)].filter(([path, text]) => kindOf(path) && text);
  return {
    values: Object.fromEntries(known),
    currency: terms.order.currency,
    today: now().toISOString().slice(0, 10),
    phones: (text, country) => phoneNumber(text, country, metadata),
    isCallingCode: (digits) => Object.hasOwn(metadata.country_calling_codes, digits),
  };
}

/** Whether the shop said this, here or for a field of the same kind: a delivery may go to the billing address. */
function isShops({ terms }: Session, path: string, text: string, context: FieldContext): boolean {
  const typed = fieldValue(path, text, context);
  return textsIn(terms.order).some(
    ([name, said]) => kindOf(name) === kindOf(path) && (said === text || fieldValue(name, said, context) === typed),
  );
}

/** The order's text of a field, if the shopper left it as it is. */
function shopsText({ terms }: Session, path: string, text: string, context: FieldContext): string | undefined {
  const said = textsIn(terms.order).find(([name]) => name === path)?.[1];
  return said !== undefined && fieldValue(path, said, context) === fieldValue(path, text, context) ? said : undefined;
}

/** Writes every text of a field anew, in the object and in the objects inside it. */
function rewrite(value: object, under: string, write: (path: string, text: string) => string): void {
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const path = `${under}${name}`;
    if (typeof inner === 'string' && kindOf(path)) value[name] = write(path, inner);
    else if (isObject(inner) && !Array.isArray(inner)) rewrite(inner, `${path}.`, write);
  }
}

import type { ChangeDetail } from '../../shared/checkout/frame.ts';
import type { PayByCard } from '../../shared/checkout/pay.ts';
import type { PaymentMethod } from '../../shared/checkout/session.ts';
import type { MessageKey } from '../locales/messages.ts';
import type { Brand } from './card/brand.ts';
import { certainBrand } from './card/brands.ts';
import { type Code, codeOf, codeProblem } from './card/code.ts';
import { digitsOf } from './card/digits.ts';
import { expiryProblem } from './card/expiry.ts';
import { numberProblem } from './card/number.ts';
import { chosenMethod, type State, type Told, type View } from './state.ts';

/** The fields of a payment that `collect` may ask for. */
export type CollectedName = Extract<
  keyof PayByCard,
  'shopper_email' | 'shopper_phone' | 'document' | 'birth_date' | `billing_${string}` | `delivery_${string}`
>;

/** A field beside the card's own. */
export type ExtraField = {
  /** Where its value goes in the request: a name, or a dotted path. */
  name: string;
  label: MessageKey | { text: string };
  kind: 'text' | 'email' | 'tel' | 'date' | 'country' | 'choice';
  /** An exact token of the HTML standard. */
  autocomplete: string;
  optional: boolean;
  /** What is wrong with a value, if anything. */
  problem(value: string): Told | undefined;
  choices?: readonly { code: string; name: string }[];
};

/** Finds the fields beside the card's that a method asks for. */
export type FindExtraFields = (view: View, method: PaymentMethod | undefined) => ExtraField[];

/** What fields are measured by: those beside the card's, and the time. */
export type Rules = { extra: readonly ExtraField[]; now: Date };

/** The names of the fields that are to be filled in now, in the order in which they stand. */
export function fieldNames(state: State, extra: readonly ExtraField[]): string[] {
  return [...cardFieldNames(state), ...extra.map((field) => field.name)];
}

/** What is wrong with a field's value, if anything. */
export function problemOf(name: string, state: State, rules: Rules): Told | undefined {
  const value = (state.values[name] ?? '').trim();
  const field = rules.extra.find((candidate) => candidate.name === name);
  if (field) return field.problem(value);
  const key = cardProblem(name, value, state, rules);
  if (key !== 'code_invalid') return key && { key };
  const { size, certain } = expectedCode(state);
  return { key, values: { digits: certain ? String(size) : '3–4' } };
}

/** The brand of the card that is typed, once it is certain. */
export function typedBrand(state: State): Brand | undefined {
  return certainBrand(digitsOf(state.values.card ?? ''));
}

/** The security code that the card in question has. A saved card tells its brand by name only, so its code is not certain. */
export function expectedCode(state: State): Code {
  return codeOf(state.token ? undefined : typedBrand(state));
}

/** What the shop's page may know of what was typed: nothing of the card but its brand. */
export function changeDetail(state: State, rules: Rules): ChangeDetail {
  const complete = fieldNames(state, rules.extra).every((name) => !problemOf(name, state, rules));
  const method = chosenMethod(state);
  if (method?.type === 'apm') return { complete, payment_method: method.payment_method };
  const brand = state.token ? undefined : typedBrand(state)?.id;
  return { complete, payment_method: 'card', ...(brand && { brand }) };
}

/** A date input's `YYYY-MM-DD` as the gateway writes birth dates, `DD-MM-YYYY` (§2.1); its own inverse. */
export function dayFirst(date: string): string {
  return date.split('-').reverse().join('-');
}

/** Whether a name holds so many digits that it must be a card number in the wrong field. */
export function looksLikeCard(name: string): boolean {
  return digitsOf(name).length >= 12;
}

function cardFieldNames(state: State): string[] {
  if (state.method !== 'card') return [];
  return state.token ? ['security_code'] : ['card', 'expiry', 'security_code', 'name'];
}

function cardProblem(name: string, value: string, state: State, { now }: Rules): MessageKey | undefined {
  switch (name) {
    case 'card':
      return numberProblem(value);
    case 'expiry':
      return expiryProblem(value, now);
    case 'security_code':
      return codeProblem(value, expectedCode(state));
    default:
      return value ? (looksLikeCard(value) ? 'name_invalid' : undefined) : 'name_missing';
  }
}

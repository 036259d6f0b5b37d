import { digitsOf } from '../../shared/checkout/fields/digits.ts';
import type { ChangeDetail } from '../../shared/checkout/frame.ts';
import type { MessageKey } from '../locales/messages.ts';
import { type Brand, certainBrand } from './card/brands.ts';
import { expiryProblem } from './card/expiry.ts';
import { type Code, codeOf, codeProblem, numberProblem } from './card/number.ts';
import type { Format } from './card/retype.ts';
import { chosenMethod, type Message, type State } from './state.ts';

/** A field beside the card's own. */
export type ExtraField = {
  /** Where its value goes in the request: a name, or a dotted path. */
  name: string;
  label: MessageKey | { text: string };
  kind: 'text' | 'email' | 'tel' | 'date' | 'country' | 'choice' | 'file';
  inputMode?: 'numeric' | 'decimal' | 'url';
  /** How it is shown while it is typed. */
  format?: Format;
  /** An exact token of the HTML standard. */
  autocomplete: string;
  optional: boolean;
  /** What is wrong with a value, if anything. */
  problem(value: string): Message | undefined;
  choices?: readonly { code: string; name: string }[];
};

/** What fields are measured by: those beside the card's, and the time. */
export type FormRules = { extra: readonly ExtraField[]; now: Date };

/** The names of the fields that are to be filled in now, in the order in which they stand. */
export function fieldNames(state: State, extra: readonly ExtraField[]): string[] {
  return [...cardFieldNames(state), ...extra.map((field) => field.name)];
}

/** What is wrong with a field's value, if anything. */
export function problemOf(name: string, state: State, rules: FormRules): Message | undefined {
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
export function changeDetail(state: State, rules: FormRules): ChangeDetail {
  const complete = fieldNames(state, rules.extra).every((name) => !problemOf(name, state, rules));
  const method = chosenMethod(state);
  if (method?.type === 'apm') return { complete, payment_method: method.payment_method };
  const brand = state.token ? undefined : typedBrand(state)?.id;
  return { complete, payment_method: 'card', ...(brand && { brand }) };
}

function cardFieldNames(state: State): string[] {
  if (state.method !== 'card') return [];
  return state.token ? ['security_code'] : ['card', 'expiry', 'security_code', 'name'];
}

function cardProblem(name: string, value: string, state: State, { now }: FormRules): MessageKey | undefined {
  switch (name) {
    case 'card':
      return numberProblem(value);
    case 'expiry':
      return expiryProblem(value, now);
    case 'security_code':
      return codeProblem(value, expectedCode(state));
    default:
      return value ? (numberProblem(value) ? undefined : 'name_invalid') : 'name_missing';
  }
}

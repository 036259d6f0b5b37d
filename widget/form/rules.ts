import type { ChangeDetail } from '../../shared/checkout/frame.ts';
import type { MessageKey } from '../locales/messages.ts';
import { codeProblem, expiryProblem, numberProblem } from './card/problems.ts';
import { type ExtraField, expectedCode, typedBrand } from './fields.ts';
import { chosenMethod, type Message, type State } from './state.ts';

/** The inputs of the field rules: the rules of the fields besides the card's, and the time. */
export type FormRules = { extra: readonly ExtraField[]; now: Date };

/** The names of the fields that must be filled in now, in display order. */
export function fieldNames(state: State, extra: readonly ExtraField[]): string[] {
  return [...cardFieldNames(state), ...extra.map((field) => field.name)];
}

/** The fault of a field's value, if there is one. */
export function problemOf(name: string, state: State, rules: FormRules): Message | undefined {
  const value = (state.values[name] ?? '').trim();
  const field = rules.extra.find((candidate) => candidate.name === name);
  if (field) return field.problem(value);
  const key = cardProblem(name, value, state, rules);
  if (key !== 'code_invalid') return key && { key };
  const { size, certain } = expectedCode(state);
  return { key, values: { digits: certain ? String(size) : '3–4' } };
}

/** The invalid fields in display order. */
export function problemsOf(state: State, rules: FormRules): [name: string, Message][] {
  return fieldNames(state, rules.extra).flatMap((name): [string, Message][] => {
    const problem = problemOf(name, state, rules);
    return problem ? [[name, problem]] : [];
  });
}

/** The data about the input that the shop's page may have: of the card only its brand. */
export function changeDetail(state: State, rules: FormRules): ChangeDetail {
  const complete = problemsOf(state, rules).length === 0;
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

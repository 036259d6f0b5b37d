import type { FieldContext } from '../../../shared/checkout/fields/context.ts';
import { documentRuleOf } from '../../../shared/checkout/fields/document/document.ts';
import { chosenMethod, type State } from '../state.ts';
import { addressPart, ruleOf } from './address/address.ts';
import { alike } from './alike.ts';
import type { GroupedField } from './catalogue.ts';
import { FILE, FILE_URL } from './document/file-paths.ts';
import { isDocument } from './formats.ts';

/** What is special about a field here and now: by the country, or by what else is asked. */
export function peculiar(
  name: string,
  state: State,
  asked: ReadonlySet<string>,
  context: FieldContext,
): Partial<GroupedField> {
  if (name === FILE_URL && asked.has(FILE)) return { optional: true };
  const optional = alike(name, asked) ? { optional: true } : {};
  if (name === 'bank_code') return bankChoice(state);
  if (isDocument(name)) return { ...documentOf(name, context), ...optional };
  switch (addressPart(name)?.part) {
    case 'postal_code':
      return postalCode(name, context);
    case 'state':
      return stateOf(name, context);
    default:
      return optional;
  }
}

function bankChoice(state: State): Partial<GroupedField> {
  const method = chosenMethod(state);
  const banks = method?.type === 'apm' ? method.banks : undefined;
  return banks?.length ? { group: 'bank', label: 'bank', kind: 'choice', choices: banks } : {};
}

/** Identity documents are called by the names that they have in their country; the account holder's may be another one's. */
function documentOf(name: string, context: FieldContext): Partial<GroupedField> {
  const rule = documentRuleOf(name, context);
  if (!rule) return {};
  const numeric = rule.numeric ? ({ inputMode: 'numeric' } as const) : {};
  return name.includes('owner') ? numeric : { label: { text: rule.name }, ...numeric };
}

function postalCode(name: string, context: FieldContext): Partial<GroupedField> {
  const rule = ruleOf(name, context).postalCode;
  if (!rule) return { optional: true };
  return { label: rule.label, optional: !rule.required, ...(rule.numeric && { inputMode: 'numeric' }) };
}

function stateOf(name: string, context: FieldContext): Partial<GroupedField> {
  const rule = ruleOf(name, context).state;
  if (!rule) return { optional: true };
  const own = { label: rule.label, optional: !rule.required };
  if (!rule.options) return own;
  const choices = rule.options.map(([code, label]) => ({ code, name: label }));
  const held = context.values[name];
  // What the shop or a browser filled in and the list does not know may still be right.
  if (held && choices.every(({ code }) => code !== held)) choices.unshift({ code: held, name: held });
  return { ...own, kind: 'choice', choices };
}

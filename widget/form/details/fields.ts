import type { FieldContext } from '../../../shared/checkout/fields/context.ts';
import { fieldProblem } from '../../../shared/checkout/fields/problem.ts';
import type { ExtraField } from '../fields.ts';
import type { CheckoutModel } from '../model.ts';
import type { Message, State, View } from '../state.ts';
import { addressPart, placeOf } from './address/address.ts';
import { isRepetition } from './address/delivery.ts';
import { alike } from './alike.ts';
import { applies, askedPaths } from './asked.ts';
import { catalogue, type GroupedField, type GroupName } from './catalogue.ts';
import { contextOf } from './context.ts';
import { FILE, FILE_TYPE } from './document/file-paths.ts';
import { formatOf } from './formats.ts';
import { peculiar } from './peculiar.ts';
import { homeOf, phoneContext } from './phone/phone.ts';

const GROUPS: readonly GroupName[] = ['bank', 'contact', 'billing', 'delivery', 'address', 'bank_account'];

/** All fields beside the card's that are to be filled in now, in the order in which they stand. */
export function findFields(checkout: CheckoutModel): GroupedField[] {
  const { state } = checkout;
  const asked = askedPaths(state);
  const context = contextOf(checkout);
  const places = [...catalogue.keys()];
  const placed = [...catalogue].flatMap(([name, entry], index) => {
    if (!asked.has(name) || !isShown(name, state, asked, context)) return [];
    const own = { name, ...entry, ...peculiar(name, state, asked, context), format: formatOf(name, context) };
    const repeats = alike(name, asked) !== undefined;
    const problem = (value: string) =>
      repeats && !value ? undefined : problemOf(own, value, context, state.view.prefill);
    const field: GroupedField = { ...own, problem };
    const place = addressPart(name) ? placeOf(name, context) * places.length + index : index;
    return [{ field, place: GROUPS.indexOf(field.group) * places.length ** 2 + place }];
  });
  return placed.sort((one, other) => one.place - other.place).map(({ field }) => field);
}

/** Whether a path that is asked for has a field of its own: what is known otherwise is not asked. */
function isShown(path: string, state: State, asked: ReadonlySet<string>, context: FieldContext): boolean {
  if (path === FILE_TYPE && asked.has(FILE)) return false;
  return applies(path, state, context) && !isRepetition(path, state, asked);
}

function problemOf(
  field: Omit<ExtraField, 'problem'>,
  value: string,
  context: FieldContext,
  prefill: View['prefill'],
): Message | undefined {
  const { name, kind, optional, choices = [] } = field;
  // A state that the shop knows by its name is held by its code.
  const held = kind === 'choice' ? (context.values[name] ?? '') : value || (context.values[name] ?? '');
  const chosen = kind === 'choice' || kind === 'country';
  if (!held) return optional ? undefined : { key: chosen ? 'choice_missing' : 'field_missing' };
  if (name === 'bank_code' && kind === 'choice' && !choices.some(({ code }) => code === held)) {
    return { key: 'bank_unknown' };
  }
  if (kind === 'file' || isShopsState(name, held, prefill)) return undefined;
  if (kind !== 'tel') return fieldProblem(name, held, context);
  // Without its calling code nobody could call it.
  if (!/^\s*(\+|00)/.test(held) && !homeOf(name, context)) return { key: 'choice_missing' };
  return fieldProblem(name, held, phoneContext(name, held, context));
}

/** Whether it is a state as the session came with it, here or in another address: a list may not know what is right all the same. */
function isShopsState(path: string, held: string, prefill: View['prefill'] = {}): boolean {
  const isState = (name: string) => addressPart(name)?.part === 'state';
  return isState(path) && Object.entries(prefill).some(([name, said]) => isState(name) && said.trim() === held.trim());
}

import { fieldNames } from '../../../shared/gateway/field-names.ts';
import { maskText } from './mask-text.ts';

/** What stands for a name that could be anything, a card number or a security code too. */
export const NO_FIELD = '(a name that is no field)';

/** A field's name as it may be repeated: as it is when the interface has it, or when it can be nothing but a name. */
export function shownName(name: string): string {
  const plain = fieldNames.has(name) || (/^[a-z0-9_]{1,64}$/.test(name) && maskText(name) === name);
  return plain ? name : NO_FIELD;
}

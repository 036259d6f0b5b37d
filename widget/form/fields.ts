import { digitsOf } from '../../shared/checkout/fields/digits.ts';
import type { MessageKey } from '../locales/messages.ts';
import { type Brand, certainBrand } from './card/brands.ts';
import { type Code, codeOf } from './card/number.ts';
import type { Format } from './card/retype.ts';
import type { Message, State } from './state.ts';

/** A field besides the card's own. */
export type ExtraField = {
  /** The place of its value in the request: a name, or a dotted path. */
  name: string;
  label: MessageKey | { text: string };
  kind: 'text' | 'email' | 'tel' | 'date' | 'country' | 'choice' | 'file';
  inputMode?: 'numeric' | 'decimal' | 'url';
  /** The format while it is typed. */
  format?: Format;
  /** An exact token of the HTML standard. */
  autocomplete: string;
  optional: boolean;
  /** The fault of a value, if there is one. */
  problem(value: string): Message | undefined;
  choices?: readonly { code: string; name: string }[];
};

/** The brand of the typed card, once it is certain. */
export function typedBrand(state: State): Brand | undefined {
  return certainBrand(digitsOf(state.values.card ?? ''));
}

/** The expected security code. A saved card has only the name of its brand, so its code is not certain. */
export function expectedCode(state: State): Code {
  return codeOf(state.token ? undefined : typedBrand(state));
}

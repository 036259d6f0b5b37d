import type { FieldContext } from './context.ts';
import { countryOf } from './country.ts';
import { latin } from './digits.ts';
import { known } from './known.ts';

export type DocumentProblem = 'document_incomplete' | 'document_invalid';

/** A country's identity and tax numbers. */
export type DocumentRule = {
  /** What it is called there, in no language: `CPF / CNPJ`. */
  name: string;
  /** Whether it is made of digits alone, so that a phone may show those alone. */
  numeric: boolean;
  /** What is wrong with a number, however it is written, if anything. */
  problem(value: string): DocumentProblem | undefined;
  /** The number as it is sent: digits and capital letters alone. */
  compact(value: string): string;
  /** The number as it is written there, as far as it is typed. */
  format(value: string): string;
};

/** The rule of a country's (two letters) documents; undefined where we know none, and any text may be right. */
export function documentRule(country: string | undefined): DocumentRule | undefined {
  const { documents } = known;
  const own = country && Object.hasOwn(documents, country) ? documents[country] : undefined;
  if (!own) return undefined;
  const { name, numeric = false, keeps = '', kinds, longest, format } = own;
  const others = new RegExp(`[^\\dA-Z${keeps}]`, 'g');
  const compact = (value: string): string => latin(value).normalize('NFKC').toUpperCase().replace(others, '');
  return {
    name,
    numeric,
    compact,
    format: (value) => format?.(compact(value)) ?? compact(value),
    problem(value) {
      const number = compact(value);
      const fitting = kinds.filter(({ shape }) => shape.test(number));
      if (fitting.length === 0) return number.length < longest ? 'document_incomplete' : 'document_invalid';
      return fitting.some(({ accepts }) => accepts?.(number) ?? true) ? undefined : 'document_invalid';
    },
  };
}

/** The rule that a document's field is under. One of another `document_type` than the country's usual ones is under none. */
export function documentRuleOf(path: string, context: FieldContext): DocumentRule | undefined {
  const rule = documentRule(countryOf(path, context));
  const type =
    path === 'person.document_number' ? context.values['person.document_type']?.trim().toUpperCase() : undefined;
  return rule && (!type || rule.name.toUpperCase().split(' / ').includes(type)) ? rule : undefined;
}

import { countryOf, statedCountry } from '../address/country.ts';
import type { FieldContext } from '../context.ts';
import { latin } from '../digits.ts';
import type { Documents } from './documents.ts';

type DocumentProblem = 'document_incomplete' | 'document_invalid';

/** A country's identity and tax numbers. */
export type DocumentRule = {
  /** Its name in the country, the same in all languages: `CPF / CNPJ`. */
  name: string;
  /** Whether it has only digits, so that a phone may show a numeric keyboard. */
  numeric: boolean;
  /** Whether a number looks like one of these, its check digits apart. */
  fits(value: string): boolean;
  /** The fault of a number in any notation, if it has one. */
  problem(value: string): DocumentProblem | undefined;
  /** The number as it is sent: only digits and capital letters. */
  compact(value: string): string;
  /** The number in the country's notation, as far as it is typed. */
  format(value: string): string;
};

/** Characters that are no part of a number. */
const OTHERS = /[^\dA-Z]/g;

/** Letters before a number, set apart from it by a colon or a space. */
const LABELLED = /^([^:]*:|\s*\p{L}[\p{L}.]*\s)\s*(?:N[O°]?\.?\s+)?(.+)$/u;

/** Names that no other country's documents have: a `CC` is Colombian and Portuguese. */
const UNMISTAKABLE: readonly string[] = ['CNPJ', 'CPF', 'CUIT', 'CURP', 'RFC'];

/** Which of the country's documents a person's number is of. */
const DOCUMENT_TYPE = 'person.document_type';

/** A passport's number (ICAO Doc 9303): of letters and digits, or of seven to nine digits, as in Britain and the United States, not all of them one. */
const PASSPORT = /^(?:(?=.*[A-Z])(?=.*\d)[A-Z\d]{6,9}|(?!(\d)\1+$)\d{7,9})$/;

/** Whether a number belongs to no person: zeros alone, with the letters of a passport or so. In a CNPJ of letters they may be right. */
function isNothing(number: string): boolean {
  return /^[A-Z]{0,2}0+[A-Z]{0,2}$/i.test(number.replace(/[^A-Z\d]/gi, ''));
}

/**
 * The rule of a country's (two letters) documents, or of the `type` of them alone; undefined if we know none, and any text
 * may be right.
 */
export function documentRule(
  documents: Documents,
  country: string | undefined,
  type?: string,
): DocumentRule | undefined {
  const own = country && Object.hasOwn(documents, country) ? documents[country] : undefined;
  if (!own) return undefined;
  const { name, numeric = false, others = OTHERS, longest, format } = own;
  const kinds = own.kinds.filter(({ of }) => !type || !of || of === type);
  const isWhole = (number: string): boolean => kinds.some(({ shape }) => shape.test(number));
  const compact = (value: string): string => {
    const text = latin(value).normalize('NFKC').toUpperCase();
    const number = text.replace(others, '');
    // `CPF: 529.982.247-25` says what it is. Letters may be a part of the number too, such as an RFC's.
    const [, sign = '', rest = ''] = LABELLED.exec(text) ?? [];
    const bare = rest.replace(others, '');
    const isLabel = sign.endsWith(':') || namesOf(name).includes(sign.replace(/[\s.]/g, '')) || !isWhole(number);
    return rest && isLabel && isWhole(bare) ? bare : number;
  };
  return {
    name,
    numeric,
    compact,
    fits: (value) => isWhole(compact(value)),
    format: (value) => format?.(compact(value)) ?? compact(value),
    problem(value) {
      const number = compact(value);
      const fitting = kinds.filter(({ shape }) => shape.test(number));
      if (fitting.length === 0) return number.length < longest ? 'document_incomplete' : 'document_invalid';
      return !isNothing(number) && fitting.some(({ accepts }) => accepts?.(number) ?? true)
        ? undefined
        : 'document_invalid';
    },
  };
}

/**
 * The rule that a document's field is under: that of its `document_type`, which may be another country's. One of a type that
 * we do not know is under none.
 */
export function documentRuleOf(path: string, context: FieldContext): DocumentRule | undefined {
  const country = countryOf(path, context);
  const type = typeOf(path, context);
  const { documents = {} } = context;
  return type
    ? documentRule(documents, countryOfType(documents, type, country), type)
    : documentRule(documents, country);
}

/**
 * What is wrong with the number in a document's field, if anything. People keep the number of the country whose money is paid
 * with wherever they live. If only the currency shows the country, it may be a foreigner's passport.
 */
export function documentProblem(path: string, number: string, context: FieldContext): DocumentProblem | undefined {
  const rule = documentRuleOf(path, context);
  if (!rule) return isNothing(number) ? 'document_invalid' : undefined;
  const { [DOCUMENT_TYPE]: type = '' } = context.values;
  const home = documentRuleOf(path, { ...context, values: { [DOCUMENT_TYPE]: type } });
  if (home && home.problem(number) === undefined) return undefined;
  const isGuessed = !typeOf(path, context) && !statedCountry(path, context);
  const isPassport = isGuessed && !rule.fits(number) && !isNothing(number) && PASSPORT.test(rule.compact(number));
  return isPassport ? undefined : rule.problem(number);
}

/** The type that the shop or the shopper set for the document at this path. */
function typeOf(path: string, { values }: FieldContext): string | undefined {
  return path === 'person.document_number' ? values[DOCUMENT_TYPE]?.trim().toUpperCase() : undefined;
}

/** The country of a document with this name: the most likely country, or the only one that has it. */
function countryOfType(documents: Documents, type: string, likeliest: string | undefined): string | undefined {
  const countries = Object.entries(documents).flatMap(([country, { name }]) =>
    namesOf(name).includes(type) ? country : [],
  );
  return countries.find((country) => country === likeliest || UNMISTAKABLE.includes(type));
}

/** The names of a country's documents: `CPF / CNPJ` are two. */
function namesOf(name: string): string[] {
  return name.toUpperCase().split(' / ');
}

import { countryOf, statedCountry } from '../address/country.ts';
import type { FieldContext } from '../context.ts';
import { latin } from '../digits.ts';
import type { Documents } from './documents.ts';

type DocumentProblem = 'document_incomplete' | 'document_invalid';

/** The rule of a country's identity and tax numbers. */
export type DocumentRule = {
  /** Its name in the country, equal in all languages: `CPF / CNPJ`. */
  name: string;
  /** Whether it contains only digits, so that a phone may show a numeric keyboard. */
  numeric: boolean;
  /** Whether a number has the form of one of these documents; its check digits are ignored. */
  fits(value: string): boolean;
  /** The fault of a number in any notation, if there is one. */
  problem(value: string): DocumentProblem | undefined;
  /** The number as it is sent: digits and capital letters only. */
  compact(value: string): string;
  /** The number in the country's notation, as far as it is typed. */
  format(value: string): string;
};

/** Characters that do not belong to a number. */
const OTHERS = /[^\dA-Z]/g;

/** A label before a number, with a colon or a space after it. */
const LABELLED = /^([^:]*:|\s*\p{L}[\p{L}.]*\s)\s*(?:N[O°]?\.?\s+)?(.+)$/u;

/** Document names that only one country uses. Others are ambiguous: a `CC` is Colombian and Portuguese. */
const UNMISTAKABLE: readonly string[] = ['CNPJ', 'CPF', 'CUIT', 'CURP', 'RFC'];

/** The field with the type of a person's document. */
const DOCUMENT_TYPE = 'person.document_type';

/**
 * The number of a passport (ICAO Doc 9303): letters and digits, or seven to nine digits as in Britain and the United
 * States, which are not all equal.
 */
const PASSPORT = /^(?:(?=.*[A-Z])(?=.*\d)[A-Z\d]{6,9}|(?!(\d)\1+$)\d{7,9})$/;

/**
 * Whether a number consists of zeros, possibly with letters as in a passport's number. In a CNPJ with letters such a
 * number may be valid.
 */
function isNothing(number: string): boolean {
  return /^[A-Z]{0,2}0+[A-Z]{0,2}$/i.test(number.replace(/[^A-Z\d]/gi, ''));
}

/**
 * The rule of a country's (two letters) documents, or of those of one `type`; undefined for an unknown country or type,
 * whose numbers are not checked.
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
    // `CPF: 529.982.247-25` begins with a label. Letters may also be a part of the number, such as an RFC's.
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
 * The rule of a document's field: the one for its `document_type`, which may be another country's. An unknown type has
 * no rule.
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
 * The fault of the number in a document's field, if there is one. People keep the number of the country with the
 * order's currency wherever they live. If only the currency shows the country, the number may be a foreigner's
 * passport.
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

/** The type of the document at this path, as the shop or the shopper set it. */
function typeOf(path: string, { values }: FieldContext): string | undefined {
  return path === 'person.document_number' ? values[DOCUMENT_TYPE]?.trim().toUpperCase() : undefined;
}

/** The country whose document has this name: the most likely country, or the only one that has it. */
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

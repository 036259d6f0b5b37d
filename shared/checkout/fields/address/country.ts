import type { FieldContext } from '../context.ts';

/** Currencies of a single country. Others, such as the dollar and the euro, do not show where a shopper lives. */
const COUNTRIES_BY_CURRENCY =
  'AED:AE ARS:AR AUD:AU BOB:BO BRL:BR CAD:CA CLP:CL CNY:CN COP:CO CRC:CR CZK:CZ DKK:DK DOP:DO EGP:EG GBP:GB GTQ:GT HKD:HK HNL:HN HUF:HU IDR:ID ILS:IL INR:IN JPY:JP KRW:KR KZT:KZ MAD:MA MXN:MX MYR:MY NGN:NG NIO:NI NOK:NO NZD:NZ PEN:PE PHP:PH PKR:PK PLN:PL PYG:PY QAR:QA RON:RO RSD:RS RUB:RU SAR:SA SEK:SE SGD:SG THB:TH TRY:TR TWD:TW UAH:UA UYU:UY VES:VE VND:VN ZAR:ZA';

const PERSON = ['person.fiscal_country', 'person.address_country'];
const ELSEWHERE = ['billing_country', ...PERSON, 'delivery_country'];

/** Fields by the prefix of their paths, and the paths of their countries: the first known country counts. */
const COUNTRIES: readonly (readonly [start: string, countries: readonly string[]])[] = [
  ['billing_', ['billing_country']],
  ['delivery_', ['delivery_country']],
  ['person.address_', ['person.address_country']],
  [
    'person.documents.labels.bank_account.',
    ['person.documents.labels.bank_account.branch_country', ...PERSON, ...ELSEWHERE],
  ],
  ['person.', [...PERSON, ...ELSEWHERE]],
  ['', ELSEWHERE],
];

/**
 * The country (ISO 3166-1, two letters) whose rules apply to a field. For a field of an address it is the address's
 * country; for a phone or a document it is the most likely one: an address's country, otherwise the only country with
 * the order's currency.
 */
export function countryOf(path: string, context: Pick<FieldContext, 'values' | 'currency'>): string | undefined {
  const stated = statedCountry(path, context);
  if (stated || countriesFor(path)?.[0].endsWith('_')) return stated;
  // Every currency code has three letters.
  const at = COUNTRIES_BY_CURRENCY.indexOf(`${context.currency}:`) + 4;
  return at > 3 ? COUNTRIES_BY_CURRENCY.slice(at, at + 2) : undefined;
}

/** The stated country of a field: `countryOf` without the currency. */
export function statedCountry(path: string, { values }: Pick<FieldContext, 'values'>): string | undefined {
  const [, countries = []] = countriesFor(path) ?? [];
  return countries.map((name) => values[name]?.trim().toUpperCase()).find(Boolean);
}

function countriesFor(path: string): (typeof COUNTRIES)[number] | undefined {
  return COUNTRIES.find(([start]) => path.startsWith(start));
}

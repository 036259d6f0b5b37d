import { INHABITED } from '../../../shared/checkout/fields/country-codes.ts';

export type Country = { code: string; name: string };

const lists = new Map<string, readonly Country[]>();

/** The countries' two-letter codes (ISO 3166-1) with their names in a locale, in its order. */
export function countries(locale: string): readonly Country[] {
  const known = lists.get(locale);
  if (known) return known;
  const { compare } = new Intl.Collator(locale);
  const list = INHABITED.split(' ')
    .map((code) => ({ code, name: countryName(code, locale) }))
    .sort((left, right) => compare(left.name, right.name));
  lists.set(locale, list);
  return list;
}

/** A country's name in a locale; its code where it has none. */
export function countryName(code: string, locale: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code;
}

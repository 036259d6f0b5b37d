import { INHABITED } from '../../../../shared/checkout/fields/address/country-codes.ts';
import { remembered } from '../../../../shared/checkout/remembered.ts';

export type Country = { code: string; name: string };

/** The countries' two-letter codes (ISO 3166-1) with their names in a locale, in its order. */
export const countries = remembered((locale: string): readonly Country[] => {
  const { compare } = new Intl.Collator(locale);
  return INHABITED.split(' ')
    .map((code) => ({ code, name: countryName(code, locale) }))
    .sort((left, right) => compare(left.name, right.name));
});

/** A country's name in a locale; its code where it has none. */
export function countryName(code: string, locale: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return displayNames(locale).of(code) ?? code;
}

const displayNames = remembered((locale: string) => new Intl.DisplayNames([locale], { type: 'region' }));

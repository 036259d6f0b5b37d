import { AsYouType, type CountryCode, getCountries, type MetadataJson } from 'libphonenumber-js/core';
import { latin } from '../../../../shared/checkout/fields/digits.ts';

export { phoneNumber } from '../../../../shared/checkout/fields/phone/phone.ts';

/** A number as it is written in its country, as far as it is typed. */
export function written(text: string, country: string, metadata: MetadataJson): string {
  return new AsYouType(known(country, metadata), metadata).input(latin(text));
}

/** A whole number with its calling code as it is written at home, and whose it is; undefined while it is not whole. */
export function atHome(text: string, metadata: MetadataJson): { country: string; text: string } | undefined {
  const typing = new AsYouType(undefined, metadata);
  typing.input(text);
  const number = typing.getNumber();
  return number?.country && number.isValid() ? { country: number.country, text: number.formatNational() } : undefined;
}

function known(country: string, metadata: MetadataJson): CountryCode | undefined {
  return getCountries(metadata).find((code) => code === country);
}

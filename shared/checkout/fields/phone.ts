import { getCountries, type MetadataJson, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import { latin } from './digits.ts';

/**
 * A telephone number in E.164 (`+5511987654321`); undefined for what cannot be one by its length. `country` (two letters) is
 * whose numbers need no `+` and calling code. Which numbers a country has given out is not asked: it gives out new ones.
 */
export function phoneNumber(text: string, country: string | undefined, metadata: MetadataJson): string | undefined {
  const home = getCountries(metadata).find((code) => code === country);
  const options = { ...(home && { defaultCountry: home }), extract: false };
  const typed = latin(text).trim();
  const number = parsePhoneNumberFromString(home ? typed : typed.replace(/^00/, '+'), options, metadata);
  return number?.isPossible() ? number.number : undefined;
}

import { AsYouType, type CountryCode, type MetadataJson, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import { latin } from '../digits.ts';

/**
 * The minimum digits of people's numbers after these calling codes. libphonenumber also accepts shorter ones, which
 * belong to services: a person with such a number left out the area code.
 */
const MIN_LENGTHS = new Map(
  '1:10 31:9 44:9 46:7 47:8 48:7 49:5 55:10 61:9 64:8 81:9 84:9 90:10 91:10 92:9 98:6 233:9 237:9 263:9 355:8 375:9 381:7 385:8 386:8 503:8 595:7 598:8 689:8 852:8 853:8 886:8 965:8 968:8 971:8 972:8 974:8'
    .split(' ')
    .map((entry) => entry.split(':'))
    .map(([code = '', least]) => [code, Number(least)]),
);

/**
 * Prefixes of Mexican numbers that are not used since 2019, as in WhatsApp: `+52 1 55 1234 5678`, `044 55 1234 5678`.
 */
const OLD_MEXICAN = /^(?:0?1|04[45])(?=\d{10}$)/;
/** The beginnings of numbers without an area code, or with a missing digit: no area code begins this way. */
const NO_AREA: Readonly<Record<string, RegExp>> = { 52: /^[01]/, 54: /^15/ };

/**
 * A telephone number in E.164 (`+5511987654321`); undefined for a text that by its length cannot be one. Numbers of
 * `country` (two letters) need no `+` and calling code. Whether a country has issued a number is not checked, because
 * it issues new ones.
 */
export function phoneNumber(text: string, country: string | undefined, metadata: MetadataJson): string | undefined {
  const home = isKnown(country, metadata) ? country : undefined;
  const options = { ...(home && { defaultCountry: home }), extract: false };
  const typed = latin(text).trim();
  const number = parsePhoneNumberFromString(home ? typed : typed.replace(/^00/, '+'), options, metadata);
  if (!number) return undefined;
  const { countryCallingCode: code, nationalNumber: own } = number;
  if (code === '52' && OLD_MEXICAN.test(own)) return `+52${own.replace(OLD_MEXICAN, '')}`;
  if (own.length < (MIN_LENGTHS.get(code) ?? 0) || NO_AREA[code]?.test(own)) return undefined;
  return number.isPossible() ? number.number : undefined;
}

/** A number in the notation of its country, as far as it is typed. */
export function formatPhone(text: string, country: string, metadata: MetadataJson): string {
  return new AsYouType(isKnown(country, metadata) ? country : undefined, metadata).input(latin(text));
}

/**
 * The national notation of a complete number with a calling code, and its country; undefined while it is not complete.
 */
export function nationalPhone(text: string, metadata: MetadataJson): { country: string; text: string } | undefined {
  const typing = new AsYouType(undefined, metadata);
  typing.input(text);
  const number = typing.getNumber();
  return number?.country && number.isValid() ? { country: number.country, text: number.formatNational() } : undefined;
}

function isKnown(country: string | undefined, { countries }: MetadataJson): country is CountryCode {
  return country !== undefined && Object.hasOwn(countries, country);
}

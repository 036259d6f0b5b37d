import type { MetadataJson } from 'libphonenumber-js/core';
import type { FieldContext } from '../../../../shared/checkout/fields/context.ts';
import { latin } from '../../../../shared/checkout/fields/digits.ts';
import { callingCode } from './codes.ts';
import { zones } from './zones.ts';

/** What of the world's telephone numbers has been loaded: nothing at first, and only what was typed needs. */
let library: typeof import('./library.ts') | undefined;
const known: MetadataJson = { version: 4, country_calling_codes: {}, countries: {}, nonGeographic: {} };
const loaded = new Set<string>();

/** Loads what a number typed in this country needs. Whether anything is known now that was not before. Never fails. */
export async function loadPhones(text: string, country: string | undefined): Promise<boolean> {
  const zone = zoneOf(text, country);
  const load = zones[zone];
  if (!load || loaded.has(zone)) return false;
  try {
    const [part, module] = await Promise.all([load(), import('./library.ts')]);
    Object.assign(known.country_calling_codes, part.zone.country_calling_codes);
    Object.assign(known.countries, part.zone.countries);
    library = module;
    loaded.add(zone);
    return true;
  } catch {
    // Until it can be had every number is taken: it is checked once more where it arrives.
    return false;
  }
}

/** Reads numbers, if what is known is enough for this one. */
export function phonesFor(text: string, country: string | undefined): Pick<FieldContext, 'phones'> {
  const lib = library;
  if (!lib || !loaded.has(zoneOf(text, country))) return {};
  return { phones: (number, home) => lib.phoneNumber(number, home, known) };
}

/** A number as people write it, as far as it is typed; what is no part of a number is left out. */
export function writtenPhone(text: string, country: string | undefined): string {
  const kept = latin(text)
    .replace(/[^\d+() .-]/g, '')
    .replace(dialled(country), '+');
  if (!library || !country || !loaded.has(zoneOf(kept, country))) return kept;
  return library.written(kept, country, known);
}

/** What North America (+1) and Japan (+81) dial before another country's calling code, beside what most do. */
const DIALLED: Readonly<Record<string, string>> = { 1: '011', 81: '010' };

/** What is dialled first: `00`, or Australia's `0011`, which begins no number of +1; who has typed a part of it may go on. */
function dialled(country: string | undefined): RegExp {
  const own = DIALLED[callingCode(country)] ?? '0011';
  return new RegExp(`^\\s*(?:${own}|0011|00(?!11?$))(?=\\d)`);
}

/** A whole number with its calling code as it is written at home, and whose it is, if that is known. */
export function phoneAtHome(text: string): { country: string; text: string } | undefined {
  return loaded.has(zoneOf(text, undefined)) ? library?.atHome(text, known) : undefined;
}

/** The first digit of the number's calling code. */
function zoneOf(text: string, country: string | undefined): string {
  const [, digit] = /^\s*(?:\+|00)\s*(\d)/.exec(latin(text)) ?? [];
  return digit ?? callingCode(country).charAt(0);
}

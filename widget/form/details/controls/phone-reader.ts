import { callingCodes, zones } from 'virtual:phone-zones';
import type { MetadataJson } from 'libphonenumber-js/core';
import type { FieldContext } from '../../../../shared/checkout/fields/context.ts';
import { digitsOf, latin } from '../../../../shared/checkout/fields/digits.ts';

const MEMBERS = new Map(
  callingCodes.split(' ').map((entry): [code: string, members: readonly string[]] => {
    const [, code = '', members = ''] = /^(\d+)(.*)$/.exec(entry) ?? [];
    return [code, members.split(',')];
  }),
);
const CODES = new Map([...MEMBERS].flatMap(([code, members]) => members.map((country) => [country, code] as const)));

/** What North America (+1) and Japan (+81) dial before another country's calling code, beside what most do. */
const DIALLED: Readonly<Record<string, string>> = { 1: '011', 81: '010' };

/** Reads and writes telephone numbers. It knows nothing of any country's at first, and loads no more than what was typed needs. */
export class PhoneReader {
  #library: typeof import('../../../../shared/checkout/fields/phone/libphonenumber.ts') | undefined;
  readonly #metadata: MetadataJson = { version: 4, country_calling_codes: {}, countries: {}, nonGeographic: {} };
  readonly #loaded = new Set<string>();

  /** A country's calling code, `55`; empty if it has none or there is no country. */
  callingCode(country: string | undefined): string {
    return CODES.get(country ?? '') ?? '';
  }

  /** Whose number this is: for one that begins with a calling code a country of that code, the given one before others. */
  countryOf(text: string, country: string | undefined): string | undefined {
    if (!/^\s*(\+|00(?!11?$))/.test(text)) return country;
    const digits = digitsOf(text).replace(/^00/, '');
    const members = [3, 2, 1].flatMap((size) => MEMBERS.get(digits.slice(0, size)) ?? []);
    return country && members.includes(country) ? country : (members[0] ?? country);
  }

  /** Loads what a number typed in this country needs. Whether anything is known now that was not before. Never fails. */
  async load(text: string, country: string | undefined): Promise<boolean> {
    const zone = this.#zoneOf(text, country);
    const load = zones[zone];
    if (!load || this.#loaded.has(zone)) return false;
    try {
      const [part, library] = await Promise.all([
        load(),
        import('../../../../shared/checkout/fields/phone/libphonenumber.ts'),
      ]);
      Object.assign(this.#metadata.country_calling_codes, part.zone.country_calling_codes);
      Object.assign(this.#metadata.countries, part.zone.countries);
      this.#library = library;
      this.#loaded.add(zone);
      return true;
    } catch {
      // Until it is loaded every number is accepted: the relay checks it again.
      return false;
    }
  }

  /** The rule of telephone numbers, if what is known is enough for this one. */
  rule(text: string, country: string | undefined): FieldContext['phones'] {
    const library = this.#library;
    if (!library || !this.#loaded.has(this.#zoneOf(text, country))) return undefined;
    return (number, home) => library.phoneNumber(number, home, this.#metadata);
  }

  /** A number as people write it, as far as it is typed; what is no part of a number is left out. */
  written(text: string, country: string | undefined): string {
    const kept = latin(text)
      .replace(/[^\d+() .-]/g, '')
      .replace(this.#dialled(country), '+');
    if (!country || !this.#loaded.has(this.#zoneOf(kept, country))) return kept;
    return this.#library?.formatPhone(kept, country, this.#metadata) ?? kept;
  }

  /** A whole number with its calling code as it is written at home, and whose it is, if that is known. */
  atHome(text: string): { country: string; text: string } | undefined {
    return this.#loaded.has(this.#zoneOf(text, undefined))
      ? this.#library?.nationalPhone(text, this.#metadata)
      : undefined;
  }

  /** What is dialled first: `00`, or Australia's `0011`, which begins no number of +1; who has typed a part of it may go on. */
  #dialled(country: string | undefined): RegExp {
    const own = DIALLED[this.callingCode(country)] ?? '0011';
    return new RegExp(`^\\s*(?:${own}|0011|00(?!11?$))(?=\\d)`);
  }

  /** The first digit of the number's calling code. */
  #zoneOf(text: string, country: string | undefined): string {
    const [, digit] = /^\s*(?:\+|00)\s*(\d)/.exec(latin(text)) ?? [];
    return digit ?? this.callingCode(country).charAt(0);
  }
}

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

/** The prefixes for international calls in North America (+1) and Japan (+81), besides the common ones. */
const DIALLED: Readonly<Record<string, string>> = { 1: '011', 81: '010' };

/** Reads and formats telephone numbers. It begins without rules, and loads only those that the typed number needs. */
export class PhoneReader {
  #library: typeof import('../../../../shared/checkout/fields/phone/libphonenumber.ts') | undefined;
  readonly #metadata: MetadataJson = { version: 4, country_calling_codes: {}, countries: {}, nonGeographic: {} };
  readonly #loaded = new Set<string>();

  /** A country's calling code, such as `55`; empty without a calling code or a country. */
  callingCode(country: string | undefined): string {
    return CODES.get(country ?? '') ?? '';
  }

  /** The country of this number: for a number with a calling code a country of that code, preferably the given one. */
  countryOf(text: string, country: string | undefined): string | undefined {
    if (!/^\s*(\+|00(?!11?$))/.test(text)) return country;
    const digits = digitsOf(text).replace(/^00/, '');
    const members = [3, 2, 1].flatMap((size) => MEMBERS.get(digits.slice(0, size)) ?? []);
    return country && members.includes(country) ? country : (members[0] ?? country);
  }

  /** Loads the rules of a number that was typed in this country. Returns whether new rules were loaded. Never fails. */
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
      // Until the rules are loaded every number is accepted, because the relay checks it again.
      return false;
    }
  }

  /** The rule of telephone numbers, if the loaded rules are enough for this one. */
  rule(text: string, country: string | undefined): FieldContext['phones'] {
    const library = this.#library;
    if (!library || !this.#loaded.has(this.#zoneOf(text, country))) return undefined;
    return (number, home) => library.phoneNumber(number, home, this.#metadata);
  }

  /** A number in its national or international notation, as far as it is typed, without other characters. */
  written(text: string, country: string | undefined): string {
    const kept = latin(text)
      .replace(/[^\d+() .-]/g, '')
      .replace(this.#dialled(country), '+');
    if (!country || !this.#loaded.has(this.#zoneOf(kept, country))) return kept;
    return this.#library?.formatPhone(kept, country, this.#metadata) ?? kept;
  }

  /** The national notation of a complete number with a calling code, and its country, if both are known. */
  atHome(text: string): { country: string; text: string } | undefined {
    return this.#loaded.has(this.#zoneOf(text, undefined))
      ? this.#library?.nationalPhone(text, this.#metadata)
      : undefined;
  }

  /**
   * The prefix of an international call: `00`, or Australia's `0011`, which begins no number of +1. A part of it may
   * still be continued.
   */
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

import examples from 'libphonenumber-js/examples.mobile';
import thorough from 'libphonenumber-js/max/metadata';
import metadata from 'libphonenumber-js/min/metadata';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isPhone, writePhone } from '../rules.ts';
import { phoneNumber } from './libphonenumber.ts';

const phones = (text: string, country: string | undefined) => phoneNumber(text, country, metadata);

describe('a telephone number', () => {
  it.each([
    ['AR', '11 15-2345-6789', '+5491123456789'],
    ['AU', '0412 345 678', '+61412345678'],
    ['BR', '(11) 98765-4321', '+5511987654321'],
    ['BR', '011 98765 4321', '+5511987654321'],
    ['BR', '(11) 8765-4321', '+551187654321'],
    ['CA', '(416) 555-0123', '+14165550123'],
    ['CL', '9 8765 4321', '+56987654321'],
    ['CO', '300 1234567', '+573001234567'],
    ['DE', '0151 12345678', '+4915112345678'],
    ['ES', '612 34 56 78', '+34612345678'],
    ['FR', '06 12 34 56 78', '+33612345678'],
    ['GB', '07911 123456', '+447911123456'],
    ['IN', '98765 43210', '+919876543210'],
    ['JP', '090-1234-5678', '+819012345678'],
    ['JP', '０９０−１２３４−５６７８', '+819012345678'],
    ['MX', '55 1234 5678', '+525512345678'],
    ['PT', '912 345 678', '+351912345678'],
    ['US', '(202) 555-0123 ext. 5', '+12025550123'],
    ['US', '+55 11 98765-4321', '+5511987654321'],
    ['EG', '٠١٠٠١٢٣٤٥٦٧', '+201001234567'],
    ['MX', '+52 1 55 1234 5678', '+525512345678'],
    ['BR', '+52 1 55 1234 5678', '+525512345678'],
    ['MX', '1 55 1234 5678', '+525512345678'],
    ['MX', '01 55 1234 5678', '+525512345678'],
    ['MX', '044 55 1234 5678', '+525512345678'],
    ['DE', '04721 12345', '+49472112345'],
    ['FR', '+590 590 20 12 34', '+590590201234'],
    ['SE', '08 123 45 67', '+4681234567'],
  ])('of %s: %s is %s', (country, typed, number) => {
    expect(phones(typed, country)).toBe(number);
    expect(phones(number, country)).toBe(number);
  });

  it.each([
    ['BR', '98765'],
    ['BR', '11 98765-43210'],
    ['BR', '96123-4567'],
    ['BR', '6123-4567'],
    ['BR', '+55 96123-4567'],
    ['US', '+55 96123-4567'],
    ['AR', '15 2345-6789'],
    ['AU', '9876 5432'],
    ['CA', '555-0123'],
    ['GB', '946 0958'],
    ['IN', '2345 6789'],
    ['JP', '2123-4567'],
    ['MX', '1234 5678'],
    ['MX', '+52 1 55 1234 567'],
    ['TR', '123 45 67'],
    ['US', '555-0123'],
    ['US', '+999 123456789'],
    ['DE', 'call me'],
    ['BR', '4111111111111111'],
  ])('of %s: %s is none', (country, typed) => {
    expect(phones(typed, country)).toBeUndefined();
    expect(isPhone(typed, country, phones)).toBe(false);
  });

  it('is known in every country', () => {
    for (const [country, example] of Object.entries(examples)) {
      expect(phones(example, country), country).toMatch(new RegExp(`^\\+\\d+${example.replace(/^0/, '')}$`));
    }
  });

  it('has the length of personal numbers, not service numbers, in every country', () => {
    const lengths = z.array(z.number());
    /** Fixed lines, mobiles, personal numbers, and those of the internet: a pattern, and lengths if they are not all. */
    const kinds = z.array(z.union([z.number(), z.null(), z.tuple([z.string()]), z.tuple([z.string(), lengths])]));
    for (const [code, countries] of Object.entries(thorough.country_calling_codes)) {
      const plans = countries.map((country) => thorough.countries[country] ?? []);
      const people = plans.flatMap((plan) =>
        [0, 1, 4, 8].flatMap((kind) => {
          const found = kinds.parse(plan[11])[kind];
          return Array.isArray(found) ? (found[1] ?? lengths.parse(plan[3])) : [];
        }),
      );
      const shortest = Math.min(...people);
      // Some countries' numbers get their area code from libphonenumber.
      for (let length = 2; length < shortest; length += 1) {
        const number = phones(`+${code}${'5'.repeat(length)}`, undefined) ?? `+${code}${'5'.repeat(shortest)}`;
        expect(number.length, `+${code}: ${length}`).toBeGreaterThanOrEqual(1 + code.length + shortest);
      }
    }
  });

  it('of an unknown country may be right', () => {
    expect(phones('+44 20 7946 0958', undefined)).toBe('+442079460958');
    expect(phones('0044 20 7946 0958', undefined)).toBe('+442079460958');
    expect(isPhone('(202) 555-0123', undefined, phones)).toBe(true);
    expect(writePhone('(202) 555-0123', undefined, phones)).toBe('(202) 555-0123');
    expect(isPhone('12345', undefined, phones)).toBe(false);
    expect(isPhone('+44 20', undefined, phones)).toBe(false);
    expect(isPhone('missing', undefined, phones)).toBe(false);
  });

  it('passes by its length as long as the metadata is not there', () => {
    expect(isPhone('11 98765-43210', 'BR', undefined)).toBe(true);
    expect(isPhone('1234', 'BR', undefined)).toBe(false);
  });
});

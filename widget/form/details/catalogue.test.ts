import { describe, expect, it } from 'vitest';
import { collectGroups, paymentMethod } from '../../../shared/checkout/session.ts';
import { askableFields } from '../../../test/support/payments/fields.ts';
import en from '../../locales/en.json' with { type: 'json' };
import { catalogue, fieldsUnder } from './catalogue.ts';
import { COLLECTED } from './requested.ts';

/** The field names of the HTML standard's autofill that we use, with the sections of an address before them. */
const TOKEN =
  /^((billing|shipping) )?(off|name|given-name|family-name|nickname|email|url|tel|tel-country-code|tel-area-code|tel-local|bday|country|postal-code|street-address|address-line[12]|address-level[123])$/;

describe('the catalogue of fields', () => {
  it('has exactly the fields that a method may ask for (§2.3)', () => {
    expect([...catalogue.keys()].sort()).toEqual([...askableFields].sort());
  });

  it('collects what the session’s groups name', () => {
    const sorted = (groups: Readonly<Record<string, readonly string[]>>) =>
      Object.fromEntries(Object.entries(groups).map(([name, paths]) => [name, [...paths].sort()]));
    expect(sorted(COLLECTED)).toEqual(sorted(collectGroups));
  });

  it.each([...catalogue])('has a label and an autocomplete token for %s', (_, { label, autocomplete }) => {
    expect(Object.keys({ ...en.form, ...en.fields })).toContain(label);
    expect(autocomplete).toMatch(TOKEN);
  });

  it('asks for all fields of an object whose path is named', () => {
    const whole = 'person.documents.labels.bank_account.bank';
    const apm = { type: 'apm', payment_method: 'X', label: 'X', fields: [whole] };
    expect(paymentMethod.safeParse(apm).success).toBe(true);
    expect(fieldsUnder(whole).sort()).toEqual([`${whole}.code`, `${whole}.name`]);
    expect(fieldsUnder('person.email')).toEqual(['person.email']);
    expect(fieldsUnder('nothing')).toEqual([]);
  });
});

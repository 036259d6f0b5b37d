import { describe, expect, it } from 'vitest';
import { BANK, context } from '../../../../test/support/payments/fields.ts';
import { isCountry } from './countries.ts';
import { countryOf } from './country.ts';

it('knows the 249 countries of ISO 3166-1, and Kosovo', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry);
  expect(codes).toHaveLength(250);
  expect(codes).toEqual(expect.arrayContaining(['BR', 'GB', 'UM', 'XK']));
  for (const invented of ['EU', 'UK', 'XX', 'ZZ']) expect(codes).not.toContain(invented);
  for (const none of ['', 'A', 'B ', ' B', 'br']) expect(isCountry(none)).toBe(false);
});

describe('whose rules hold', () => {
  const of = (path: string, values: Record<string, string>, currency = 'USD') =>
    countryOf(path, context(values, currency));

  it('depend only on the address that the field belongs to', () => {
    const values = { billing_country: 'br', delivery_country: 'US', 'person.address_country': 'MX' };
    expect(of('billing_postal_code', values)).toBe('BR');
    expect(of('delivery_state', values)).toBe('US');
    expect(of('person.address_postal_code', values)).toBe('MX');
    expect(of('billing_postal_code', { delivery_country: 'US' }, 'BRL')).toBeUndefined();
  });

  it('is the likeliest country for a phone or a document', () => {
    const all = { billing_country: 'BR', delivery_country: 'US', 'person.fiscal_country': 'AR' };
    expect(of('shopper_phone', all)).toBe('BR');
    expect(of('document', { delivery_country: 'US', 'person.fiscal_country': 'AR' })).toBe('AR');
    expect(of('document', { delivery_country: 'US' })).toBe('US');
    expect(of('person.document_number', all)).toBe('AR');
    expect(of(`${BANK}.owner_document_number`, { ...all, [`${BANK}.branch_country`]: 'CL' })).toBe('CL');
  });

  it('is the only country of the order’s currency, if there is one', () => {
    expect(of('document', {}, 'BRL')).toBe('BR');
    expect(of('shopper_phone', {}, 'JPY')).toBe('JP');
    for (const currency of ['USD', 'EUR', 'XOF', 'ZZZ']) expect(of('document', {}, currency)).toBeUndefined();
  });
});

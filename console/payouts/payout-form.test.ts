import { describe, expect, it } from 'vitest';
import { payoutBody } from '../../shared/gateway/payout/payout.ts';
import en from '../locales/en.json' with { type: 'json' };
import { emptyForm, isIban, isSwift, type PayoutForm, payoutOf } from './payout-form.ts';

const requestId = '5b1d6a3e-2f0a-4d7e-9d43-0d7f2f1f9a11';
const company: PayoutForm = {
  ...emptyForm,
  ...{ amount: '1,250.50', currency: 'USD' },
  values: { company_name: ' Example Ltd ', account_number: '000123456', city: 'Colombo', first_name: 'Ada' },
};
const made = (more: Partial<PayoutForm>) => payoutOf({ ...company, ...more }, requestId, en, 'en');

describe('a payout that is written in the console', () => {
  it('places each value where the gateway expects it, and passes validation', () => {
    const { payout, faults } = made({});
    expect(faults).toEqual({});
    expect(payout).toEqual({
      ...{ request_id: requestId, payment_amount: '1250.50', payment_currency: 'USD' },
      beneficiary: {
        ...{ entity_type: 'COMPANY', company_name: 'Example Ltd', address: { city: 'Colombo' } },
        bank_details: { account_number: '000123456' },
      },
    });
    expect(payoutBody.safeParse(payout).success).toBe(true);
  });

  it('names either a person or a beneficiary of the gateway', () => {
    const values = { first_name: 'Ada', last_name: 'Byron', iban: 'DE89370400440532013000', beneficiary_id: 'b_1' };
    expect(made({ kind: 'person', values }).payout).toMatchObject({
      beneficiary: { first_name: 'Ada', bank_details: { iban: 'DE89370400440532013000' } },
    });
    expect(made({ kind: 'person', values }).payout).not.toHaveProperty('beneficiary_id');
    const known = made({ kind: 'known', side: 'source', amount: '90', values });
    expect(known.payout).toEqual({
      ...{ request_id: requestId, source_amount: '90', source_currency: 'USD', beneficiary_id: 'b_1' },
    });
    for (const { payout, faults } of [made({ kind: 'person', values }), known]) {
      expect([faults, payoutBody.safeParse(payout).success]).toEqual([{}, true]);
    }
  });

  it.each<[string, Partial<PayoutForm>, string[]]>([
    ['no amount', { amount: '' }, ['amount']],
    ['an amount of nothing', { amount: '0.00' }, ['amount']],
    ['no currency', { currency: '' }, ['currency']],
    ['half a currency', { currency: 'US' }, ['currency']],
    ['more decimals than the currency has', { amount: '1.5', currency: 'JPY' }, ['amount']],
    ['no payee', { values: {} }, ['company_name', 'account_number']],
    ['no account', { values: { company_name: 'X' } }, ['account_number']],
    [
      'a person without a name',
      { kind: 'person', values: { iban: 'DE89370400440532013000' } },
      ['first_name', 'last_name'],
    ],
    ['a wrong IBAN', { values: { company_name: 'X', iban: 'DE00' } }, ['iban']],
    ['a country in words', { values: { ...company.values, country_code: 'Brazil' } }, ['country_code']],
    ['a wrong e-mail', { values: { ...company.values, personal_email: 'ada' } }, ['personal_email']],
  ])('is not sent with %s', (_, more, wrong) => {
    expect(Object.keys(made(more).faults).toSorted()).toEqual(wrong.toSorted());
  });

  it('keeps the decimals that a currency has', () => {
    expect(made({ amount: '10.505', currency: 'KWD' }).payout.payment_amount).toBe('10.505');
    expect(made({ amount: '1000', currency: 'JPY' }).payout.payment_amount).toBe('1000');
  });
});

it.each([
  ['DE89370400440532013000', true],
  ['GB82 WEST 1234 5698 7654 32', true],
  ['DE89370400440532013001', false],
  ['', false],
])('checks whether %j is an IBAN', (text, is) => expect(isIban(text)).toBe(is));

it.each([
  ['DEUTDEFF', true],
  ['DEUTDEFF500', true],
  ['DEUTDEF', false],
])('checks whether %j is a SWIFT code', (text, is) => expect(isSwift(text)).toBe(is));

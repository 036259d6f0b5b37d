import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askableFields, BANK, context, problem } from '../../../test/support/payments/fields.ts';
import { collectGroups, paymentMethod } from '../session.ts';
import { kindOf } from './kinds.ts';
import { fieldProblem, fieldValue } from './rules.ts';

describe('the rules', () => {
  it('know every field that a form can ask for', () => {
    const method = { type: 'apm', payment_method: 'X', label: 'X', fields: askableFields };
    expect(paymentMethod.safeParse(method).success).toBe(true);
    for (const path of [...askableFields, ...Object.values(collectGroups).flat()])
      expect(kindOf(path), path).toBeDefined();
  });

  it('say nothing of other paths', () => {
    for (const path of ['card', 'security_code', 'token_id', 'device.os', 'constructor', 'person.nothing']) {
      expect(problem(path, '4111111111111111')).toBeUndefined();
      expect(fieldValue(path, ' x ', context())).toBe('x');
    }
  });

  it('refuse no field for what each country’s people write', () => {
    for (const path of ['billing_city', 'billing_address', 'first_name', 'person.social_name']) {
      for (const value of [
        'São João del-Rei',
        'Ул. Ленина, 1',
        '東京都千代田区丸の内1-9-1',
        'شارع النيل ١٢',
        'O’Brien 3rd',
      ]) {
        expect(problem(path, value)).toBeUndefined();
      }
    }
  });

  it('bound the length of every field', () => {
    for (const path of askableFields) expect(problem(path, 'x'.repeat(1_000_001)), path).toBeDefined();
    expect(problem('billing_address', 'x'.repeat(1000))).toBeUndefined();
    expect(problem('billing_address', 'x'.repeat(1001))).toEqual({ key: 'too_long' });
    expect(problem('shopper_email', `${'a'.repeat(60)}@${'b'.repeat(200)}.com`)).toEqual({ key: 'too_long' });
    expect(problem(`${BANK}.account_number`, '1'.repeat(41))).toEqual({ key: 'too_long' });
    expect(problem('person.documents.file_data', 'A'.repeat(1_000_000))).toBeUndefined();
  });
});

const brazil = { billing_country: 'BR', 'person.address_country': 'BR', delivery_country: 'US' };

it.each<[string, string, string, object?]>([
  ['shopper_email', 'ada@example', 'email_invalid'],
  ['person.email', 'ada', 'email_invalid'],
  ['shopper_phone', '12345', 'phone_invalid'],
  ['shopper_phone', '96123-4567', 'phone_invalid'],
  ['document', '529.982.247-24', 'document_invalid'],
  ['document', '529.982', 'document_incomplete'],
  ['person.document_number', '11111111111', 'document_invalid'],
  [`${BANK}.owner_document_number`, '11222333000180', 'document_invalid'],
  ['birth_date', '-12-1990', 'date_incomplete'],
  ['birth_date', '31-12-90', 'date_incomplete'],
  ['birth_date', '30-02-1990', 'date_invalid'],
  ['birth_date', '29-02-1900', 'date_invalid'],
  ['birth_date', '00-01-1990', 'date_invalid'],
  ['birth_date', '01-13-1990', 'date_invalid'],
  ['birth_date', '22-11-2026', 'date_future'],
  ['person.birth_date', '31-12-1895', 'date_far'],
  ['billing_postal_code', '0131010', 'postal_code_invalid', { example: '01310-100' }],
  ['delivery_postal_code', '01310-100', 'postal_code_invalid', { example: '95014' }],
  ['person.address_postal_code', '123', 'postal_code_invalid', { example: '01310-100' }],
  ['billing_state', 'Texas', 'choice_missing'],
  ['delivery_state', 'SP', 'choice_missing'],
  ['billing_country', 'UK', 'choice_missing', { example: 'BR' }],
  ['delivery_country', 'XX', 'choice_missing', { example: 'BR' }],
  ['person.address_country', 'eu', 'choice_missing', { example: 'BR' }],
  ['person.fiscal_country', 'ZZ', 'choice_missing', { example: 'BR' }],
  [`${BANK}.branch_country`, 'AN', 'choice_missing', { example: 'BR' }],
  ['person.phone_country_code', '999', 'phone_invalid'],
  ['person.phone_country_code', '0', 'phone_invalid'],
  ['billing_country', 'Brasil', 'code_form_invalid', { count: '2' }],
  ['person.fiscal_country', 'B1', 'code_form_invalid', { count: '2' }],
  [`${BANK}.branch_country`, 'BRA', 'code_form_invalid', { count: '2' }],
  [`${BANK}.currency`, 'R$', 'code_form_invalid', { count: '3' }],
  ['person.phone_country_code', 'Brazil', 'digits_only'],
  ['person.phone_country_code', '5511', 'phone_invalid'],
  ['person.phone_area_code', '123456', 'phone_invalid'],
  ['person.phone_number', '123', 'phone_invalid'],
  ['person.phone_number', 'none', 'digits_only'],
  ['person.net_monthly_average_income', 'much', 'amount_invalid', { example: '2500.00' }],
  ['person.net_monthly_average_income', '2.500', 'amount_invalid', { example: '2500.00' }],
  ['person.net_monthly_average_income', '-5', 'amount_invalid', { example: '2500.00' }],
  ['person.documents.file_type', 'png', 'field_invalid'],
  ['person.documents.file_data', 'no base64!', 'file_unreadable'],
  ['person.documents.file_data', 'AAAAA', 'file_unreadable'],
  ['person.documents.file_url', 'http://files.example/1', 'address_web_invalid'],
  ['person.documents.file_url', 'https://', 'address_web_invalid'],
  [`${BANK}.account_number`, '12<34', 'field_invalid'],
])('%s: %j is refused: %s', (path, value, key, values?) => {
  expect(problem(path, value, brazil)).toEqual({ key, ...(values && { values }) });
});

it.each([
  ['shopper_email', ' Ada@Example.COM ', 'Ada@example.com'],
  ['shopper_phone', '(11) 98765-4321', '+5511987654321'],
  ['document', '529.982.247-25', '52998224725'],
  ['document', '12.abc.345/01de-35', '12ABC34501DE35'],
  [`${BANK}.owner_document_number`, '11.222.333/0001-81', '11222333000181'],
  ['birth_date', '1-2-1990', '01-02-1990'],
  ['birth_date', '٣١-١٢-١٩٩٠', '31-12-1990'],
  ['birth_date', '29-02-2000', '29-02-2000'],
  ['birth_date', '21-11-2026', '21-11-2026'],
  ['person.birth_date', '1990-12-31', '1990-12-31'],
  ['billing_postal_code', '01310100', '01310-100'],
  ['delivery_postal_code', '222011234', '22201-1234'],
  ['billing_state', 'sao paulo', 'SP'],
  ['billing_country', 'br', 'BR'],
  [`${BANK}.currency`, 'brl', 'BRL'],
  ['person.phone_country_code', '+55', '55'],
  ['person.phone_country_code', '1', '1'],
  ['person.fiscal_country', 'aq', 'AQ'],
  [`${BANK}.branch_country`, 'XK', 'XK'],
  ['person.phone_area_code', '(11)', '11'],
  ['person.phone_number', '98765-4321', '987654321'],
  ['person.net_monthly_average_income', '2.500,50', '2500.50'],
  ['person.net_monthly_average_income', '2,500.50', '2500.50'],
  ['person.net_monthly_average_income', '1,00,000.5', '100000.5'],
  ['person.net_monthly_average_income', '1.000.000', '1000000'],
  ['person.net_monthly_average_income', '2500', '2500'],
  ['person.documents.file_type', 'image/png', 'image/png'],
  ['person.documents.file_data', 'aGk=', 'aGk='],
  ['person.documents.file_url', 'https://files.example/1?a=b', 'https://files.example/1?a=b'],
  [`${BANK}.account_number`, ' 12345-6 ', '12345-6'],
  ['person.documents.labels.person_bank_account_id', 'acc_123', 'acc_123'],
  [`${BANK}.branch_number`, '0001', '0001'],
  ['billing_address', ' Rua Um, 1 ', 'Rua Um, 1'],
])('%s: %j is right and sent as %j', (path, value, sent) => {
  expect(problem(path, value, brazil)).toBeUndefined();
  expect(fieldValue(path, value, context(brazil))).toBe(sent);
});

describe('a document', () => {
  it('is of the type that is given', () => {
    const typed = (type: string, number: string) =>
      problem('person.document_number', number, { 'person.document_type': type });
    expect(typed('CNPJ', '529.982.247-25')).toEqual({ key: 'document_incomplete' });
    expect(typed('CPF', '11222333000181')).toEqual({ key: 'document_invalid' });
    expect(typed('cpf', '529.982.247-25')).toBeUndefined();
    expect(typed('Passport', 'FX123456')).toBeUndefined();
  });

  it('has more than zeros, where no country’s rule holds too', () => {
    for (const number of ['0', '000-00-0000', '0000000000000'])
      expect(problem('document', number, {}, 'USD'), number).toEqual({ key: 'document_invalid' });
    expect(problem('person.document_number', '00', { 'person.document_type': 'PASSPORT' })).toBeDefined();
  });

  it('may belong to the currency’s country, wherever its owner lives', () => {
    const abroad = { billing_country: 'MX' };
    expect(problem('document', '529.982.247-25', abroad, 'BRL')).toBeUndefined();
    expect(problem('document', '529.982.247-24', abroad, 'BRL')).toEqual({ key: 'document_incomplete' });
    expect(problem('document', '529.982.247-25', abroad, 'USD')).toEqual({ key: 'document_incomplete' });
  });

  it('may be a foreigner’s passport if only the currency shows the country', () => {
    for (const number of ['L898902C3', '925665416', '1234567'])
      expect(problem('document', number, {}, 'BRL'), number).toBeUndefined();
    for (const number of ['123456', '5299822472', '0000000', 'AB000000', '529.982.247-24', 'ABCDEF'])
      expect(problem('document', number, {}, 'BRL'), number).toBeDefined();
    for (const setting of ['billing_country BR', 'person.document_type CPF'])
      for (const number of ['L898902C3', '925665416'])
        expect(problem('person.document_number', number, Object.fromEntries([setting.split(' ')]), 'BRL')).toEqual({
          key: 'document_incomplete',
        });
    // A number of the country’s own with a slip is no passport.
    expect(problem('document', '12.531.909-3', {}, 'CLP')).toEqual({ key: 'document_invalid' });
  });
});

it('formats a value the same again, and finds the same problem', () => {
  const signs = fc.string({
    unit: fc.constantFrom(...'0123456789 ABCxyz.-/+(),@é٣３:<>\u200b＠'),
    minLength: 1,
    maxLength: 24,
  });
  const country = fc.constantFrom('BR', 'US', 'GB', 'AR', 'JP', 'MX', 'CA', 'XX');
  for (const path of askableFields) {
    fc.assert(
      fc.property(signs, country, (value, code) => {
        const at = context({ billing_country: code, delivery_country: code, 'person.address_country': code });
        const written = fieldValue(path, value, at);
        expect(fieldValue(path, written, at)).toBe(written);
        if (written) expect(fieldProblem(path, written, at)).toEqual(fieldProblem(path, value, at));
      }),
      { numRuns: 60 },
    );
  }
});

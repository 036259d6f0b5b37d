import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldProblem, fieldValue } from '../../../shared/checkout/fields/rules.ts';
import type { Order } from '../../../shared/checkout/session.ts';
import { context } from '../../../test/support/payments/fields.ts';
import { card } from '../../../test/support/relays/relay.ts';
import { ProblemError } from '../../base/errors.ts';
import type { Session } from '../../payments/session.ts';
import type { PayBody } from '../message.ts';
import { checkedFields } from './check-fields.ts';

const clock = { now: () => new Date('2026-11-21T12:00:00Z') };

function session(order: Partial<Order> = {}): Session {
  return {
    id: 'cs_1',
    account: 'demo',
    order_no: 'A-1',
    created_at: '2026-11-21T11:00:00.000Z',
    expires_at: '2026-11-22T11:00:00.000Z',
    revision: 1,
    version: 1,
    terms: {
      order: { order_no: 'A-1', currency: 'BRL', amount: '10.00', ...order },
      methods: [
        { type: 'card' },
        { type: 'apm', payment_method: 'PIX', label: 'Pix', fields: ['person.phone_number', 'person.documents'] },
      ],
      installment_options: [],
      saved_cards: [],
      collect: ['email', 'phone', 'document', 'birth_date', 'billing_address', 'delivery_address'],
    },
    state: { status: 'open' },
  };
}

/** The refused fields, from the problem. */
function refused(body: Partial<PayBody> & object, order: Partial<Order> = {}) {
  try {
    checkedFields(clock, session(order), { ...card, ...body });
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  return undefined;
}
const paths = (error: ProblemError | undefined) => error?.errors.map(({ path }) => path);
const written = (body: Partial<PayBody> & object, order: Partial<Order> = {}) =>
  checkedFields(clock, session(order), { ...card, ...body });

describe('what a shopper typed beside the card', () => {
  it('is refused by the form’s rules, each field with advice', () => {
    const error = refused({
      shopper_email: 'ada@',
      shopper_phone: '123',
      document: '52998224724',
      birth_date: '22-11-2026',
      billing_country: 'BR',
      billing_postal_code: '0131',
    });
    expect(error?.code).toBe('invalid_request');
    expect(error?.errors).toEqual([
      { path: 'shopper_email', message: 'must be an e-mail address such as ada@example.com' },
      { path: 'shopper_phone', message: expect.stringContaining('telephone number') },
      { path: 'document', message: expect.stringContaining('check digit') },
      { path: 'birth_date', message: 'must be a date in the past' },
      { path: 'billing_postal_code', message: 'must be a postal code of the country, such as 01310-100' },
    ]);
  });

  it('is refused with a calling code that there is not', () => {
    const asking = session();
    asking.terms.methods = [
      { type: 'apm', payment_method: 'PIX', label: 'Pix', fields: ['person.phone_country_code'] },
    ];
    const check = (phone_country_code: string) => () =>
      checkedFields(clock, asking, { payment_method: 'PIX', person: { phone_country_code } });
    expect(check('999')).toThrow(ProblemError);
    expect(check('55')).not.toThrow();
  });

  it('is refused in a country that does not exist', () => {
    const error = refused({ billing_country: 'UK', billing_postal_code: 'anything', delivery_country: 'GB' });
    expect(error?.errors).toEqual([
      { path: 'billing_country', message: 'must be the ISO 3166-1 code of a country, such as BR' },
    ]);
    expect(refused({ billing_country: 'BR', billing_state: 'Texas' })?.errors).toEqual([
      { path: 'billing_state', message: expect.stringContaining('states') },
    ]);
  });

  it('is checked inside a person too', () => {
    const person = {
      documents: { labels: { bank_account: { owner_document_number: '11111111111', currency: 'reais' } } },
    };
    expect(paths(refused({ payment_method: 'PIX', person }))).toEqual([
      'person.documents.labels.bank_account.owner_document_number',
      'person.documents.labels.bank_account.currency',
    ]);
  });

  it('is never repeated in the problem', () => {
    const typed = { shopper_email: 'secret', document: '4111111111111111', billing_address: '4111 1111 1111 1111' };
    const error = refused(typed);
    expect(paths(error)).toEqual(['shopper_email', 'document', 'billing_address']);
    const told = JSON.stringify([error?.message, error?.errors]);
    for (const value of [...Object.values(typed), '4111']) expect(told).not.toContain(value);
  });

  it('is measured by what the order says of the rest', () => {
    expect(paths(refused({ document: '20-05536168-2' }))).toEqual(['document']);
    expect(refused({ document: '20-05536168-2' }, { billing_country: 'AR' })).toBeUndefined();
    expect(refused({ document: 'anything' }, { currency: 'USD' })).toBeUndefined();
  });

  it('is left to the gateway if not collected, except a card number', () => {
    const person = { document_number: '1', phone_country_code: '+55', email: ' a' };
    expect(refused({ payment_method: 'PIX', person })).toBeUndefined();
    expect(written({ payment_method: 'PIX', person })).toMatchObject({ person });
    const cards = { document_type: card.card, social_name: card.card };
    expect(paths(refused({ payment_method: 'PIX', person: cards }))).toEqual([
      'person.document_type',
      'person.social_name',
    ]);
  });

  it('is no card number split between first and last name', () => {
    expect(paths(refused({ ...card, first_name: '4111 1111', last_name: '1111 1111' }))).toEqual(['first_name']);
    expect(refused({ ...card, first_name: 'Ada 1815', last_name: 'Byron 1852' })).toBeUndefined();
  });

  it('may be left out, and empty', () => {
    expect(refused({})).toBeUndefined();
    expect(refused({ shopper_email: '', document: '' })).toBeUndefined();
  });
});

describe('what the order says', () => {
  it('is the shop’s value if the shopper kept it, formatted or not', () => {
    const order = { document: '529.982.247-24', shopper_phone: '12' };
    expect(refused({ document: '529.982.247-24', shopper_phone: '12' }, order)).toBeUndefined();
    expect(refused({ document: '52998224724' }, order)).toBeUndefined();
    expect(paths(refused({ document: '52998224723' }, order))).toEqual(['document']);
  });

  it('is the shop’s value for delivery to the billing address too', () => {
    const order = { billing_country: 'BR', billing_state: 'Sampa', billing_postal_code: '1' };
    const same = { delivery_country: 'BR', delivery_state: 'Sampa', delivery_postal_code: '1' };
    expect(refused(same, order)).toBeUndefined();
    expect(paths(refused({ ...same, delivery_state: '1' }, order))).toEqual(['delivery_state']);
  });
});

describe('what is sent', () => {
  it('is written as the form writes it', () => {
    const person = { phone_number: '98765-4321', documents: { labels: { bank_account: { currency: 'brl' } } } };
    expect(
      written({
        shopper_email: 'Ada@EXAMPLE.com ',
        shopper_phone: '(11) 98765-4321',
        document: '12.abc.345/01de-35',
        billing_country: 'BR',
        billing_state: 'São Paulo',
        billing_postal_code: '01310100',
        person,
      }),
    ).toMatchObject({
      ...card,
      shopper_email: 'Ada@example.com',
      shopper_phone: '+5511987654321',
      document: '12ABC34501DE35',
      billing_state: 'SP',
      billing_postal_code: '01310-100',
      person: { phone_number: '987654321', documents: { labels: { bank_account: { currency: 'BRL' } } } },
    });
    expect(person.phone_number).toBe('98765-4321');
  });

  it('stays as the shop wrote it where the shopper changed nothing', () => {
    const order = { document: '529.982.247-25', shopper_phone: '11987654321' };
    expect(written({ document: '52998224725', shopper_phone: '+5511987654321' }, order)).toMatchObject(order);
    expect(written({ document: '111.444.777-35' }, order)).toMatchObject({ document: '11144477735' });
  });

  it('has everything else as it came', () => {
    const device = { browser_lang: ' pt ', os: 'x' };
    expect(written({ device, token_flag: ' 1 ' })).toMatchObject({ device, token_flag: ' 1 ', card: card.card });
  });

  it('is refused exactly by the rule of its field', () => {
    const country = fc.constantFrom('BR', 'MX', 'US', 'JP', 'HK');
    const typed = {
      shopper_email: fc.constantFrom('', ' Ada@EXAMPLE.com', 'mailto:ada@example.com', 'ada@'),
      shopper_phone: fc.constantFrom('', '(11) 98765-4321', '+52 1 55 1234 5678', '044 55 1234 5678', '123'),
      document: fc.constantFrom(' ', '529.982.247-25', 'RFC GODE561231GR8', '52998224724', card.card),
      birth_date: fc.constantFrom('1-2-1990', '٣١-١٢-١٩٩٠', '22-11-2026'),
      billing_country: country,
      billing_state: fc.constantFrom('BR-SP', 'São Paulo', 'cdmx', 'Tokyo-to', 'California', 'Nowhere'),
      billing_city: fc.constantFrom(' Recife ', card.card),
      billing_postal_code: fc.constantFrom('01310100', '902101234', '1000001', 'C.P. 02860', '0'),
      delivery_country: country,
      delivery_state: fc.constantFrom('sp', 'US-CA', 'Estado de Jalisco', '13'),
      delivery_postal_code: fc.constantFrom('01310100', '902101234', '１０００００１'),
    };
    const said = fc.record({ billing_country: country }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.record(typed, { requiredKeys: [] }), said, (body, order) => {
        const known = Object.entries(body).filter(([, text]) => text);
        const alone = { ...context({ ...order, ...Object.fromEntries(known) }), card: card.card };
        const wrong = known.flatMap(([path, text]) => (fieldProblem(path, text, alone) ? path : []));
        expect(paths(refused(body, order)) ?? []).toEqual(wrong);
        const right = Object.entries(body).filter(([path]) => !wrong.includes(path));
        const sent = right.map(([path, text]): [string, string] => {
          const value = fieldValue(path, text, alone);
          return [path, value === text.trim() ? text : value];
        });
        expect(written(Object.fromEntries(right), order)).toEqual({ ...card, ...Object.fromEntries(sent) });
      }),
    );
  });
});

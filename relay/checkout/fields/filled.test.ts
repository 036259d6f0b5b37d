import { describe, expect, it } from 'vitest';
import type { Terms } from '../../payments/session.ts';
import type { PayBody } from '../message.ts';
import { filledBeside, prefill, withFilled } from './filled.ts';

const terms: Terms = {
  order: { order_no: 'A', currency: 'BRL', amount: '10.00' },
  methods: [
    { type: 'card' },
    {
      type: 'apm',
      payment_method: 'PIX',
      label: 'Pix',
      banks: [{ code: '341', name: 'Itaú' }],
      fields: ['document', 'person.email', 'person.documents.labels.bank_account.owner_name'],
    },
  ],
  installment_options: [{ installments: '2' }, { installments: '3', installments_id: 'a' }, { installments: '3' }],
  saved_cards: [],
  collect: ['email', 'billing_address', 'delivery_address'],
};
const card = {
  card: '4000001234567899',
  expiration_month: '12',
  expiration_year: '2030',
  security_code: '9173',
  first_name: 'Ada',
  last_name: 'Byron',
};
const filledBy = (body: Partial<PayBody> & object, of = terms) => withFilled(of, { ...card, ...body }).filled;

describe('what a shopper filled in', () => {
  it('is kept by its dotted path, except card and device', () => {
    expect(
      filledBy({
        shopper_email: 'ada@example.com',
        billing_city: 'Recife',
        delivery_firstname: 'Mary',
        token_flag: '1',
        revision: 2,
        device: { browser_lang: 'pt', cookie_new: 'dv_1' },
      }),
    ).toEqual({
      first_name: 'Ada',
      last_name: 'Byron',
      shopper_email: 'ada@example.com',
      billing_city: 'Recife',
      delivery_firstname: 'Mary',
    });
    expect(withFilled(terms, { token_id: 'tok_1', security_code: '9173' })).toBe(terms);
  });

  it('is kept of an alternative method too: bank and person', () => {
    const person = {
      email: 'ada@example.com',
      social_name: 'not asked for',
      documents: { file_data: 'x', labels: { bank_account: { owner_name: 'Ada' } } },
    };
    const pix: PayBody = { payment_method: 'PIX', bank_code: '341', document: '123', person };
    expect(withFilled(terms, pix).filled).toEqual({
      bank_code: '341',
      document: '123',
      'person.email': 'ada@example.com',
      'person.documents.labels.bank_account.owner_name': 'Ada',
    });
  });

  it('is kept of every field of a collected object, except files', () => {
    const asking: Terms = {
      ...terms,
      methods: [{ type: 'apm', payment_method: 'PIX', label: 'Pix', fields: ['person.documents'] }],
    };
    const documents = { file_type: 'image/png', file_data: 'AAAA', labels: { person_bank_account_id: 'b1' } };
    expect(withFilled(asking, { payment_method: 'PIX', person: { documents } }).filled).toEqual({
      'person.documents.file_type': 'image/png',
      'person.documents.labels.person_bank_account_id': 'b1',
    });
    expect(
      prefill({
        ...asking,
        order: { ...terms.order, person: { documents: { file_type: 'image/png', file_data: 'AAAA' } } },
      }),
    ).toEqual({
      'person.documents.file_type': 'image/png',
    });
  });

  it('is kept only where the form shows the field', () => {
    expect(filledBy({ shopper_email: 'a@b.example', billing_city: 'R' }, { ...terms, collect: [] })).toEqual({
      first_name: 'Ada',
      last_name: 'Byron',
    });
  });

  it('is not kept if it may contain a card number, even split', () => {
    const number = '4111 1111 1111 1111';
    expect(filledBy({ billing_address: number, billing_city: 'Recife' })).toMatchObject({ billing_city: 'Recife' });
    expect(filledBy({ billing_address: number })).not.toHaveProperty('billing_address');
    expect(filledBy({ first_name: '4111 1111 1111', last_name: '1111' })).toBeUndefined();
    expect(filledBy({ first_name: '4000 0012', last_name: '3456 7899' })).toBeUndefined();
    expect(filledBy({ delivery_firstname: '4111 1111', delivery_lastname: '1111 1111' })).toEqual({
      first_name: 'Ada',
      last_name: 'Byron',
    });
    expect(filledBy({ billing_state: 'code 9173' })).not.toHaveProperty('billing_state');
  });

  it('is not kept if it is longer than typed texts', () => {
    expect(filledBy({ billing_address: 'x'.repeat(300) })).toHaveProperty('billing_address');
    expect(filledBy({ billing_address: 'x'.repeat(301) })).not.toHaveProperty('billing_address');
  });

  it('stays from earlier attempts unless replaced; a plan is kept whole', () => {
    const first = withFilled(terms, { ...card, billing_city: 'Recife', installments: '3', installments_id: 'a' });
    const second = withFilled(first, { ...card, first_name: 'Mary', installments: '3' });
    expect(second.filled).toEqual({
      first_name: 'Mary',
      last_name: 'Byron',
      billing_city: 'Recife',
      installments: '3',
    });
    expect(withFilled(second, { token_id: 'tok_1' })).toBe(second);
  });

  it('is left where the shop changes other fields of the order', () => {
    const filled = { first_name: 'Ada', 'person.email': 'a@b.example', 'person.phone_number': '1' };
    expect(filledBeside(filled, new Set(['amount', 'person']))).toEqual({ filled: { first_name: 'Ada' } });
    expect(filledBeside(filled, new Set(['person', 'first_name']))).toEqual({});
  });
});

describe('the form’s first values', () => {
  it('are what the shopper sent before, else the order’s values', () => {
    const order = {
      ...terms.order,
      first_name: 'A.',
      shopper_email: 'shop@example.com',
      shopper_phone: 'not shown',
      note: 'not shown',
      person: { email: 'person@example.com', social_name: 'not shown' },
    };
    expect(prefill({ ...terms, order, filled: { first_name: 'Ada' } })).toEqual({
      first_name: 'Ada',
      shopper_email: 'shop@example.com',
      'person.email': 'person@example.com',
    });
  });

  it('have the index of the chosen plan while it is offered', () => {
    const filled = { installments: '3', installments_id: 'a' };
    expect(prefill({ ...terms, filled })).toEqual({ installments: '1' });
    expect(prefill({ ...terms, filled: { installments: '3' } })).toEqual({ installments: '2' });
    expect(prefill({ ...terms, filled, installment_options: [{ installments: '3' }] })).toEqual({});
  });
});

import { describe, expect, it } from 'vitest';
import { sampleNumbers, TEST_CARDS } from '../../../test/support/payments/sample-numbers.ts';
import { card } from '../../../test/support/relays/relay.ts';
import { ProblemError } from '../../base/errors.ts';
import type { Session } from '../../payments/session.ts';
import type { PayBody } from '../message.ts';
import { checkedFields } from './check-fields.ts';

const clock = { now: () => new Date('2026-11-21T12:00:00Z') };

/** A session that asks for everything. */
const session = (currency: string): Session => ({
  id: 'cs_1',
  account: 'demo',
  order_no: 'A-1',
  created_at: '2026-11-21T11:00:00.000Z',
  expires_at: '2026-11-22T11:00:00.000Z',
  revision: 1,
  version: 1,
  terms: {
    order: { order_no: 'A-1', currency, amount: '10.00' },
    methods: [
      { type: 'card' },
      { type: 'apm', payment_method: 'PIX', label: 'Pix', fields: ['person.document_number'] },
    ],
    installment_options: [],
    saved_cards: [],
    collect: ['email', 'phone', 'document', 'delivery_address'],
  },
  state: { status: 'open' },
});

/** The paths that a payment is refused for. */
function refused(currency: string, body: PayBody): string[] {
  try {
    checkedFields(clock, session(currency), body);
  } catch (error) {
    if (error instanceof ProblemError) return error.errors.map(({ path }) => path);
    throw error;
  }
  return [];
}

describe('a sample number', () => {
  it.each(sampleNumbers)('of $country is taken: $value as $path', ({ currency, path, value }) => {
    expect(refused(currency, { ...card, [path]: value })).toEqual([]);
    if (path !== 'document') return;
    expect(refused(currency, { payment_method: 'PIX', person: { document_number: value } })).toEqual([]);
  });
});

describe.each(TEST_CARDS)('the test card %s', (number) => {
  const typed = {
    document: number,
    shopper_email: `${number}@example.com`,
    shopper_phone: number,
    delivery_address: `Box ${number}`,
    delivery_lastname: number,
  };

  it('is refused in every other field while it is paid with', () => {
    expect(refused('USD', { ...card, card: number, ...typed })).toEqual(Object.keys(typed));
    const halves = { first_name: number.slice(0, 8), last_name: number.slice(8) };
    expect(refused('USD', { ...card, card: number, ...halves })).toEqual(['first_name']);
  });

  it('is refused beside another card in names and addresses alone', () => {
    const { shopper_phone: _, ...others } = typed;
    const [first, second] = TEST_CARDS;
    const paid = number === first ? second : first;
    expect(refused('USD', { ...card, ...(paid && { card: paid }), ...others })).toEqual([
      'delivery_address',
      'delivery_lastname',
    ]);
  });
});

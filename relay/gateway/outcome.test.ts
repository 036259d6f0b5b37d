import { describe, expect, it } from 'vitest';
import type { CallResult } from './call.ts';
import { readOutcome } from './outcome.ts';
import { profile } from './profile.ts';

const { codes } = profile.parse({});
const expected = { merchant_id: '1', account_id: '2', order_no: 'A', amount: '129.90', currency: 'BRL' };
const approved = {
  ...expected,
  transaction_id: 'T1',
  card: '411111******1111',
  order_status: '1',
  result_info: '0000:Success',
};
const own = { card: '4111111111111111', security_code: '737' };

function outcomeOf(answer: Record<string, string>): ReturnType<typeof readOutcome> {
  const called: CallResult = { kind: 'answer', message: answer, evidence: () => ({}) };
  return readOutcome(called, expected, codes, own);
}

describe('the outcome of an answer', () => {
  it('is approved when status and result both say so', () => {
    expect(outcomeOf({ ...approved, recurring_id: 'R1' })).toEqual({
      kind: 'approved',
      transaction_id: 'T1',
      card: '411111******1111',
      result: { code: '0000', message: 'Success' },
      recurring_id: 'R1',
      details: {},
    });
  });

  it('is declined when both say so, with what the shopper can do', () => {
    const declined = { ...approved, order_status: '0', result_info: '2001:Do not honour: ask' };
    expect(outcomeOf(declined)).toMatchObject({
      kind: 'declined',
      result: { code: '2001', message: 'Do not honour: ask' },
      advice: 'contact_bank',
    });
    expect(outcomeOf({ ...declined, result_info: '9:New' })).toMatchObject({ advice: 'try_another_card' });
  });

  it('is a redirect when there is an issuer_url', () => {
    expect(outcomeOf({ ...expected, issuer_url: 'https://bank.example/' })).toEqual({
      kind: 'redirect',
      issuer_url: 'https://bank.example/',
    });
  });

  it.each([
    ['order_no', { order_no: '5000000000000009' }],
    ['transaction_id', { transaction_id: '5000000000000009' }],
    ['merchant_id', { merchant_id: '5000000000000009' }],
    ['account_id', { account_id: '5000000000000009' }],
  ])('is a redirect when the address has a card-like %s', (_name, field) => {
    const issuer_url = 'https://bank.example/pay?id=5000000000000009';
    const message = { ...expected, ...field, issuer_url };
    const called: CallResult = { kind: 'answer', message, evidence: () => ({}) };
    expect(readOutcome(called, { ...expected, ...field }, codes, own)).toMatchObject({ kind: 'redirect', issuer_url });
    const paying = { card: '5000000000000009' };
    expect(readOutcome(called, { ...expected, ...field }, codes, paying)).toMatchObject({
      reason: 'card_in_issuer_url',
    });
    expect(outcomeOf({ ...expected, issuer_url })).toMatchObject({ reason: 'card_in_issuer_url' });
  });

  it.each([
    ['a result', { result_info: '0001:Pending' }],
    ['no result', { result_info: '' }],
  ])('is pending by a code that the book lists, with %s', (_, change) => {
    const book = profile.parse({ codes: { order_status: { approved: ['1'], declined: ['0'], pending: ['2'] } } }).codes;
    const message = { ...approved, order_status: '2', ...change };
    const called: CallResult = { kind: 'answer', message, evidence: () => ({}) };
    const outcome = readOutcome(called, expected, book, own);
    expect(outcome).toEqual({ kind: 'pending', transaction_id: 'T1' });
    expect(readOutcome({ ...called, unsigned: true }, expected, book, own)).toEqual({ ...outcome, unsigned: true });
    expect(readOutcome({ ...called, message: { ...message, amount: '1.00' } }, expected, book, own)).toMatchObject({
      reason: 'echo_mismatch',
    });
    const issuer_url = 'https://bank.example/';
    expect(readOutcome({ ...called, message: { ...message, issuer_url } }, expected, book, own)).toEqual({
      kind: 'redirect',
      issuer_url,
      transaction_id: 'T1',
    });
    expect(outcomeOf(message)).toMatchObject({ kind: 'unknown', reason: 'codes_not_listed', signed_id: 'T1' });
  });

  const unknowns: Record<string, [Record<string, string>, string]> = {
    'approved by status, not by result': [{ order_status: '1', result_info: '2001:no' }, 'codes_disagree'],
    'declined by status, success by result': [{ order_status: '0', result_info: '0000:Success' }, 'codes_disagree'],
    'a status that the book does not list': [{ order_status: '7' }, 'codes_not_listed'],
    'no status': [{ order_status: '' }, 'codes_not_listed'],
    'no result': [{ result_info: '' }, 'codes_not_listed'],
    'a result that is not code and message': [{ result_info: '0000' }, 'codes_not_listed'],
    'a redirect to an address with the card': [
      { order_status: '', issuer_url: 'https://bank.example/?pan=4111%201111%201111%201111' },
      'card_in_issuer_url',
    ],
    'a redirect to an address with some card': [
      { order_status: '', issuer_url: 'https://bank.example/5555-5555-5555-4444/3ds' },
      'card_in_issuer_url',
    ],
    'approved and a redirect at once': [{ issuer_url: 'https://bank.example/' }, 'codes_disagree'],
    'a payment without a transaction_id': [{ transaction_id: '' }, 'no_transaction_id'],
    'a payment whose transaction_id is too long': [{ transaction_id: 'T'.repeat(256) }, 'no_transaction_id'],
    'a payment whose transaction_id cannot be printed': [{ transaction_id: 'T\u202e1' }, 'no_transaction_id'],
    'another order': [{ order_no: 'B' }, 'echo_mismatch'],
    'another amount': [{ amount: '129.91' }, 'echo_mismatch'],
    'no amount': [{ amount: '' }, 'echo_mismatch'],
    'another currency': [{ currency: 'USD' }, 'echo_mismatch'],
    'another merchant': [{ merchant_id: '9' }, 'echo_mismatch'],
    'another account': [{ account_id: '9' }, 'echo_mismatch'],
  };
  for (const [what, [change, reason]] of Object.entries(unknowns)) {
    it(`is unknown for ${what}`, () => {
      expect(outcomeOf({ ...approved, ...change })).toMatchObject({ kind: 'unknown', reason });
    });
  }

  it.each([
    ['another order_no', { order_no: 'a' }, 'echo_mismatch'],
    ['an order_no with a blank', { order_no: 'A ' }, 'echo_mismatch'],
    ['another amount', { amount: '129.91' }, 'echo_mismatch'],
    ['no transaction_id', { transaction_id: '' }, 'no_transaction_id'],
  ])('keeps in mind a signed approval with %s', (_, change, reason) => {
    const called: CallResult = { kind: 'answer', message: { ...approved, ...change }, evidence: () => ({}) };
    expect(readOutcome(called, expected, codes, own)).toMatchObject({ kind: 'unknown', reason, signed_approval: true });
    const unsigned = readOutcome({ ...called, unsigned: true }, expected, codes, own);
    expect(unsigned).not.toHaveProperty('signed_approval');
    const declined = { ...approved, ...change, order_status: '0', result_info: '2001:no' };
    expect(outcomeOf(declined)).not.toHaveProperty('signed_approval');
    expect(outcomeOf({ ...declined, order_status: '1' })).not.toHaveProperty('signed_approval');
  });

  it.each([
    ['codes that are not listed', { order_status: '9' }],
    ['codes that disagree', { order_status: '1', result_info: '2001:no' }],
  ])('keeps the transaction of a signed answer with %s', (_, change) => {
    const called: CallResult = { kind: 'answer', message: { ...approved, ...change }, evidence: () => ({}) };
    const { transaction_id: signed_id } = approved;
    expect(readOutcome(called, expected, codes, own)).toMatchObject({ kind: 'unknown', signed_id });
    expect(readOutcome({ ...called, unsigned: true }, expected, codes, own)).not.toHaveProperty('signed_id');
    expect(outcomeOf({ ...approved, ...change, order_no: 'other' })).not.toHaveProperty('signed_id');
    expect(outcomeOf({ ...approved, ...change, transaction_id: '' })).not.toHaveProperty('signed_id');
  });

  it('keeps no identifier that is too long or cannot be printed', () => {
    for (const odd of ['R'.repeat(256), 'R\n1', 'R\u200b1']) {
      expect(outcomeOf({ ...approved, recurring_id: odd })).not.toHaveProperty('recurring_id');
      const declined = { ...approved, order_status: '0', result_info: '2001:no', transaction_id: odd };
      expect(outcomeOf(declined)).not.toHaveProperty('transaction_id');
      const redirected = { ...expected, issuer_url: 'https://bank.example/', transaction_id: odd };
      expect(outcomeOf(redirected)).not.toHaveProperty('transaction_id');
    }
  });

  it('takes a currency in small letters for the same', () => {
    expect(outcomeOf({ ...approved, currency: 'brl' }).kind).toBe('approved');
    expect(outcomeOf({ ...approved, currency: 'brl ' })).toMatchObject({ reason: 'echo_mismatch' });
  });

  it('compares amounts by value', () => {
    expect(outcomeOf({ ...approved, amount: '129.9' }).kind).toBe('approved');
  });

  it('shows no card data that the gateway sent back', () => {
    const leaky = {
      ...approved,
      order_status: '0',
      card: '4111111111111111',
      result_info: '2001:4111111111111111 with 737',
      transaction_id: '4111111111111111',
    };
    const shown = JSON.stringify(outcomeOf(leaky));
    expect(shown).not.toContain('4111111111111111');
    expect(shown).not.toContain('737');
  });

  it('keeps codes and identifiers that look like the security code', () => {
    const called: CallResult = {
      kind: 'answer',
      message: { ...approved, transaction_id: '5e737a-1' },
      evidence: () => ({}),
    };
    expect(readOutcome(called, expected, codes, { ...own, security_code: '737' })).toMatchObject({
      kind: 'approved',
      transaction_id: '5e737a-1',
    });
    expect(readOutcome(called, expected, codes, { ...own, security_code: '0000' })).toMatchObject({
      kind: 'approved',
      result: { code: '0000' },
    });
    const message = { ...approved, order_status: '0', result_info: '2001:no' };
    expect(readOutcome({ ...called, message }, expected, codes, { ...own, security_code: '2001' })).toMatchObject({
      result: { code: '2001' },
      advice: 'contact_bank',
    });
  });

  it('names a refused message by its HTTP status', () => {
    const refused: CallResult = { kind: 'refused', status: 404, evidence: { http_status: 404 } };
    expect(readOutcome(refused, expected, codes, own)).toMatchObject({
      kind: 'refused',
      result: { code: 'http_404', message: 'Record not found' },
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import { profile } from '../gateway/profile.ts';
import { findAttempt } from './find.ts';
import type { Attempt } from './session.ts';

const codes = { ...profile.parse({}).codes.payment_status, pending: ['2000'] };

function attempt(id: string, change: Partial<Attempt> = {}): Attempt {
  return {
    id,
    session_id: 'cs_1',
    account: 'demo',
    order_no: 'A',
    method: 'card',
    amount: '10.00',
    currency: 'BRL',
    started_at: '2026-01-01T00:00:00.000Z',
    state: { status: 'unknown', reason: 'timeout', evidence: {} },
    ...change,
  };
}

function record(transaction_id: string, payment_status: string, change: Partial<OrderRecord> = {}): OrderRecord {
  return { order_no: 'A', amount: '10.00', currency: 'BRL', transaction_id, payment_status, ...change };
}

const one = attempt('1');
const declinedBefore = attempt('0', {
  transaction_id: 'T0',
  state: { status: 'declined', result: { code: '2001', message: '' } },
});

describe('what a query tells about an attempt', () => {
  it('is approved by an approved record that belongs to no other attempt', () => {
    expect(findAttempt(one, [one], [record('T1', '3000')], codes)).toEqual({ kind: 'approved', transaction_id: 'T1' });
  });

  it('is not approved by the record of an earlier attempt', () => {
    const paidBefore = attempt('0', { transaction_id: 'T1', state: { status: 'approved' } });
    expect(findAttempt(one, [paidBefore, one], [record('T1', '3000')], codes)).toEqual({ kind: 'absent' });
  });

  it('is not approved by a later charge of the contract that another attempt began', () => {
    const began = attempt('0', { transaction_id: 'T0', state: { status: 'approved', recurring_id: 'R1' } });
    const charge = record('T1', '3000', { subscription_result: { recurring_id: 'R1' } });
    expect(findAttempt(one, [began, one], [charge], codes)).toEqual({ kind: 'absent' });
  });

  it('takes the recurring_id along', () => {
    const subscribed = record('T1', '3000', { subscription_result: { recurring_id: 'R1' } });
    expect(findAttempt(one, [one], [subscribed], codes)).toMatchObject({ recurring_id: 'R1' });
  });

  it('is declined by a declined record of its own', () => {
    expect(findAttempt(one, [one], [record('T1', '4100', { decline_reason: 'no funds' })], codes)).toEqual({
      kind: 'declined',
      transaction_id: 'T1',
      result: { code: '4100', message: 'no funds' },
    });
  });

  it('is not declined by the decline of an earlier attempt', () => {
    expect(findAttempt(one, [declinedBefore, one], [record('T0', '4100')], codes)).toEqual({ kind: 'absent' });
  });

  it('is declined only when every attempt that was sent has a declined record', () => {
    const left = attempt('0', { state: { status: 'not_paid' } });
    expect(findAttempt(one, [left, one], [record('T1', '4100')], codes).kind).toBe('absent');
    expect(findAttempt(one, [left, one], [record('T0', '4100'), record('T1', '4100')], codes).kind).toBe('declined');
  });

  it('asks of each amount for as many declined records as attempts were sent with it', () => {
    const cheaper = attempt('0', { amount: '5.00', state: { status: 'not_paid' } });
    const half = { amount: '5.00' };
    expect(findAttempt(one, [cheaper, one], [record('T1', '4100')], codes).kind).toBe('absent');
    expect(findAttempt(one, [cheaper, one], [record('T1', '4100'), record('T2', '4100')], codes).kind).toBe('absent');
    expect(findAttempt(one, [cheaper, one], [record('T1', '4100'), record('T0', '4100', half)], codes)).toMatchObject({
      kind: 'declined',
      transaction_id: 'T1',
    });
  });

  it('is told nothing by the record of an attempt that was left with another amount, which that one is proved by', () => {
    const left = attempt('0', { amount: '5.00', state: { status: 'not_paid' } });
    const paid = [record('T0', '3000', { amount: '5.00' })];
    expect(findAttempt(one, [left, one], paid, codes).kind).toBe('absent');
    expect(findAttempt(left, [left, one], paid, codes)).toMatchObject({ kind: 'approved', transaction_id: 'T0' });
    const declined = attempt('0', {
      amount: '5.00',
      state: { status: 'declined', result: { code: '1', message: '' } },
    });
    expect(findAttempt(one, [declined, one], paid, codes).kind).toBe('undecided');
  });

  it('asks for no record of an attempt that the gateway never took', () => {
    const refused = attempt('0', { state: { status: 'not_sent' } });
    expect(findAttempt(one, [refused, one], [record('T1', '4100')], codes).kind).toBe('declined');
  });

  it('is undecided by a pending record, and by a code that the book does not list', () => {
    expect(findAttempt(one, [one], [record('T1', '2000')], codes)).toEqual({ kind: 'undecided', reason: 'pending' });
    expect(findAttempt(one, [one], [record('T1', '77')], codes)).toMatchObject({ reason: 'codes_not_listed' });
  });

  it('is approved even if another record of the order was declined', () => {
    expect(findAttempt(one, [one], [record('T0', '4100'), record('T1', '3000')], codes).kind).toBe('approved');
  });

  for (const change of [{ amount: '10.01' }, { currency: 'USD' }]) {
    it(`is neither paid nor given up by an approved record with another ${Object.keys(change)}`, () => {
      expect(findAttempt(one, [one], [record('T1', '3000', change)], codes).kind).toBe('undecided');
      expect(findAttempt(one, [one], [record('T1', '4100', change)], codes).kind).toBe('absent');
    });
  }

  it('is not touched by the record of another order', () => {
    expect(findAttempt(one, [one], [record('T1', '3000', { order_no: 'B' })], codes)).toEqual({ kind: 'absent' });
  });

  it('passes over an approved record that names no transaction, where another one names one', () => {
    const records = [record('T1', '3000'), record('', '3000')];
    expect(findAttempt(one, [one], records, codes)).toEqual({ kind: 'approved', transaction_id: 'T1' });
  });

  it('is undecided by an approved record that names no transaction', () => {
    expect(findAttempt(one, [one], [record('', '3000')], codes).kind).toBe('undecided');
  });

  it('keeps its own transaction_id where a record has it', () => {
    const known = attempt('1', { transaction_id: 'T1' });
    expect(findAttempt(known, [known], [record('T1', '3000'), record('T2', '3000')], codes)).toMatchObject({
      transaction_id: 'T1',
    });
  });
});

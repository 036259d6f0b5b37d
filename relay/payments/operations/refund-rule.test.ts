import { describe, expect, it } from 'vitest';
import { unknownRefund } from '../../../test/support/payments/operations.ts';
import type { OperationState, StoredOperation } from './operation.ts';
import {
  countedRefunds,
  type RefundedPayment,
  type Reservation,
  refundItems,
  refundRefusal,
  reservationsOf,
  withRemembered,
} from './refund-rule.ts';

const refund = (amount: bigint, more: Partial<Reservation> = {}): Reservation => ({
  transaction_id: 'T1',
  currency: 'BRL',
  amount,
  original: 1000n,
  ...more,
});
const paid = { amount: '10.00', currency: 'BRL' };
const refusal = (refunds: Reservation[], payment: RefundedPayment = {}) => refundRefusal(refunds, () => payment);

describe('a refund of a payment that the relay made', () => {
  it('takes all that is left, and not a cent more', () => {
    expect(refusal([refund(1000n)], { paid })).toBeUndefined();
    expect(refusal([refund(1001n)], { paid })).toEqual({ kind: 'refund_exceeds_payment', item: 0, left: 1000n });
    expect(refusal([refund(400n)], { paid, sum: 600n })).toBeUndefined();
    expect(refusal([refund(401n)], { paid, sum: 600n })).toMatchObject({ left: 400n });
    expect(refusal([refund(1n)], { paid, sum: 1200n })).toMatchObject({ left: 0n });
  });

  it('is limited by what was paid, whatever the shop says that was', () => {
    expect(refusal([refund(1000n, { original: 500n })], { paid, original: 300n })).toBeUndefined();
    expect(refusal([refund(1001n, { original: 5000n })], { paid })).toMatchObject({ left: 1000n });
  });

  it('is limited with those before it in the batch, payment by payment', () => {
    const batch = [refund(600n), refund(700n, { transaction_id: 'T2' }), refund(400n), refund(1n)];
    expect(refusal(batch, { paid })).toEqual({ kind: 'refund_exceeds_payment', item: 3, left: 0n });
    expect(refusal(batch.slice(0, 3), { paid })).toBeUndefined();
  });

  it('is in the payment’s own currency', () => {
    expect(refusal([refund(1n), refund(1n, { currency: 'USD' })], { paid })).toEqual({
      kind: 'refund_of_other_currency',
      item: 1,
      currency: 'BRL',
    });
    expect(refusal([refund(1n, { currency: 'USD' })], { paid, currency: 'USD' })).toMatchObject({ currency: 'BRL' });
  });

  it('is refused where another amount was refunded than its caller knows', () => {
    expect(refusal([refund(100n, { refunded: 300n })], { paid, sum: 300n })).toBeUndefined();
    expect(refusal([refund(100n, { refunded: 0n })], { paid })).toBeUndefined();
    expect(refusal([refund(100n, { refunded: 200n })], { paid, sum: 300n })).toEqual({
      kind: 'refunded_meanwhile',
      item: 0,
    });
  });
});

describe('a refund of a payment that the relay did not make', () => {
  it('is limited by the smallest original amount that was told', () => {
    expect(refusal([refund(1000n)])).toBeUndefined();
    expect(refusal([refund(1001n)])).toMatchObject({ left: 1000n });
    expect(refusal([refund(801n)], { original: 800n })).toMatchObject({ left: 800n });
    expect(refusal([refund(1001n)], { original: 1200n })).toMatchObject({ left: 1000n });
    const batch = [refund(100n), refund(500n, { original: 599n })];
    expect(refusal(batch)).toEqual({ kind: 'refund_exceeds_payment', item: 1, left: 499n });
    expect(refusal([refund(100n, { original: 599n }), refund(500n)])).toMatchObject({ item: 1, left: 499n });
  });

  it('is in the currency of its earlier refunds, else in its own', () => {
    expect(refusal([refund(1n)], { currency: 'USD' })).toMatchObject({ currency: 'USD' });
    expect(refusal([refund(1n), refund(1n, { currency: 'USD' })])).toMatchObject({ item: 1, currency: 'BRL' });
  });
});

describe('a payment whose earlier refunds are only remembered', () => {
  const past = { sum: 300n, original: 900n, currency: 'BRL' };

  it('counts them', () => {
    expect(withRemembered({ sum: 200n }, past)).toEqual({ sum: 500n, original: 900n, currency: 'BRL' });
    expect(withRemembered({ paid }, past)).toEqual({ paid, ...past });
  });

  it('keeps the smallest original amount', () => {
    expect(withRemembered({ original: 800n }, past).original).toBe(800n);
    expect(withRemembered({ original: 1000n }, past).original).toBe(900n);
  });

  it('is as it is where none are', () => {
    expect(withRemembered({ sum: 200n }, undefined)).toEqual({ sum: 200n });
  });
});

describe('what a refund reserves', () => {
  const item = { transaction_id: 'T1', currency: 'BRL', amount: '10.00', refund_amount: '2.50' };
  const reserved = { transaction_id: 'T1', currency: 'BRL', amount: 250n, original: 1000n };

  it('is each item’s amount in minor units', () => {
    const dinars = { transaction_id: 'T2', currency: 'KWD', amount: '1.000', refund_amount: '0.125' };
    expect(reservationsOf([item, dinars])).toEqual([
      reserved,
      { transaction_id: 'T2', currency: 'KWD', amount: 125n, original: 1000n },
    ]);
  });

  it('tells what must be refunded before, once for each payment', () => {
    const other = { ...item, transaction_id: 'T2' };
    expect(reservationsOf([item, item, other], new Map([['T1', 150n]]))).toEqual([
      { ...reserved, refunded: 150n },
      reserved,
      { ...reserved, transaction_id: 'T2', refunded: 0n },
    ]);
  });

  it('is read from the refund’s message alone', () => {
    expect(refundItems({ refund_orders: [item] })).toEqual([item]);
    expect(refundItems({ refund_orders: [{ ...item, refund_amount: '11.00' }] })).toEqual([]);
    expect(refundItems({})).toEqual([]);
  });
});

describe('whether refunds still count as refunded', () => {
  const settlement = { by: 'person', who: 'ops', items: ['failed', 'unknown', 'succeeded'] } as const;
  const refunds = { refund_orders: [{}, {}] };
  const state = (one: OperationState, more: Partial<StoredOperation> = {}) =>
    countedRefunds(unknownRefund({ request: refunds, state: one, ...more }));

  it('follows from the result of each', () => {
    expect(state({ status: 'answered', answer: {}, items: ['failed', 'unknown', 'succeeded'] })).toEqual([
      false,
      true,
      true,
    ]);
    expect(state({ status: 'settled', settlement: { ...settlement, items: [...settlement.items] } })).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('is no for all that were not made', () => {
    expect(state({ status: 'refused', evidence: {} })).toEqual([false, false]);
    expect(state({ status: 'not_sent' })).toEqual([false, false]);
    expect(state({ status: 'refused', evidence: {} }, { request: {} })).toEqual([]);
    expect(state({ status: 'not_sent' }, { request: { refund_orders: 'x' } })).toEqual([]);
  });

  it('does not change while the result is unknown', () => {
    expect(state({ status: 'refused', evidence: {}, reserved: true })).toEqual([]);
    expect(state({ status: 'in_flight' })).toEqual([]);
    expect(countedRefunds(unknownRefund({ request: refunds }))).toEqual([]);
    expect(state({ status: 'not_sent' }, { name: 'capture' })).toEqual([]);
  });
});

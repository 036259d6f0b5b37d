import { describe, expect, it } from 'vitest';
import { unknownRefund } from '../../../test/support/payments/operations.ts';
import type { OperationState, StoredOperation } from '../operations/operation.ts';
import {
  effectsOn,
  type PaymentOperation,
  recentRefusals,
  undecidedRefunds,
  withCountedRefusals,
} from './payment-operation.ts';

describe('the refunds of a payment that are undecided', () => {
  const item = { transaction_id: 'T1', currency: 'BRL', amount: '10.00', refund_amount: '2.50' };
  const other = { ...item, transaction_id: 'T2' };
  const refund = (id: string, refund_orders: object[], more: Partial<StoredOperation> = {}): StoredOperation =>
    unknownRefund({ id, request: { refund_orders }, ...more });

  it('are those in flight, unknown, and refused ones that still count', () => {
    const answered: OperationState = { status: 'answered', answer: {}, items: ['succeeded', 'unknown'] };
    const operations = [
      refund('op_1', [other, item]),
      refund('op_2', [item, item], { state: answered }),
      refund('op_3', [item], { state: { status: 'refused', evidence: {} } }),
      refund('op_4', [item], { state: { status: 'in_flight' } }),
    ];
    const found = { name: 'refund', amount: '2.50', currency: 'BRL', outcome: 'unknown' };
    expect(undecidedRefunds(operations, 'T1')).toEqual(
      ['op_1', 'op_2', 'op_4'].map((operation_id) => ({ operation_id, ...found })),
    );
  });
});

describe('what operations did to a payment', () => {
  const one = (name: PaymentOperation['name'], more: Partial<PaymentOperation> = {}): PaymentOperation => ({
    ...{ transaction_id: 'T1', operation_id: 'op_1', name, amount: '10.00', currency: 'BRL', outcome: 'succeeded' },
    ...more,
  });

  it('adds up captures of its currency', () => {
    const captures = [
      one('capture', { amount: '1.50' }),
      one('capture', { amount: '2.00' }),
      one('capture', { amount: '4.00', outcome: 'unknown' }),
      one('capture', { outcome: 'failed' }),
      one('capture', { currency: 'USD' }),
    ];
    expect(effectsOn('BRL', captures)).toMatchObject({ captured: 350n, captureUndecided: 400n, isCancelled: false });
  });

  it('distinguishes a rejection from an acceptance by the flag', () => {
    const [no, yes] = [one('review', { flag: 'NO' }), one('review', { flag: 'YES' })];
    expect(effectsOn('BRL', [no], ['NO'])).toMatchObject({ isRejected: true });
    expect(effectsOn('BRL', [yes], ['NO'])).toMatchObject({ isRejected: false });
    expect(effectsOn('BRL', [no], [])).toMatchObject({ isRejected: false });
    expect(effectsOn('BRL', [{ ...no, outcome: 'unknown' }], ['NO'])).toMatchObject({ isRejected: false });
  });

  it('is a cancellation that succeeded alone', () => {
    expect(effectsOn('BRL', [one('cancel')]).isCancelled).toBe(true);
    expect(
      effectsOn('BRL', [one('cancel', { outcome: 'unknown' }), one('cancel', { outcome: 'failed' })]).isCancelled,
    ).toBe(false);
  });
});

it('a refusal counts for a while, with tolerance for clock skew', () => {
  const period = recentRefusals(new Date('2026-01-01T12:15:00.000Z'), 900_000);
  expect(period).toEqual({ after: '2026-01-01T12:00:00.000Z', until: '2026-01-01T12:15:02.000Z' });
  const one: PaymentOperation = {
    ...{ transaction_id: 'T1', operation_id: 'op_1', name: 'capture', amount: '10.00', currency: 'BRL' },
    outcome: 'failed',
  };
  const at = (refused_at: string) => withCountedRefusals([{ ...one, refused_at }], period)[0]?.outcome;
  expect([at('2026-01-01T12:00:00.001Z'), at(period.until)]).toEqual(['unknown', 'unknown']);
  expect([at(period.after), at('2026-01-01T12:15:02.001Z')]).toEqual(['failed', 'failed']);
  expect(withCountedRefusals([one], period)).toEqual([one]);
});

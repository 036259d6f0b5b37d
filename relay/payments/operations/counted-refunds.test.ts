import { describe, expect, it } from 'vitest';
import { unknownRefund } from '../../../test/support/payments/operations.ts';
import { countedRefunds, refundItems, refundItemsOf } from './counted-refunds.ts';
import type { OperationState, StoredOperation } from './operation.ts';

it('the refunds of a message are read from it alone', () => {
  const item = { transaction_id: 'T1', currency: 'BRL', amount: '10.00', refund_amount: '2.50' };
  expect(refundItems({ refund_orders: [item] })).toEqual([item]);
  expect(refundItems({ refund_orders: [{ ...item, refund_amount: '11.00' }] })).toEqual([]);
  expect(refundItems({})).toEqual([]);
});

it('the refunds of one payment keep their positions in the message', () => {
  const item = { transaction_id: 'T1', currency: 'BRL', amount: '10.00', refund_amount: '2.50' };
  const message = { refund_orders: [{ ...item, transaction_id: 'T2' }, item, { ...item, refund_amount: '11.00' }] };
  expect(refundItemsOf(message, 'T1')).toEqual([{ at: 1, item }]);
  expect(refundItemsOf({}, 'T1')).toEqual([]);
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

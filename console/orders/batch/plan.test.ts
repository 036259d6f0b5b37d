import { describe, expect, it } from 'vitest';
import type { OrderWithTimeline } from '../../../shared/api/order.ts';
import { isLarge, planOf, sumsOf, withExtra } from './plan.ts';

const sums = { captured: '0.00', refunded: '4.00', refund_undecided: '0.00', refundable: '6.00', capturable: '0.00' };
const payment: OrderWithTimeline['payments'][number] = {
  ...{ transaction_id: 'T1', order_no: 'A-1', amount: '10.00', currency: 'BRL', proof: 'answer', status: 'paid' },
  ...{ paid_at: '2027-03-31T10:14:00Z', credited: true, operations: [], ...sums },
};

function orderOf(...payments: OrderWithTimeline['payments']): OrderWithTimeline {
  return {
    ...{ order_no: 'A-1', status: 'paid', amount: '10.00', currency: 'BRL', created_at: '2027-03-31T10:14:00Z' },
    ...{ sessions: [], payments, timeline: [], needs_attention: false, ...sums },
  };
}

const noRule = () => undefined;

describe('the plan of a batch', () => {
  it('refunds the rest, and names the earlier refunds', () => {
    const item = { order_no: 'A-1', refund_amount: '6.00', refunded: '4.00', amount: '10.00' };
    expect(planOf('refund', 'A-1', orderOf(payment), noRule)).toMatchObject({ orderNo: 'A-1', item });
  });

  it.each([
    ['that could not be read', undefined, 'not_read'],
    ['without a payment', orderOf(), 'nothing'],
    ['with nothing left', orderOf({ ...payment, refundable: '0.00' }), 'nothing'],
    ['with two payments', orderOf(payment, { ...payment, transaction_id: 'T2' }), 'several'],
  ])('leaves out an order %s', (_, order, leftOut) => {
    expect(planOf('refund', 'A-1', order, noRule)).toEqual({ orderNo: 'A-1', leftOut });
  });

  it('leaves out amounts above the limit of the person', () => {
    const ruleOf = (amount: string, currency: string) => `${amount} ${currency}`;
    expect(planOf('refund', 'A-1', orderOf(payment), ruleOf)).toEqual({
      ...{ orderNo: 'A-1', leftOut: { rule: '6.00 BRL' } },
    });
  });

  it('adds up each currency, and compares the sums', () => {
    const item = { transaction_id: 'T1', order_no: 'A-1', amount: '10.00' };
    const sums = sumsOf([
      { ...item, currency: 'BRL', refund_amount: '6.00' },
      { ...item, currency: 'USD' },
      { ...item, currency: 'BRL' },
    ]);
    expect(sums).toEqual([
      ['BRL', '16.00'],
      ['USD', '10.00'],
    ]);
    expect(isLarge(sums, { BRL: '15.99' })).toBe(true);
    expect(isLarge(sums, { BRL: '16.00', EUR: '1.00' })).toBe(false);
  });

  it('gives refunds their reason, and reviews their flag', () => {
    const item = { transaction_id: 'T1', order_no: 'A-1', amount: '10.00', currency: 'BRL' };
    expect(withExtra('refund', item, 'recall')).toEqual({ ...item, refund_reason: 'recall' });
    expect(withExtra('refund', item, '')).toEqual(item);
    expect(withExtra('review', item, 'OK')).toEqual({ ...item, review_flag: 'OK' });
    expect(withExtra('cancel', item, 'x')).toEqual(item);
  });
});

import { expect, it } from 'vitest';
import type { OrderWithTimeline } from '../../shared/api/order.ts';
import type { MoneyAction } from '../api/api.ts';
import words from '../locales/en.json' with { type: 'json' };
import { meanwhileOf, paymentIn } from './money-action.ts';

type Tried = Extract<OrderWithTimeline['timeline'][number], { type: 'operation' }>;

const payment = {
  ...{ transaction_id: 'T1', amount: '129.90', currency: 'BRL', proof: 'answer' as const, status: 'paid' as const },
  ...{ paid_at: '2027-03-31T10:14:00Z', credited: true, captured: '0.00', capturable: '129.90' },
};

/** An order of one payment, with an operation of each of these names. */
function orderWith(refunded: string, refundable: string, ...names: MoneyAction[]): OrderWithTimeline {
  const timeline = names.map((operation, n): Tried => {
    const at = '2027-03-31T10:15:00Z';
    return { type: 'operation', at, id: `op_${n}`, by: 'server', operation, status: 'in_flight', items: [] };
  });
  const sums = { amount: '129.90', currency: 'BRL', captured: '0.00', refunded, refundable };
  const payments = [{ ...payment, refunded, refund_undecided: '0.00', refundable }];
  return {
    order_no: 'A-1',
    status: 'paid',
    needs_attention: false,
    created_at: '',
    sessions: [],
    ...sums,
    payments,
    timeline,
  };
}

function meanwhile(action: MoneyAction, before: OrderWithTimeline, now: OrderWithTimeline): string | undefined {
  const [first, last] = [before, now].map((order) => paymentIn(order, action, 'T1'));
  return first && last && meanwhileOf(words, first, last, (amount) => `R$${amount}`);
}

const untouched = orderWith('0.00', '129.90');

it('notices what somebody else refunded', () => {
  expect(meanwhile('refund', untouched, orderWith('20.00', '109.90', 'refund'))).toContain('R$20.00');
});

it.each(['capture', 'cancel', 'review'] as const)('notices that somebody else began a %s', (action) => {
  expect(meanwhile(action, untouched, orderWith('0.00', '129.90', action))).toBe(words.dialog.changed_meanwhile);
});

it('is not held up by what has nothing to do with it', () => {
  expect(meanwhile('capture', untouched, orderWith('0.00', '129.90', 'review'))).toBeUndefined();
});

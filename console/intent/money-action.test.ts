import { describe, expect, it } from 'vitest';
import type { OrderWithTimeline } from '../../shared/api/order.ts';
import type { MoneyAction } from '../api/api.ts';
import words from '../locales/en.json' with { type: 'json' };
import { isPossible, maxOf, meanwhileOf, paymentIn } from './money-action.ts';

type Tried = Extract<OrderWithTimeline['timeline'][number], { type: 'operation' }>;

const payment = {
  ...{ transaction_id: 'T1', amount: '129.90', currency: 'BRL', proof: 'answer' as const, status: 'paid' as const },
  ...{ paid_at: '2027-03-31T10:14:00Z', credited: true, captured: '0.00', capturable: '129.90' },
  ...{ order_no: 'A-1', operations: [] },
};

/** An order of one payment, with an operation of each of these names. */
function orderWith(refunded: string, refundable: string, ...names: MoneyAction[]): OrderWithTimeline {
  const timeline = names.map((operation, n): Tried => {
    const at = '2027-03-31T10:15:00Z';
    return { type: 'operation', at, id: `op_${n}`, by: 'server', operation, status: 'in_flight', items: [] };
  });
  const sums = { amount: '129.90', currency: 'BRL', captured: '0.00', refunded, refund_undecided: '0.00', refundable };
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

it('detects a refund by another person', () => {
  expect(meanwhile('refund', untouched, orderWith('20.00', '109.90', 'refund'))).toContain('R$20.00');
});

it.each(['capture', 'cancel', 'review'] as const)('detects a %s by another person', (action) => {
  expect(meanwhile(action, untouched, orderWith('0.00', '129.90', action))).toBe(words.dialog.changed_meanwhile);
});

it('shows that less can be captured', () => {
  const now = { ...untouched, payments: untouched.payments.map((one) => ({ ...one, capturable: '0.00' })) };
  expect(meanwhile('capture', untouched, now)).toBe(words.dialog.changed_meanwhile);
});

it('is not held up by what has nothing to do with it', () => {
  expect(meanwhile('capture', untouched, orderWith('0.00', '129.90', 'review'))).toBeUndefined();
});

const actions = ['refund', 'capture', 'cancel', 'review'] as const;
type Sums = Partial<OrderWithTimeline['payments'][number]>;
type Done = [operation: MoneyAction, outcome?: 'succeeded' | 'failed' | 'unknown', transaction_id?: string];

/** The actions that are possible for a payment with these sums and earlier operations. */
function possible(sums: Sums, ...done: Done[]): MoneyAction[] {
  const order = orderWith('0.00', '129.90', ...done.map(([operation]) => operation));
  const timeline = order.timeline.map((entry, n) => {
    const [, outcome, transaction_id = 'T1'] = done[n] ?? [];
    const request = { transaction_id, order_no: 'A-1' };
    return { ...entry, items: [{ request, ...(outcome ? { outcome } : {}) }] };
  });
  return order.payments.flatMap((one) =>
    actions.filter((action) => isPossible(action, { timeline }, { ...one, ...sums })),
  );
}

const ended = { capturable: '0.00', refundable: '0.00' };

describe('what is possible', () => {
  it.each<[what: string, Sums, Done[], MoneyAction[]]>([
    ['a new payment', {}, [], [...actions]],
    ['nothing that can be refunded', { refundable: '0.00' }, [], ['capture', 'cancel', 'review']],
    ['nothing that can be captured', { capturable: '0' }, [], ['refund', 'cancel', 'review']],
    ['a cancelled payment', { ...ended, status: 'cancelled' }, [['cancel', 'succeeded']], []],
    ['a rejected payment', { ...ended, status: 'rejected' }, [['review', 'succeeded']], []],
    [
      'a cancellation after a capture',
      { status: 'partially_captured', captured: '20.00', capturable: '0.00', refundable: '20.00' },
      [
        ['capture', 'succeeded'],
        ['cancel', 'succeeded'],
      ],
      ['refund', 'review'],
    ],
    ['a cancellation that failed', {}, [['cancel', 'failed']], [...actions]],
    [
      'a cancellation of another payment',
      {},
      [
        ['cancel', 'succeeded', 'T2'],
        ['cancel', 'unknown', 'T2'],
      ],
      [...actions],
    ],
    ['a cancellation that is not known', {}, [['cancel', 'unknown']], ['review']],
    ['a cancellation that has no outcome yet', {}, [['cancel']], ['review']],
    ['a capture that is not known', {}, [['capture', 'unknown']], ['refund', 'capture', 'review']],
    ['a refund that is not known', {}, [['refund', 'unknown']], ['refund', 'capture', 'review']],
    ['a review that is not known', {}, [['review', 'unknown']], ['refund', 'capture', 'cancel']],
    [
      'captures, refunds and reviews that ended',
      {},
      actions.flatMap((name) => (name === 'cancel' ? [] : [[name, 'succeeded']])),
      [...actions],
    ],
  ])('with %s is right', (_, sums, done, expected) => {
    expect(possible(sums, ...done)).toEqual(expected);
  });

  it('is at most what is left of it', () => {
    const sums = { amount: '129.90', capturable: '20.00', refundable: '10.00' };
    expect(actions.map((action) => maxOf(action, sums))).toEqual(['10.00', '20.00', '129.90', '129.90']);
  });
});

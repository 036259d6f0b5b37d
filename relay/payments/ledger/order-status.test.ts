import { describe, expect, it } from 'vitest';
import { orderStatuses } from '../../../shared/api/order.ts';
import { type PaymentStatus, paymentStatuses } from '../../../shared/api/order-payment.ts';
import { at, session, unknown } from '../../../test/store/fixtures.ts';
import { rulesOf } from '../../config/rules.ts';
import { profile } from '../../gateway/profile.ts';
import { emptyOrder, type OrderPayment, type StoredOrder } from '../order.ts';
import type { SessionState } from '../session.ts';
import { orderStatusOf, orderStatusRules, paidTwice, standingsOf } from './order-status.ts';
import type { PaymentHistory, PaymentOperation } from './payment-operation.ts';

const payment_status = {
  ...{ approved: ['3000'], declined: ['4100'], pending: [], held: ['2900'] },
  ...{ charged_back: [], refunded: [], partially_refunded: [], cancelled: [] },
};
const rules = rulesOf({
  gateway: {
    ...{ base_url: 'http://127.0.0.1:9/', timeout_ms: 1, headers: {} },
    profile: profile.parse({ codes: { payment_status }, capture: { card: 'manual' } }),
  },
  limits: {
    ...{ attempts_per_session: 1, attempts_per_ip_per_hour: 1 },
    ...{ attempts_per_card_per_hour: 1, attempts_per_account_per_minute: 1 },
  },
  resolve: {
    ...{ first_ms: 1, max_ms: 1, absent_ms: 1, give_up_ms: 1, return_ms: 1, confirm_ms: 1, search_ms: 1 },
    paid_days: [],
  },
  retention_days: 400,
});
const base = { amount: '10.00', currency: 'BRL' };
const done = (name: 'capture' | 'cancel' | 'review', more: Partial<PaymentOperation> = {}): PaymentOperation => ({
  ...{ ...base, transaction_id: 'T', operation_id: 'op', name, outcome: 'succeeded', ...more },
});
const record = (code: string) => ({ payment_status: code, as_of: at(1) });

/** A payment of each status: what is kept of it, and what operations did to it. */
const standings: Record<PaymentStatus, [payment: Partial<OrderPayment>, history: Partial<PaymentHistory>]> = {
  reversed: [{ record: record('4100') }, {}],
  cancelled: [{}, { operations: [done('cancel')] }],
  rejected: [{}, { operations: [done('review', { flag: 'REJECT' })] }],
  refunded: [{}, { taken: 1000n }],
  held: [{ record: record('2900') }, {}],
  partially_refunded: [{}, { taken: 1n }],
  authorised: [{ method: 'card' }, {}],
  partially_captured: [{ method: 'card' }, { operations: [done('capture', { amount: '4.00' })] }],
  paid: [{}, {}],
};

type Paid = PaymentStatus | [PaymentStatus, Partial<OrderPayment>];

/** Payments `T0`, `T1` … of these statuses, and what operations did to them. */
function paidBy(paid: readonly Paid[]) {
  const histories = new Map<string, PaymentHistory>();
  const payments = paid.map((one, n): OrderPayment => {
    const [status, own] = typeof one === 'string' ? ([one, {}] as const) : one;
    const [kept, history] = standings[status];
    const transaction_id = `T${n}`;
    histories.set(transaction_id, { operations: [], refunds: [], taken: 0n, ...history });
    return { ...base, transaction_id, proof: 'record', date: at(0), ...kept, ...own };
  });
  return { payments, histories };
}

/** The status of an order with these payments and sessions. */
function statusOf(paid: readonly Paid[], states: readonly SessionState[] = [], more: Partial<StoredOrder> = {}) {
  const { payments, histories } = paidBy(paid);
  const sessions = states.map((state, n) => ({ ...session(`cs_${n}`), state }));
  const order = { ...emptyOrder('demo', 'A'), payments, sessions, ...more };
  return orderStatusOf(order, standingsOf(order, histories, rules));
}

describe('the status of an order', () => {
  it.each(paymentStatuses)('with one payment is that of the payment: %s', (status) => {
    expect(statusOf([status])).toBe(status);
  });

  it.each<[string, Paid[]]>([
    ['paid_twice', ['paid', 'paid']],
    ['paid_twice', ['held', 'authorised']],
    ['paid_twice', ['partially_refunded', 'refunded', 'partially_captured']],
    ['paid', ['paid', 'refunded']],
    ['paid', ['reversed', 'paid']],
    ['held', ['cancelled', 'held', 'rejected']],
    ['refunded', ['refunded', 'cancelled']],
    ['paid', ['paid', ['held', { proof: 'person' }]]],
    ['paid', ['paid', ['held', { unsigned: true }]]],
    ['paid', ['paid', ['held', { origin: 'renewal' }]]],
    ['refunded', ['refunded', ['paid', { origin: 'renewal' }]]],
    ['reversed', [['reversed', { origin: 'renewal' }]]],
  ])('is %s (payments, case %#)', (status, payments) => {
    expect(statusOf(payments)).toBe(status);
  });

  it.each<[string, SessionState[], Partial<StoredOrder>?]>([
    ['pending', [{ status: 'open' }, { status: 'processing', attempt_id: 'a' }]],
    ['pending', [{ status: 'redirected', attempt_id: 'a' }, { status: 'failed' }]],
    ['pending', [unknown('a'), { status: 'processing', attempt_id: 'b' }]],
    ['unknown', [unknown('a'), { status: 'open' }]],
    ['unknown', [{ status: 'failed', needs_attention: true }], { hold: 'held' }],
    ['open', [{ status: 'open' }, { status: 'failed' }]],
    ['failed', [{ status: 'expired' }, { status: 'failed' }]],
    ['expired', [{ status: 'failed' }, { status: 'expired' }]],
    ['paid', [{ status: 'expired' }], { wasPaid: true, hold: 'paid' }],
  ])('is %s without payments (case %#)', (status, states, more) => {
    expect(statusOf([], states, more)).toBe(status);
  });

  it('has a rule for every status', () => {
    expect(new Set(orderStatusRules.flatMap(({ statuses }) => statuses))).toEqual(new Set(orderStatuses));
    expect(orderStatusRules.at(-1)?.statuses).toEqual(['expired']);
  });
});

describe('of an order that was paid twice', () => {
  const twice = (paid: readonly Paid[], undecided?: PaymentOperation['name'] | 'refund') => {
    const { payments, histories } = paidBy(paid);
    const [id = '', last] = payments.map(({ transaction_id }) => transaction_id);
    const history = histories.get(id);
    const open = { ...base, operation_id: 'op', transaction_id: id, outcome: 'unknown' } as const;
    if (history && undecided) {
      const more =
        undecided === 'refund'
          ? { refunds: [{ ...open, name: undecided }] }
          : { operations: [...history.operations, { ...open, name: undecided }] };
      histories.set(id, { ...history, ...more });
    }
    expect(last).toBeDefined();
    return paidTwice(standingsOf({ ...emptyOrder('demo', 'A'), payments }, histories, rules), histories);
  };

  it('the first payment that is left counts', () => {
    expect(twice(['paid', 'paid', 'paid'])).toEqual({ counts: 'T0', surplus: ['T1', 'T2'] });
    expect(twice(['refunded', 'partially_refunded', 'authorised'])).toEqual({ counts: 'T1', surplus: ['T2'] });
    expect(twice(['paid', ['paid', { origin: 'renewal' }], 'paid'])).toEqual({ counts: 'T0', surplus: ['T2'] });
    expect(twice(['paid', 'refunded'])).toBeUndefined();
  });

  it('none is named while one may go', () => {
    expect(twice(['paid', 'held'])).toBeUndefined();
    for (const name of ['refund', 'cancel', 'review'] as const) expect(twice(['paid', 'paid'], name)).toBeUndefined();
    expect(twice(['paid', 'paid'], 'capture')).toEqual({ counts: 'T0', surplus: ['T1'] });
  });
});

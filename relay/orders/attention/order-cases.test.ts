import { describe, expect, it } from 'vitest';
import { at, attempt, session, unknown } from '../../../test/store/fixtures.ts';
import { rules } from '../../../test/support/payments/sessions.ts';
import { standingsOf } from '../../payments/ledger/order-status.ts';
import type { Histories } from '../../payments/ledger/payment-operation.ts';
import { emptyOrder, type OrderPayment, type PaymentRules, type StoredOrder } from '../../payments/order.ts';
import type { SessionState } from '../../payments/session.ts';
import { orderCases } from './order-cases.ts';

const open = session('cs_1');
const search = { since: at(5), looks: 1, needs_attention: false };
const paid = { attempt_id: 'at_1', transaction_id: 'T1' };

/** An order with a session in each of these states. */
function orderIn(states: readonly SessionState[], more: Partial<StoredOrder> = {}): StoredOrder {
  const sessions = states.map((state, n) => ({ ...open, id: `cs_${n + 1}`, state }));
  return { ...emptyOrder('demo', 'A'), sessions, attempts: [attempt('at_1', open)], ...more };
}

const facts = (order: StoredOrder, by: PaymentRules, histories: Histories = new Map()) => ({
  standings: standingsOf(order, histories, by),
  rules: by,
});

const casesOf = (order: StoredOrder) => orderCases(order, facts(order, rules));

const kinds = (...states: SessionState[]): [string, string][] =>
  casesOf(orderIn(states)).map(({ kind, why }) => [kind, why]);

const amountDiffers: SessionState = {
  ...{ status: 'unknown', attempt_id: 'at_1' },
  search: { ...search, needs_attention: true, reason: 'amount_differs' },
};

it.each<[string, string, SessionState]>([
  ['order_asked', 'timeout', unknown('at_1')],
  ['order_unknown', 'timeout', unknown('at_1', { needs_attention: true })],
  ['order_contradicted', 'amount_differs', amountDiffers],
  ['order_pending', 'pending', { status: 'pending', attempt_id: 'at_1', search }],
  ['order_overdue', 'pending', { status: 'pending', attempt_id: 'at_1', search: { ...search, needs_attention: true } }],
  ['order_contradicted', 'record_declined', { status: 'approved', ...paid, needs_attention: true }],
  ['order_contradicted', 'gave_up', { status: 'expired', needs_attention: true }],
])('is %s by %s', (kind, why, state) => {
  expect(kinds(state)).toEqual([[kind, why]]);
});

it('is nothing while no person needs to look', () => {
  expect(kinds({ status: 'open' }, { status: 'processing', attempt_id: 'at_1' }, { status: 'expired' })).toEqual([]);
  expect(kinds({ status: 'approved', ...paid }, { status: 'failed' })).toEqual([]);
});

it('reports each kind once, and the records of a finished order', () => {
  expect(kinds(unknown('at_1'), unknown('at_1'), amountDiffers)).toEqual([
    ['order_asked', 'timeout'],
    ['order_contradicted', 'amount_differs'],
  ]);
  const undecided = { reason: 'paid_before', since: at(9), records: [] } as const;
  const over = orderIn([{ status: 'failed', needs_attention: true }], { undecided });
  expect(casesOf(over)).toMatchObject([{ why: 'paid_before', since: at(9), session_id: 'cs_1', amount: '10.00' }]);
});

it('is paid twice by its second payment', () => {
  const payment = { amount: '10.00', currency: 'BRL', proof: 'record', date: at(1) } as const;
  const second = { ...payment, transaction_id: 'T2', amount: '10.50', date: at(7) };
  const payments = [{ ...payment, transaction_id: 'T1' }, second];
  expect(casesOf(orderIn([{ status: 'approved', ...paid }], { payments }))).toEqual([
    {
      ...{ kind: 'paid_twice', why: 'paid_twice', since: at(7), order_no: 'A', transaction_id: 'T2' },
      ...{ amount: '10.50', currency: 'BRL' },
    },
  ]);
});

describe('a payment that a person must look at', () => {
  const payment = { ...paid, amount: '10.00', currency: 'BRL', proof: 'answer', date: at(1) } as const;
  const needing: SessionState = { status: 'approved', ...paid, needs_attention: true };
  const casesWith = (change: Partial<OrderPayment>) =>
    casesOf(orderIn([needing], { payments: [{ ...payment, ...change }] }));

  it.each([
    ['payment_held', 'held', at(7), { told: 'held', told_at: at(7) }],
    ['payment_reversed', 'reversed', at(7), { told: 'reversed', told_at: at(7) }],
    ['payment_unconfirmed', 'unconfirmed', at(1), { unconfirmed: true }],
  ] as const)('is a case of the kind %s', (kind, why, since, change) => {
    expect(casesWith(change)).toEqual([
      {
        ...{ kind, why, since, order_no: 'A', session_id: 'cs_1', transaction_id: 'T1' },
        ...{ amount: '10.00', currency: 'BRL', payment_method: 'card' },
      },
    ]);
  });

  it('is none once a person decided about it', () => {
    const decided = { outcome: 'reversed', by: 'ops', at: at(8), note: 'n' } as const;
    const closed = orderIn([{ status: 'approved', ...paid }], {
      payments: [{ ...payment, told: 'reversed', told_at: at(7), decided }],
    });
    expect(casesOf(closed)).toEqual([]);
  });

  it('is authorised too long after a day without a capture', () => {
    const manual = { ...rules, capture: { card: 'manual' as const } };
    const order = orderIn([{ status: 'approved', ...paid }], { payments: [{ ...payment, method: 'card' }] });
    expect(orderCases(order, facts(order, manual))).toMatchObject([
      { kind: 'payment_authorised', why: 'authorised', since: at(1 + 5 * 86_400), transaction_id: 'T1' },
    ]);
    const capture = { ...payment, operation_id: 'op', name: 'capture', outcome: 'succeeded' } as const;
    const histories = new Map([['T1', { operations: [capture], refunds: [], taken: 0n }]]);
    expect(orderCases(order, facts(order, manual, histories))).toEqual([]);
  });
});

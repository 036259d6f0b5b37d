import { describe, expect, it } from 'vitest';
import type { EffectName } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { auditedOf } from './audited.ts';
import type { ItemOutcome, OperationState } from './operation.ts';

const audited = (name: EffectName, request: Message, state: OperationState = { status: 'in_flight' }) =>
  auditedOf({ id: 'op_1', account: 'demo', name, created_at: '', by: 'all', version: 1, request, state });

const payment = { transaction_id: 'T1', order_no: 'A', currency: 'BRL', amount: '10.00' };
const answered = (...items: ItemOutcome[]): OperationState => ({ status: 'answered', answer: {}, items });

describe('the entry of an operation in the audit log', () => {
  it('contains the requested items and nothing else of the body', () => {
    const refunds = { refund_orders: [{ ...payment, refund_amount: '4.00', refund_reason: 'Broken' }] };
    expect(audited('refund', refunds)).toEqual({
      items: [{ ...payment, amount: '4.00', outcome: 'unknown' }],
      outcome: 'unknown',
    });
    expect(audited('cancel', { cancel_orders: [payment] }).items).toEqual([{ ...payment, outcome: 'unknown' }]);
    const review = { ...payment, review_flag: 'REJECT' };
    expect(audited('review', { review_orders: [review] }).items).toEqual([{ ...review, outcome: 'unknown' }]);
    expect(audited('subscription_cancel', { recurring_id: 'R1', contract_name: 'Tea' }).items).toEqual([
      { recurring_id: 'R1', outcome: 'unknown' },
    ]);
  });

  it.each([
    [{ payment_amount: '5', payment_currency: 'USD', source_amount: '', source_currency: 'BRL' }, '5', 'USD'],
    [{ source_amount: '20', source_currency: 'BRL' }, '20', 'BRL'],
  ])('is the amount of a payout (%j)', (request, amount, currency) => {
    expect(audited('payout', request).items).toEqual([{ amount, currency, outcome: 'unknown' }]);
  });

  it('has both amounts of a payout', () => {
    const source = { source_amount: '900', source_currency: 'BRL' };
    expect(audited('payout', { payment_amount: '1', payment_currency: 'BRL', ...source }).items).toEqual([
      { amount: '1', currency: 'BRL', ...source, outcome: 'unknown' },
    ]);
  });

  it.each<[ItemOutcome, OperationState]>([
    ['succeeded', answered('succeeded', 'succeeded')],
    ['failed', answered('succeeded', 'failed')],
    ['unknown', answered('unknown', 'failed')],
    ['unknown', answered('succeeded')],
    ['unknown', { status: 'unknown', reason: 'timeout', since: '', evidence: {} }],
    ['unknown', { status: 'refused', evidence: {}, reserved: true }],
    ['failed', { status: 'refused', evidence: {} }],
    ['failed', { status: 'not_sent' }],
    ['failed', { status: 'settled', settlement: { by: 'person', who: 'all', items: ['failed', 'succeeded'] } }],
  ])('is the outcome %s of %j', (outcome, state) => {
    expect(audited('capture', { capture_orders: [payment, payment] }, state).outcome).toBe(outcome);
  });
});

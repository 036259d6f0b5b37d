import { describe, expect, it } from 'vitest';
import type { EffectName } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { CallResult } from '../../gateway/call.ts';
import { codeBook } from '../../gateway/profile.ts';
import { isForAccount, isPayoutOf, itemOutcome, readState, resultsByItem } from './answered-state.ts';

const codes = codeBook.parse({ payout_status: { completed: ['COMPLETED'], failed: ['FAILED'] } });
const as = { merchant_id: '1', account_id: '2' };
const now = '2026-11-21T10:00:00.000Z';
const evidence = { body: 'kept' };

const item = { transaction_id: 'T1', currency: 'BRL', amount: '10.00', refund_amount: '2.00' };
const done = { ...item, refund_status: '1', refund_message: 'V0000:Done' };
const failed = { ...item, refund_status: '0', refund_message: 'V0001:No' };

const read = (name: EffectName, message: Message, called: CallResult) =>
  readState({ name, message, as }, called, codes, now);
const answerTo = (name: EffectName, message: Message, answer: Message) =>
  read(name, message, { kind: 'answer', message: answer, evidence: () => evidence });
const refundOf = (items: Message[], answer: Message) => answerTo('refund', { refund_orders: items }, answer);
const mismatch = { status: 'unknown', reason: 'echo_mismatch', since: now, evidence };

describe('a message that was not answered', () => {
  it.each<[EffectName, CallResult, object]>([
    ['refund', { kind: 'not_sent' }, { status: 'not_sent' }],
    ['refund', { kind: 'not_sent', detail: 'no route' }, { status: 'not_sent', detail: 'no route' }],
    ['refund', { kind: 'not_configured', detail: 'signing' }, { status: 'not_sent', not_configured: 'signing' }],
    ['refund', { kind: 'refused', status: 400, evidence }, { status: 'refused', evidence, reserved: true }],
    ['capture', { kind: 'refused', status: 400, evidence }, { status: 'refused', evidence }],
    [
      'payout',
      { kind: 'unusable', fault: 'timeout', evidence },
      { status: 'unknown', reason: 'timeout', since: now, evidence },
    ],
  ])('of a %s: %j', (name, called, state) => {
    expect(read(name, {}, called)).toEqual(state);
  });
});

describe('the answer to a batch', () => {
  it('has the result of each item, in the request’s order', () => {
    const other = { ...item, transaction_id: 'T2' };
    const answer = { refund_orders: [{ ...failed, transaction_id: 'T2' }, done] };
    expect(refundOf([item, other], answer)).toEqual({ status: 'answered', answer, items: ['succeeded', 'failed'] });
  });

  it('is kept without card data', () => {
    const state = refundOf([item], { refund_orders: [{ ...done, refund_reason: 'card 4111111111111111' }] });
    expect(state.status).toBe('answered');
    expect(JSON.stringify(state)).not.toContain('4111111111111111');
  });

  it('takes each result for one of several equal items', () => {
    expect(refundOf([item, item], { refund_orders: [done, failed] })).toMatchObject({ items: ['succeeded', 'failed'] });
    expect(refundOf([item, item], { refund_orders: [done] })).toEqual(mismatch);
    expect(refundOf([item], { refund_orders: [done, done] })).toEqual(mismatch);
  });

  it('fails all items of a batch that was refused as a whole', () => {
    expect(refundOf([item, item], { return_status: '0' })).toMatchObject({ items: ['failed', 'failed'] });
    expect(refundOf([item], { return_status: '0', refund_orders: [] })).toMatchObject({ items: ['failed'] });
    expect(refundOf([item], { return_status: '0', refund_orders: [done] })).toMatchObject({ items: ['succeeded'] });
    expect(refundOf([item], { return_status: '1' })).toEqual(mismatch);
    expect(refundOf([item], {})).toEqual(mismatch);
    expect(refundOf([item], { refund_orders: ['x', null] })).toEqual(mismatch);
  });

  it.each([
    ['transaction_id', 'T9'],
    ['currency', 'USD'],
    ['amount', '11.00'],
    ['refund_amount', '2.01'],
    ['order_no', 'B'],
  ])('that names another %s is unknown', (field, value) => {
    expect(refundOf([{ ...item, order_no: 'A' }], { refund_orders: [{ ...done, [field]: value }] })).toEqual(mismatch);
    for (const nothing of [undefined, null, '']) {
      const silent = { refund_orders: [{ ...done, [field]: nothing }] };
      expect(refundOf([{ ...item, order_no: 'A' }], silent)).toMatchObject({ items: ['succeeded'] });
    }
  });

  it('may write amounts and currencies in its own way', () => {
    const result = { ...done, amount: '10', refund_amount: '2.0', currency: 'brl', order_no: 'A' };
    expect(refundOf([item], { refund_orders: [result] })).toMatchObject({ items: ['succeeded'] });
  });

  it.each([
    ['merchant_id', '9'],
    ['account_id', '9'],
  ])('for another %s is unknown', (field, value) => {
    expect(refundOf([item], { refund_orders: [done], [field]: value })).toEqual(mismatch);
    expect(isForAccount({ as }, { [field]: value })).toBe(false);
    expect(isForAccount({ as }, { ...as, [field]: '' })).toBe(true);
    expect(isForAccount({ as }, as)).toBe(true);
  });

  it('leaves no result over', () => {
    expect(resultsByItem([item], [done])).toEqual({ results: [done], isWhole: true });
    const other = { ...done, transaction_id: 'T2' };
    expect(resultsByItem([item, item], [other, done])).toEqual({ results: [done, undefined], isWhole: false });
  });
});

describe('a status code', () => {
  it.each([
    [{ refund_status: '1', refund_message: 'V0000:Done' }, 'succeeded'],
    [{ refund_status: '1', refund_message: 'V0000' }, 'succeeded'],
    [{ refund_status: '1', refund_message: 'V00001:Done' }, 'unknown'],
    [{ refund_status: '1', refund_message: 'V9:No' }, 'unknown'],
    [{ refund_status: '1' }, 'unknown'],
    [{ refund_status: '0', refund_message: 'V9:No' }, 'failed'],
    [{ refund_status: '0' }, 'failed'],
    [{ refund_status: '0', refund_message: 'V0000:Done' }, 'unknown'],
    [{ refund_status: '7', refund_message: 'V0000:Done' }, 'unknown'],
    [{}, 'unknown'],
  ])('of a refund agrees with its message: %j is %s', (result, outcome) => {
    expect(itemOutcome(result, 'refund_status', codes)).toBe(outcome);
  });

  it.each(['review_status', 'capture_status', 'cancel_status'] as const)('of %s stands alone', (field) => {
    expect(itemOutcome({ [field]: '1' }, field, codes)).toBe('succeeded');
    expect(itemOutcome({ [field]: '0', refund_message: 'V0000:Done' }, field, codes)).toBe('failed');
    expect(itemOutcome({ [field]: '7' }, field, codes)).toBe('unknown');
  });
});

describe('the answer to a single message', () => {
  const payout = { request_id: 'AB-1', payment_amount: '1000', payment_currency: 'BRL', source_currency: 'USD' };

  it('of a payout is about that one', () => {
    const answer = { request_id: 'ab-1', payment_amount: '1000.00', payment_currency: 'brl', status: 'COMPLETED' };
    expect(answerTo('payout', payout, answer)).toEqual({ status: 'answered', answer, items: ['succeeded'] });
    expect(answerTo('payout', payout, { ...answer, status: 'PENDING' })).toMatchObject({ items: ['unknown'] });
    for (const other of [
      { request_id: 'ab-2' },
      { payment_amount: '1000.01' },
      { payment_currency: 'USD' },
      { source_currency: 'EUR' },
    ]) {
      expect(answerTo('payout', payout, { ...answer, ...other })).toEqual(mismatch);
      expect(isPayoutOf(payout, other)).toBe(false);
    }
    expect(isPayoutOf(payout, { source_amount: '5.00' })).toBe(true);
    expect(isPayoutOf({ ...payout, source_amount: '4.00' }, { source_amount: '5.00' })).toBe(false);
  });

  it('of a subscription’s end is about its contract', () => {
    const end = (answer: Message) => answerTo('subscription_cancel', { recurring_id: 'R-1' }, answer);
    expect(end({ recurring_id: 'R-1', cancel_status: '1' })).toMatchObject({ items: ['succeeded'] });
    expect(end({ cancel_status: '0' })).toMatchObject({ items: ['failed'] });
    expect(end({ recurring_id: 'R-2', cancel_status: '1' })).toEqual(mismatch);
    expect(end({ recurring_id: 'r-1', cancel_status: '1' })).toEqual(mismatch);
  });
});

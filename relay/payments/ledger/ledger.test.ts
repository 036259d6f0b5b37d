import { describe, expect, it } from 'vitest';
import type { ItemOutcome } from '../operations/operation.ts';
import { type CaptureMode, captureMode, ledgerOf, statusRules } from './ledger.ts';
import type { PaymentOperation } from './payment-operation.ts';

/** An operation on a payment, or a refund of it. */
type Entry = PaymentOperation | { refund: bigint; outcome: ItemOutcome };

const base = { transaction_id: 'T-1', operation_id: 'op_1', amount: '10.00', currency: 'BRL' } as const;
const capture = (amount: string, outcome: ItemOutcome = 'succeeded'): Entry => ({
  ...{ ...base, name: 'capture', amount, outcome },
});
const refund = (amount: bigint, outcome: ItemOutcome = 'succeeded'): Entry => ({ refund: amount, outcome });
const cancel = (outcome: ItemOutcome = 'succeeded'): Entry => ({ ...base, name: 'cancel', outcome });
const review = (flag: string, outcome: ItemOutcome = 'succeeded'): Entry => ({
  ...base,
  name: 'review',
  flag,
  outcome,
});
const reject = (outcome?: ItemOutcome): Entry => review('REJECT', outcome);
const accept = review('ACCEPT');

/** The ledger of a payment of 10.00. */
function of(mode: CaptureMode, ...entries: Entry[]) {
  const refunds = (outcome: ItemOutcome): bigint =>
    entries.reduce((sum, one) => ('refund' in one && one.outcome === outcome ? sum + one.refund : sum), 0n);
  return ledgerOf({
    ...{ amount: 1000n, currency: 'BRL', capture: mode, rejects: ['REJECT'] },
    operations: entries.filter((one) => 'name' in one),
    ...{ refunded: refunds('succeeded'), refundUndecided: refunds('unknown') },
  });
}

describe('the status of a payment', () => {
  it.each<[string, CaptureMode, Entry[]]>([
    ['cancelled', 'manual', [cancel()]],
    ['cancelled', 'automatic', [cancel(), refund(100n, 'unknown')]],
    ['cancelled', 'unknown', [cancel(), capture('5.00', 'failed')]],
    ['rejected', 'unknown', [reject()]],
    ['refunded', 'unknown', [refund(400n), refund(600n)]],
    ['refunded', 'manual', [capture('5.00'), refund(500n)]],
    ['partially_refunded', 'unknown', [refund(400n), refund(600n, 'unknown')]],
    ['partially_refunded', 'manual', [capture('5.00'), refund(100n)]],
    ['authorised', 'manual', []],
    ['authorised', 'manual', [capture('10.00', 'unknown'), capture('10.00', 'failed')]],
    ['partially_captured', 'manual', [capture('5.00')]],
    ['partially_captured', 'unknown', [capture('5.00'), cancel()]],
    ['partially_refunded', 'manual', [refund(500n)]],
    ['paid', 'automatic', [capture('5.00')]],
    ['cancelled', 'automatic', [capture('5.00'), cancel()]],
    ['refunded', 'automatic', [capture('5.00'), refund(1000n)]],
    ['paid', 'manual', [capture('5.00'), capture('5.00')]],
    ['paid', 'unknown', []],
    ['paid', 'automatic', [accept]],
    ['paid', 'unknown', [cancel('unknown'), reject('failed'), refund(100n, 'failed')]],
  ])('is %s (capture %s, case %#)', (status, mode, entries) => {
    expect(of(mode, ...entries).status).toBe(status);
  });

  it('has a rule for each, and one that always applies', () => {
    expect(new Set(statusRules.map(({ status }) => status)).size).toBe(statusRules.length);
    expect(statusRules.at(-1)?.status).toBe('paid');
  });
});

describe('what may be done with a payment', () => {
  it('is limited by what is not known', () => {
    expect(
      of('unknown', capture('3.00'), capture('2.00', 'unknown'), refund(100n), refund(50n, 'unknown')),
    ).toMatchObject({
      ...{ captured: 300n, capturable: 500n, refunded: 100n, refund_undecided: 50n, refundable: 150n },
    });
  });

  it('is nothing after a cancellation or a rejection that may have succeeded', () => {
    for (const entry of [cancel(), reject(), cancel('unknown'), reject('unknown')])
      expect(of('unknown', entry)).toMatchObject({ capturable: 0n, refundable: 0n });
  });

  it('is the refund of what was captured once the rest was cancelled', () => {
    expect(of('manual', capture('4.00'), cancel())).toMatchObject({ captured: 400n, capturable: 0n, refundable: 400n });
  });

  it('is no refund of what is authorised alone', () => {
    expect(of('manual')).toMatchObject({ captured: 0n, capturable: 1000n, refundable: 0n });
    expect(of('unknown')).toMatchObject({ captured: 0n, capturable: 1000n, refundable: 1000n });
  });

  it('is no capture where that is automatic', () => {
    expect(of('automatic')).toMatchObject({ captured: 1000n, capturable: 0n, refundable: 1000n });
  });

  it('is never less than nothing', () => {
    expect(of('unknown', capture('20.00'), refund(3000n))).toMatchObject({ capturable: 0n, refundable: 0n });
  });
});

it('a payment of nothing is never authorised alone', () => {
  const nothing = { amount: 0n, currency: 'BRL', capture: 'manual', rejects: [], operations: [] } as const;
  expect(ledgerOf({ ...nothing, refunded: 0n, refundUndecided: 0n })).toMatchObject({ status: 'paid', refundable: 0n });
});

it.each([
  ['manual', 'card'],
  ['manual', 'token'],
  ['automatic', 'PIX'],
  ['unknown', 'OXXO'],
  ['unknown', undefined],
])('capture is %s for the method %s', (mode, method) => {
  expect(captureMode({ card: 'manual', PIX: 'automatic' }, method)).toBe(mode);
});

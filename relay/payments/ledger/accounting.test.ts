import { describe, expect, it } from 'vitest';
import type { ItemOutcome } from '../operations/operation.ts';
import {
  type KnownPayment,
  type RefundReservation,
  type Reservation,
  refusalOf,
  withRemembered,
} from './accounting.ts';
import type { PaymentOperation, PaymentOperationName } from './payment-operation.ts';
import type { RecordMeaning } from './record.ts';

const refund = (amount: bigint, more: Partial<RefundReservation> = {}): RefundReservation => ({
  name: 'refund',
  transaction_id: 'T1',
  currency: 'BRL',
  amount,
  original: 1000n,
  ...more,
});
const paid = { amount: '10.00', currency: 'BRL' };
const refusal = (items: Reservation[], payment: KnownPayment = {}) => refusalOf(items, () => payment);

describe('a refund of a payment that the relay made', () => {
  it('may take the whole rest, and not a cent more', () => {
    expect(refusal([refund(1000n)], { paid })).toBeUndefined();
    expect(refusal([refund(1001n)], { paid })).toEqual({ kind: 'refund_exceeds_payment', item: 0, left: 1000n });
    expect(refusal([refund(400n)], { paid, sum: 600n })).toBeUndefined();
    expect(refusal([refund(401n)], { paid, sum: 600n })).toMatchObject({ left: 400n });
    expect(refusal([refund(1n)], { paid, sum: 1200n })).toMatchObject({ left: 0n });
  });

  it('is limited by what was paid, whatever the shop says that was', () => {
    expect(refusal([refund(1000n, { original: 500n })], { paid, original: 300n })).toBeUndefined();
    expect(refusal([refund(1001n, { original: 5000n })], { paid })).toMatchObject({ left: 1000n });
  });

  it('is limited with those before it in the batch, payment by payment', () => {
    const batch = [refund(600n), refund(700n, { transaction_id: 'T2' }), refund(400n), refund(1n)];
    expect(refusal(batch, { paid })).toEqual({ kind: 'refund_exceeds_payment', item: 3, left: 0n });
    expect(refusal(batch.slice(0, 3), { paid })).toBeUndefined();
  });

  it('is in the payment’s own currency', () => {
    expect(refusal([refund(1n), refund(1n, { currency: 'USD' })], { paid })).toEqual({
      kind: 'currency_differs',
      item: 1,
      currency: 'BRL',
    });
    expect(refusal([refund(1n, { currency: 'USD' })], { paid, currency: 'USD' })).toMatchObject({ currency: 'BRL' });
  });

  it('is refused where another amount was refunded than its caller knows', () => {
    expect(refusal([refund(100n, { refunded: 300n })], { paid, sum: 300n })).toBeUndefined();
    expect(refusal([refund(100n, { refunded: 0n })], { paid })).toBeUndefined();
    expect(refusal([refund(100n, { refunded: 200n })], { paid, sum: 300n })).toEqual({
      kind: 'refunded_meanwhile',
      item: 0,
    });
  });
});

describe('a refund of a payment that the relay did not make', () => {
  it('is limited by the smallest original amount that was stated', () => {
    expect(refusal([refund(1000n)])).toBeUndefined();
    expect(refusal([refund(1001n)])).toMatchObject({ left: 1000n });
    expect(refusal([refund(801n)], { original: 800n })).toMatchObject({ left: 800n });
    expect(refusal([refund(1001n)], { original: 1200n })).toMatchObject({ left: 1000n });
    const batch = [refund(100n), refund(500n, { original: 599n })];
    expect(refusal(batch)).toEqual({ kind: 'refund_exceeds_payment', item: 1, left: 499n });
    expect(refusal([refund(100n, { original: 599n }), refund(500n)])).toMatchObject({ item: 1, left: 499n });
  });

  it('is in the currency of its earlier refunds, else in its own', () => {
    expect(refusal([refund(1n)], { currency: 'USD' })).toMatchObject({ currency: 'USD' });
    expect(refusal([refund(1n), refund(1n, { currency: 'USD' })])).toMatchObject({ item: 1, currency: 'BRL' });
  });
});

describe('a payment whose earlier refunds are only remembered', () => {
  const past = { sum: 300n, original: 900n, currency: 'BRL' };

  it('counts them', () => {
    expect(withRemembered({ sum: 200n }, past)).toEqual({ sum: 500n, original: 900n, currency: 'BRL' });
    expect(withRemembered({ paid }, past)).toEqual({ paid, ...past });
  });

  it('keeps the smallest original amount', () => {
    expect(withRemembered({ original: 800n }, past).original).toBe(800n);
    expect(withRemembered({ original: 1000n }, past).original).toBe(900n);
  });

  it('stays unchanged without remembered refunds', () => {
    expect(withRemembered({ sum: 200n }, undefined)).toEqual({ sum: 200n });
  });
});

/** An operation on the payment. */
const done = (
  name: PaymentOperationName,
  outcome: ItemOutcome = 'succeeded',
  more: Partial<PaymentOperation> = {},
): PaymentOperation => ({
  ...{ transaction_id: 'T1', operation_id: 'op_1', name, amount: '10.00', currency: 'BRL', outcome },
  ...more,
});
const rejected = done('review', 'succeeded', { flag: 'REJECT' });
const accepted = done('review', 'succeeded', { flag: 'ACCEPT' });
const capturedOf = (amount: string, outcome?: ItemOutcome): PaymentOperation => done('capture', outcome, { amount });

/** An item that is asked for. */
const asked = (
  name: PaymentOperationName,
  amount = 1000n,
  more: Partial<Omit<Reservation, 'name'>> & { flag?: string } = {},
): Reservation => {
  const { flag = 'ACCEPT', ...others } = more;
  const item = { transaction_id: 'T1', currency: 'BRL', amount, rejects: ['REJECT'], ...others };
  return name === 'review' ? { ...item, name, flag } : { ...item, name };
};
const kindOf = (item: Reservation, ...operations: PaymentOperation[]): string | undefined =>
  refusal([item], { paid, operations })?.kind;

describe('a refund beside other operations', () => {
  const whole = refund(1000n, { rejects: ['REJECT'] });

  it.each<[string | undefined, PaymentOperation[]]>([
    ['payment_cancelled', [done('cancel')]],
    ['payment_rejected', [rejected]],
    ['operation_undecided', [done('cancel', 'unknown')]],
    ['operation_undecided', [done('review', 'unknown', { flag: 'REJECT' })]],
    ['refund_exceeds_payment', [capturedOf('4.00')]],
    ['refund_exceeds_payment', [capturedOf('4.00'), done('cancel')]],
    [undefined, [accepted]],
    [undefined, [done('review', 'unknown', { flag: 'ACCEPT' })]],
    [undefined, [done('cancel', 'failed'), done('review', 'failed', { flag: 'REJECT' })]],
    [undefined, [capturedOf('4.00', 'unknown')]],
    [undefined, [capturedOf('10.00')]],
  ])('is %s (case %#)', (kind, operations) => {
    expect(kindOf(whole, ...operations)).toBe(kind);
  });

  it('is of what was captured, where that is the rule', () => {
    const manual = refund(1n, { capture: 'manual' });
    expect(refusal([manual], { paid })).toMatchObject({ kind: 'refund_exceeds_payment', left: 0n });
    expect(refusal([refund(401n)], { paid, operations: [capturedOf('4.00')] })).toMatchObject({ left: 400n });
    expect(refusal([refund(400n)], { paid, operations: [capturedOf('4.00'), done('cancel')] })).toBeUndefined();
    const automatic = refund(1000n, { capture: 'automatic' });
    expect(refusal([automatic], { paid, operations: [capturedOf('4.00')] })).toBeUndefined();
    expect(refusal([automatic], { paid, operations: [capturedOf('4.00'), done('cancel')] })).toMatchObject({
      kind: 'payment_cancelled',
    });
  });
});

describe('a capture', () => {
  it('counts earlier items of the batch against the payment’s rest', () => {
    expect(kindOf(asked('capture'))).toBeUndefined();
    expect(refusal([asked('capture', 1001n)], { paid })).toEqual({
      kind: 'capture_exceeds_payment',
      item: 0,
      left: 1000n,
    });
    expect(refusal([asked('capture', 600n), asked('capture', 600n)], { paid })).toMatchObject({ item: 1, left: 400n });
    expect(kindOf(asked('capture', 500n), capturedOf('4.00', 'unknown'), capturedOf('1.00'))).toBeUndefined();
    expect(kindOf(asked('capture', 501n), capturedOf('4.00', 'unknown'), capturedOf('1.00'))).toBe(
      'capture_exceeds_payment',
    );
    expect(kindOf(asked('capture'), capturedOf('10.00', 'failed'))).toBeUndefined();
  });

  it.each<[string, PaymentOperation[]]>([
    ['payment_cancelled', [done('cancel')]],
    ['payment_cancelled', [capturedOf('4.00'), done('cancel')]],
    ['payment_rejected', [rejected]],
    ['operation_undecided', [done('cancel', 'unknown')]],
    ['operation_undecided', [done('review', 'unknown', { flag: 'REJECT' })]],
    ['operation_undecided', [capturedOf('3.00', 'unknown')]],
  ])('is %s (case %#)', (kind, operations) => {
    expect(kindOf(asked('capture', 300n), ...operations)).toBe(kind);
  });

  it('is refused where the gateway captures by itself, or in another currency', () => {
    expect(kindOf(asked('capture', 1n, { capture: 'automatic' }))).toBe('nothing_to_capture');
    expect(refusal([asked('capture', 1n, { currency: 'USD' })], { paid })).toMatchObject({ currency: 'BRL' });
  });

  it('of a foreign payment uses the first operation’s currency', () => {
    const operations = [capturedOf('3.00')];
    expect(refusal([asked('capture', 1n, { currency: 'USD' })], { operations })).toMatchObject({ currency: 'BRL' });
    expect(refusal([refund(1n, { currency: 'USD' })], { operations })).toMatchObject({ currency: 'BRL' });
    expect(refusal([asked('capture', 1n), asked('capture', 1n, { currency: 'USD' })])).toMatchObject({ item: 1 });
    expect(refusal([asked('capture', 1n, { currency: 'USD' })], { operations: [capturedOf('3.00', 'failed')] })).toBe(
      undefined,
    );
  });

  it('of a foreign payment is counted without a limit', () => {
    expect(refusal([asked('capture', 5000n)])).toBeUndefined();
    expect(refusal([asked('capture', 300n)], { operations: [capturedOf('3.00', 'unknown')] })).toMatchObject({
      kind: 'operation_undecided',
    });
  });
});

describe('a cancellation', () => {
  it.each<[string | undefined, PaymentOperation[]]>([
    ['payment_cancelled', [done('cancel')]],
    ['operation_undecided', [done('cancel', 'unknown')]],
    ['operation_undecided', [capturedOf('4.00', 'unknown')]],
    [undefined, [capturedOf('4.00')]],
    [undefined, [done('cancel', 'failed'), capturedOf('4.00', 'failed')]],
    [undefined, [done('review', 'unknown')]],
  ])('is %s (case %#)', (kind, operations) => {
    expect(kindOf(asked('cancel'), ...operations)).toBe(kind);
  });

  it('is of the whole payment, in its currency', () => {
    expect(refusal([asked('cancel', 999n)], { paid })).toEqual({ kind: 'amount_differs', item: 0, amount: 1000n });
    expect(refusal([asked('cancel', 1000n, { currency: 'USD' })], { paid })).toMatchObject({
      kind: 'currency_differs',
    });
    expect(refusal([asked('cancel', 999n)])).toBeUndefined();
  });

  it('names every operation that it waits for', () => {
    const operations = [done('capture', 'unknown', { operation_id: 'op_2' })];
    expect(refusal([asked('cancel')], { paid, operations, undecidedRefunds: ['op_3'] })).toEqual({
      ...{ kind: 'operation_undecided', item: 0, ids: ['op_3', 'op_2'] },
    });
  });
});

it('a review that rejects waits for captures and refunds', () => {
  const rejecting = asked('review', 1000n, { flag: 'REJECT' });
  expect(kindOf(rejecting, capturedOf('1.00', 'unknown'))).toBe('operation_undecided');
  expect(kindOf(rejecting, capturedOf('1.00'), done('cancel', 'unknown'))).toBeUndefined();
  expect(refusal([rejecting], { paid, undecidedRefunds: ['op_3'] })).toMatchObject({ ids: ['op_3'] });
});

it('a review waits for another review; an acceptance only for that', () => {
  expect(kindOf(asked('review'), done('review', 'unknown'))).toBe('operation_undecided');
  expect(kindOf(asked('review'), rejected, done('cancel', 'unknown'), capturedOf('1.00', 'unknown'))).toBeUndefined();
});

describe('an operation that the gateway refused', () => {
  const refused = { after: '2026-01-01T12:00:00.000Z', until: '2026-01-01T12:15:02.000Z' };
  const at = (time: string) => ({ outcome: 'failed' as const, refused_at: `2026-01-01T${time}.000Z` });

  it.each([
    ['capture', '12:00:01', 'operation_undecided'],
    ['capture', '12:15:02', 'operation_undecided'],
    ['capture', '12:00:00', undefined],
    ['capture', '12:15:03', undefined],
    ['cancel', '12:00:01', 'operation_undecided'],
    ['cancel', '11:59:59', undefined],
  ] as const)('%s at %s: another one is %s', (name, time, kind) => {
    const item = asked(name, 1000n, { refused });
    expect(kindOf(item, done(name, 'failed', at(time)))).toBe(kind);
    expect(kindOf(asked(name), done(name, 'failed', at(time)))).toBeUndefined();
  });

  it('counts against what is left', () => {
    const before = done('capture', 'failed', { ...at('12:01:00'), amount: '4.00' });
    expect(refusal([asked('capture', 700n, { refused })], { paid, operations: [before] })).toMatchObject({
      left: 600n,
    });
    const cancelled = done('cancel', 'failed', at('12:01:00'));
    expect(kindOf(refund(100n, { refused }), cancelled)).toBe('operation_undecided');
  });
});

it('equal items of one batch wait for nothing', () => {
  for (const name of ['capture', 'cancel', 'review'] as const)
    expect(refusal([asked(name, 1000n), asked(name, name === 'capture' ? 0n : 1000n)], { paid })).toBeUndefined();
});

describe('what the gateway’s record says of a payment', () => {
  const paid = { amount: '10.00', currency: 'BRL' };
  const asked = (name: 'capture' | 'cancel' | 'refund', record: RecordMeaning, operations: PaymentOperation[] = []) => {
    const one = { transaction_id: 'T1', currency: 'BRL', amount: 1000n, record };
    const item: Reservation = name === 'refund' ? { ...one, name, original: 1000n } : { ...one, name };
    return refusalOf([item], () => ({ paid, operations }))?.kind;
  };
  const accepted: PaymentOperation = {
    ...{ transaction_id: 'T1', operation_id: 'op_1', name: 'review', amount: '10.00', currency: 'BRL' },
    ...{ flag: 'ACCEPT', outcome: 'succeeded' },
  };

  it.each([
    ['capture', 'held', 'payment_held'],
    ['capture', 'reversed', 'payment_reversed'],
    ['capture', 'cancelled', 'payment_cancelled'],
    ['capture', 'refunded', 'capture_exceeds_payment'],
    ['capture', 'approved', undefined],
    ['cancel', 'cancelled', 'payment_cancelled'],
    ['cancel', 'reversed', undefined],
    ['refund', 'held', undefined],
    ['refund', 'reversed', 'payment_reversed'],
    ['refund', 'cancelled', 'payment_cancelled'],
    ['refund', 'refunded', 'refund_exceeds_payment'],
  ] as const)('lets a %s of one that is %s be %s', (name, record, expected) => {
    expect(asked(name, record)).toBe(expected);
  });

  it('holds no payment whose review succeeded', () => {
    expect(asked('capture', 'held', [accepted])).toBeUndefined();
  });
});

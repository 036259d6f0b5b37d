import { describe, expect, it } from 'vitest';
import {
  attempt,
  DAY,
  HOUR,
  MINUTE,
  moment,
  orderWith,
  record,
  result,
  rules,
  SECOND,
} from '../../../test/support/payments/sessions.ts';
import type { Attempt } from '../attempt.ts';
import type { OrderPayment, StoredOrder } from '../order.ts';
import { approvalOf } from './match.ts';
import { isOwn, mayReplace, mostProved, type Proof, paymentOf, proofOf } from './proof.ts';
import { readRecords } from './records.ts';

const bookRecord = (...of: Parameters<typeof record>) => {
  const [found] = readRecords('A', [record(...of)], rules);
  if (!found) throw new TypeError('no record');
  return found;
};
const payment: OrderPayment = {
  transaction_id: 'T1',
  amount: '10.00',
  currency: 'BRL',
  attempt_id: 'at_1',
  proof: 'answer',
  date: moment(0).toISOString(),
  recurring_id: 'R1',
};
const unsettled: Attempt['state'] = { status: 'unknown', reason: 'timeout', evidence: {} };
const declined: Attempt['state'] = { status: 'declined', result };
const at = (ms: number, change: Partial<Attempt> = {}): Attempt =>
  attempt(`at_${ms}`, { started_at: moment(ms).toISOString(), state: declined, ...change });

/** What an approved record is, and the attempt that it is credited to. */
const told = (
  order: Partial<StoredOrder>,
  of: Parameters<typeof record>,
  ...others: Parameters<typeof record>[]
): string => {
  const [one, ...rest] = [of, ...others].map((each) => bookRecord(...each));
  if (!one) throw new TypeError('no record');
  const approval = approvalOf(orderWith(order), one, [one, ...rest]);
  return approval.kind === 'credit' ? `credit ${approval.attempt?.id ?? 'none'}` : approval.kind;
};

describe('an approved record', () => {
  it('of a known payment is that payment', () => {
    expect(told({ payments: [payment], attempts: [at(0)] }, ['T1', '3000', { date: moment(-40 * DAY) }])).toBe(
      'credit none',
    );
  });

  it('of an attempt’s transaction is that attempt’s, whatever its date', () => {
    const attempts = [at(0, { state: unsettled }), at(1, { transaction_id: 'T1' })];
    expect(told({ attempts }, ['T1', '3000', { date: moment(-40 * DAY), amount: '9.00' }])).toBe('credit at_1');
    const unsent = [at(0, { transaction_id: 'T1', state: { status: 'not_sent' } }), at(1)];
    expect(told({ attempts: unsent }, ['T1', '3000'])).toBe('credit at_1');
  });

  it('of its amount is the oldest unsettled attempt’s, else the latest’s', () => {
    const mixed = [at(0), at(1, { state: unsettled }), at(2, { state: unsettled }), at(3)];
    expect(told({ attempts: mixed }, ['T1', '3000'])).toBe('credit at_1');
    expect(told({ attempts: [at(0), at(1), at(2, { amount: '9.00', state: unsettled })] }, ['T1', '3000'])).toBe(
      'credit at_1',
    );
  });

  it('is an ended attempt’s, where the unsettled one has another transaction', () => {
    const signed = at(1, { state: unsettled, signed_id: 'T2' });
    expect(told({ attempts: [at(0), signed] }, ['T1', '3000'])).toBe('credit at_0');
    expect(told({ attempts: [at(0), signed] }, ['T2', '3000', { date: moment(-40 * DAY) }])).toBe('credit at_1');
    expect(told({ attempts: [signed] }, ['T1', '3000'])).toBe('credit at_1');
    const approved = at(0, { state: { status: 'approved' }, transaction_id: 'T3' });
    expect(told({ attempts: [approved, signed] }, ['T1', '3000'])).toBe('credit at_0');
    // Of an earlier version.
    const declinedByAnswer = at(1, { state: { ...declined, proof: 'answer' }, transaction_id: 'T2' });
    expect(told({ attempts: [at(0), declinedByAnswer] }, ['T1', '3000'])).toBe('credit at_0');
    const named = at(1, { state: unsettled, transaction_id: 'T2' });
    expect(told({ attempts: [at(0), named] }, ['T1', '3000'])).toBe('credit at_1');
  });

  it('is credited to an attempt sent before it, if there is one', () => {
    const attempts = [at(0), at(2 * HOUR, { state: unsettled })];
    expect(told({ attempts }, ['T1', '3000', { date: moment(HOUR) }])).toBe('credit at_0');
    expect(told({ attempts: attempts.slice(1) }, ['T1', '3000', { date: moment(HOUR) }])).toBe(`credit at_${2 * HOUR}`);
  });

  it('is old if dated more than a day before the first attempt', () => {
    const dated = (ms: number): Parameters<typeof record> => ['T1', '3000', { date: moment(ms) }];
    expect(told({ attempts: [at(0)] }, dated(-DAY))).toBe('credit at_0');
    expect(told({ attempts: [at(0)] }, dated(-DAY - SECOND))).toBe('paid_before');
    const unsent = at(-40 * DAY, { state: { status: 'not_sent' } });
    expect(told({ attempts: [unsent, at(0)] }, dated(-DAY - SECOND))).toBe('paid_before');
    expect(told({ attempts: [at(0)] }, ['T1', '3000', { transaction_date: '' }])).toBe('credit at_0');
  });

  it('of another amount differs, unless the order is paid', () => {
    const odd: Parameters<typeof record> = ['T2', '3000', { amount: '20.00' }];
    expect(told({ attempts: [at(0)] }, odd)).toBe('amount_differs');
    expect(told({ attempts: [at(0)], payments: [payment] }, odd)).toBe('credit none');
  });

  it('of the contract is a later charge after one day', () => {
    const order = { attempts: [at(0)], payments: [payment] };
    const charged = (ms: number, recurring_id = 'R1') =>
      told(order, ['T2', '3000', { date: moment(ms), recurring_id, amount: '12.00' }]);
    expect(charged(DAY - 15 * MINUTE)).toBe('later_charge');
    expect(charged(DAY - 15 * MINUTE - SECOND)).toBe('credit none');
    expect(charged(31 * DAY)).toBe('later_charge');
    expect(charged(31 * DAY, 'R2')).toBe('credit none');
    expect(told(order, ['T2', '3000', { transaction_date: '', recurring_id: 'R1', amount: '12.00' }])).toBe(
      'credit none',
    );
    expect(told(order, ['T2', '3000', { date: moment(31 * DAY), amount: '12.00' }])).toBe('credit none');
    const { recurring_id: _, ...plain } = payment;
    expect(told({ ...order, payments: [plain] }, ['T2', '3000', { date: moment(31 * DAY), amount: '12.00' }])).toBe(
      'credit none',
    );
  });

  it('is old if an old record has the same contract', () => {
    const order = { attempts: [at(0)] };
    const charged = (ms: number, recurring_id = 'R1'): Parameters<typeof record> => [
      'T2',
      '3000',
      { date: moment(ms), recurring_id },
    ];
    const old: Parameters<typeof record> = ['T1', '3000', { date: moment(-40 * DAY), recurring_id: 'R1' }];
    expect(told(order, charged(HOUR), old)).toBe('paid_before');
    expect(told(order, charged(HOUR, 'R2'), old)).toBe('credit at_0');
    expect(told(order, charged(HOUR))).toBe('credit at_0');
    const { recurring_id: _, ...known } = payment;
    expect(told({ ...order, payments: [known] }, charged(HOUR), old)).toBe('credit at_0');
    expect(told({ attempts: [at(0, { transaction_id: 'T2' })] }, charged(HOUR), old)).toBe('credit at_0');
    const decided: Parameters<typeof record> = ['T1', '3000', { date: moment(0), recurring_id: 'R1' }];
    expect(told(order, charged(DAY - 15 * MINUTE), decided)).toBe('paid_before');
    expect(told(order, charged(DAY - 15 * MINUTE - SECOND), decided)).toBe('credit at_0');
  });
});

describe('what proves a payment', () => {
  const proof: Proof = {
    transaction_id: 'T1',
    amount: '10.00',
    currency: 'BRL',
    proof: 'record',
    date: moment(0).toISOString(),
  };

  it('is an approved record, dated by the gateway where it can be', () => {
    expect(proofOf(bookRecord('T1', '3000', { recurring_id: 'R1' }), moment(HOUR))).toStrictEqual({
      ...proof,
      date: moment(SECOND).toISOString(),
      recurring_id: 'R1',
      details: {},
    });
    expect(proofOf(bookRecord('T1', '3000', { transaction_date: '' }), moment(HOUR))).toStrictEqual({
      ...proof,
      date: moment(HOUR).toISOString(),
      details: {},
    });
  });

  it('is an attempt’s own by its answer or its transaction', () => {
    expect(isOwn(proof, attempt())).toBe(false);
    expect(isOwn(proof, attempt('at_1', { transaction_id: 'T1' }))).toBe(true);
    expect(isOwn({ ...proof, proof: 'answer' }, attempt())).toBe(true);
    expect(isOwn({ ...proof, proof: 'answer' }, undefined)).toBe(false);
  });

  it('replaces the payment that a person reported', () => {
    const byPerson: OrderPayment = { ...payment, proof: 'person' };
    expect(mayReplace(proof, undefined, byPerson)).toBe(true);
    expect(mayReplace({ ...proof, proof: 'answer', unsigned: true }, undefined, byPerson)).toBe(true);
    expect(mayReplace({ ...proof, proof: 'person' }, undefined, byPerson)).toBe(false);
  });

  it('replaces an unsigned answer of the same attempt', () => {
    const unsigned: OrderPayment = { ...payment, unsigned: true };
    expect(mayReplace(proof, attempt('at_1'), unsigned)).toBe(true);
    expect(mayReplace(proof, attempt('at_2'), unsigned)).toBe(false);
    expect(mayReplace(proof, undefined, unsigned)).toBe(false);
    expect(mayReplace({ ...proof, proof: 'answer', unsigned: true }, attempt('at_1'), unsigned)).toBe(false);
    expect(mayReplace(proof, attempt('at_1'), payment)).toBe(false);
  });

  it('is not taken away by an unsigned answer', () => {
    const record: OrderPayment = { ...payment, proof: 'record', amount: '9.00' };
    const unsigned: OrderPayment = { ...payment, unsigned: true };
    expect(mostProved(record, unsigned)).toStrictEqual(record);
    expect(mostProved(unsigned, record)).toStrictEqual(record);
    expect(mostProved({ ...payment, proof: 'person' }, unsigned)).toStrictEqual(unsigned);
    expect(mostProved(record, payment)).toStrictEqual(payment);
  });

  it('becomes a payment without what only the session shows', () => {
    const whole: Proof = { ...proof, card: '411111******1111', details: {}, result };
    expect(paymentOf(whole, undefined)).toStrictEqual(proof);
    expect(paymentOf(whole, attempt('at_2'))).toStrictEqual({ ...proof, method: 'card', attempt_id: 'at_2' });
  });
});

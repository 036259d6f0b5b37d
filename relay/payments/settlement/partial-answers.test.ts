import { describe, expect, it } from 'vitest';
import type { OrderRecord } from '../../../shared/gateway/query.ts';
import {
  begunAt,
  declinedOf,
  HOUR,
  lost,
  record,
  SECOND,
  type Story,
  story,
} from '../../../test/support/payments/sessions.ts';
import { away, isHeld, paidWith, pending, unanswered } from '../../../test/support/payments/stories.ts';

/** A query whose answer brought records of other orders, too. */
function partly(of: Story, ...records: OrderRecord[]): void {
  of.settle({ begun: begunAt(of.now()), notices: 0, counted: false, fault: 'query_unanswered', records });
}

describe('records that may not be all', () => {
  it('prove a payment', () => {
    const of = unanswered();
    partly(of, record('T1', '3000'));
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(paidWith(of)).toEqual(['T1']);
  });

  it('prove no absence', () => {
    const of = unanswered();
    for (let queries = 0; queries < 5; queries++, of.pass(HOUR)) partly(of);
    expect(of.status()).toBe('unknown');
    expect(of.order().queries).toMatchObject({ failures: 5, last: { counted: false } });
    const returned = away();
    returned.returned();
    for (let queries = 0; queries < 5; queries++, returned.pass(SECOND)) partly(returned);
    expect(returned.attempt()).not.toMatchObject({ status: 'not_paid' });
  });

  it('hold an order, and free none', () => {
    const of = unanswered();
    partly(of, record('T1', '1000'));
    expect(of.status()).toBe('pending');
    const held = pending();
    partly(held);
    partly(held, record('T9', '4100'));
    expect({ status: held.status(), isHeld: isHeld(held) }).toEqual({ status: 'pending', isHeld: true });
  });

  it('end an attempt by the decline of its own transaction alone', () => {
    const of = unanswered();
    partly(of, record('T1', '4100'));
    expect(of.status()).toBe('unknown');
    const named = story();
    named.pay();
    named.answer('at_1', { kind: 'redirect', issuer_url: 'https://issuer.example/', transaction_id: 'T1' });
    partly(named, record('T1', '4100'));
    expect(named.status()).toBe('redirected');
    named.returned();
    partly(named, record('T2', '4100'));
    expect(named.status()).toBe('redirected');
    partly(named, record('T1', '4100'));
    expect(named.attempt()).toMatchObject({ status: 'declined', proof: 'record' });
    expect(named.status()).toBe('open');
  });
});

describe('an attempt whose signed answer had the codes of an approval', () => {
  const approvedOtherwise = { kind: 'unknown', reason: 'echo_mismatch', evidence: {}, signed_approval: true } as const;

  function signedOtherwise(): Story {
    const of = story();
    of.pay();
    of.answer('at_1', approvedOtherwise);
    of.pass(5 * SECOND);
    return of;
  }

  it('is never absent', () => {
    const of = signedOtherwise();
    for (let times = 0; times < 5; times++) of.absent();
    expect(of.attempt()).toMatchObject({ status: 'unknown', reason: 'echo_mismatch' });
    expect(isHeld(of)).toBe(true);
  });

  it('survives a pending record and a relay presumed dead', () => {
    const of = signedOtherwise();
    of.query(record('T1', '1000'));
    of.absent();
    expect(of.status()).not.toBe('open');
    const late = story();
    late.pay();
    late.orphan();
    late.answer('at_1', approvedOtherwise);
    late.absent();
    late.absent();
    expect(late.status()).toBe('unknown');
  });

  it('is ended by a record, or by a person', () => {
    const of = signedOtherwise();
    of.absent();
    of.query(record('T1', '3000'));
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    const declined = signedOtherwise();
    declined.query(record('T1', '4100'));
    expect(declined.attempt()).toMatchObject({ status: 'declined' });
    const settled = signedOtherwise();
    settled.person({ outcome: 'not_paid' });
    expect(settled.status()).toBe('open');
  });

  it('is not declined by a record that may be of another attempt', () => {
    const of = story();
    of.pay('at_1');
    of.answer('at_1', lost);
    of.pass(5 * SECOND);
    of.absent();
    of.pay('at_2');
    of.answer('at_2', approvedOtherwise);
    of.pass(5 * SECOND);
    for (let times = 0; times < 3; times++) of.absent(record('T1', '4100', { date: of.now() }));
    expect(of.attempt('at_2')).toMatchObject({ status: 'unknown' });
    expect(of.answer('at_2', declinedOf('T2'))).toBe(true);
  });
});

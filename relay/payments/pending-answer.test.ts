import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  DAY,
  HOUR,
  lost,
  moment,
  record,
  SECOND,
  type Story,
  session,
  story,
} from '../../test/support/payments/sessions.ts';
import { isHeld, paidWith } from '../../test/support/payments/stories.ts';
import type { Outcome } from '../gateway/outcome.ts';
import { attemptOf } from './order.ts';

const awaited = { kind: 'pending', transaction_id: 'T1' } as const satisfies Outcome;

/** A session whose attempt the gateway answered with a pending code. */
function answeredPending(outcome: Outcome = awaited, method = 'PIX'): Story {
  const of = story();
  of.pay('at_1', { method });
  of.answer('at_1', outcome);
  return of;
}

describe('an answer that says pending', () => {
  it('makes attempt and session pending at once', () => {
    const of = answeredPending();
    expect(of.attempt()).toEqual({ status: 'pending', since: moment(0).toISOString() });
    expect(attemptOf(of.order(), 'at_1')).toMatchObject({
      transaction_id: 'T1',
      signed_id: 'T1',
      answered_pending: true,
    });
    expect(of.state()).toEqual({
      status: 'pending',
      attempt_id: 'at_1',
      transaction_id: 'T1',
      search: { since: moment(0).toISOString(), looks: 0, needs_attention: false },
    });
    expect(of.events).toEqual([{ type: 'session.pending', session_id: 'cs_1' }]);
    expect(isHeld(of)).toBe(true);
    expect(of.order().next_query_at).toBe(moment(SECOND).toISOString());
  });

  it('without a transaction_id makes them pending, too', () => {
    const of = answeredPending({ kind: 'pending' });
    expect(of.state()).not.toHaveProperty('transaction_id');
    expect(attemptOf(of.order(), 'at_1')).not.toHaveProperty('signed_id');
    of.query(record('T9', '3000'));
    expect(paidWith(of)).toEqual(['T9']);
  });

  it.each([{}, { unsigned: true }] as const)('is not absent without a record (%j)', (proof) => {
    const of = answeredPending({ ...awaited, ...proof });
    expect(attemptOf(of.order(), 'at_1')?.signed_id).toBe('unsigned' in proof ? undefined : 'T1');
    for (let times = 0; times < 3; times++) of.absent();
    expect([of.status(), isHeld(of)]).toEqual(['pending', true]);
  });

  it.each([
    ['3000', 'approved', 'session.approved'],
    ['4100', 'open', 'session.declined'],
    ['77', 'unknown', 'session.unknown'],
  ])('ends as its record says (%s)', (code, status, webhook) => {
    const of = answeredPending();
    of.pass(5 * SECOND);
    of.query(record('T1', '1000'));
    expect(of.eventTypes()).toEqual(['session.pending']);
    of.pass(HOUR);
    of.query(record('T1', code));
    expect(of.status()).toBe(status);
    expect(of.eventTypes()).toEqual(['session.pending', webhook]);
  });

  it('is abandoned by the shopper of an alternative method alone', () => {
    const of = answeredPending();
    expect(of.abandon()).toBe('abandoned');
    expect([of.status(), isHeld(of)]).toEqual(['open', false]);
    expect(answeredPending(awaited, 'card').abandon()).toBe('cannot_abandon');
  });

  it('is settled by a person', () => {
    const of = answeredPending(awaited, 'card');
    of.person({ outcome: 'not_paid' });
    expect([of.status(), isHeld(of)]).toEqual(['open', false]);
  });

  it('needs a person at the session’s end', () => {
    const of = answeredPending();
    of.pass(DAY);
    of.query();
    expect(of.state()).toMatchObject({ status: 'pending', search: { needs_attention: true } });
    expect(of.eventTypes()).toEqual(['session.pending', 'session.pending']);
  });

  it('ends the wait of an attempt whose relay was thought gone', () => {
    const of = story();
    of.pay('at_1', { method: 'PIX' });
    of.orphan();
    of.answer('at_1', awaited);
    expect(of.status()).toBe('pending');
    expect(of.eventTypes()).toEqual(['session.unknown', 'session.pending']);
  });

  it('leaves what a record said before it', () => {
    const of = story();
    of.pay('at_1', { method: 'PIX' });
    of.answer('at_1', lost);
    of.pass(5 * SECOND);
    of.query(record('T1', '77'));
    of.answer('at_1', awaited);
    expect(of.attempt()).toMatchObject({ status: 'unknown', reason: 'codes_not_listed' });
    expect(attemptOf(of.order(), 'at_1')).toMatchObject({ answered_pending: true, transaction_id: 'T1' });
    expect(of.status()).toBe('unknown');
  });

  it('names a second payment where a record paid the order', () => {
    const of = story();
    of.pay('at_1', { method: 'PIX' });
    of.query(record('T9', '3000'));
    of.answer('at_1', awaited);
    expect(attemptOf(of.order(), 'at_1')).toMatchObject({ other_id: 'T1' });
    of.pass(5 * SECOND);
    of.query(record('T9', '3000'), record('T1', '3000'));
    expect(paidWith(of)).toEqual(['T9', 'T1']);
  });

  it('waits beside another session’s payment until it is settled', () => {
    const of = story({ sessions: [session('cs_1'), session('cs_2')] });
    of.pay('at_1', { method: 'PIX' });
    of.orphan();
    of.absent();
    of.pay('at_2', { session_id: 'cs_2', method: 'PIX' });
    of.answer('at_1', approvedBy('T9'));
    of.answer('at_2', awaited);
    expect([of.status('cs_1'), of.status('cs_2')]).toEqual(['approved', 'pending']);
    of.pass(5 * SECOND);
    of.query(record('T9', '3000'), record('T1', '4100'));
    expect(of.state('cs_2')).toEqual({ status: 'failed', reason: 'order_already_paid' });
  });
});

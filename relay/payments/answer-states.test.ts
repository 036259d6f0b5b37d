import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  begunAt,
  declinedOf,
  lost,
  moment,
  notSent,
  record,
  refused,
  result,
  rules,
  SECOND,
  type Story,
  session,
  story,
  toIssuer,
} from '../../test/support/payments/sessions.ts';
import { two, unanswered } from '../../test/support/payments/stories.ts';
import { isOpenToAnswer, orphanAttempt, stillInFlight } from './answer.ts';
import { attemptOf } from './order.ts';

const single = () => story({ sessions: [session('cs_1', { terms: { ...session().terms, single: true } })] });

/** A session that pays by a second attempt, while a record makes the first one unknown again. */
function firstUnknownAgain(): Story {
  const of = unanswered();
  of.absent();
  of.pay('at_2');
  of.query(record('T1', '77'));
  expect([of.attempt('at_1').status, of.attempt('at_2').status]).toEqual(['unknown', 'in_flight']);
  expect(of.state()).toEqual({ status: 'processing', attempt_id: 'at_2' });
  return of;
}

describe('an answer to an attempt that its session does not wait for', () => {
  it.each([
    ['declined', declinedOf('T1')],
    ['refused', refused],
    ['not_sent', notSent],
  ] as const)('that is %s leaves the session alone', (_, outcome) => {
    const of = firstUnknownAgain();
    of.events.length = 0;
    of.answer('at_1', outcome);
    expect(of.state()).toEqual({ status: 'processing', attempt_id: 'at_2' });
    expect(of.events).toEqual([]);
  });

  it('that proves nothing makes only the attempt unknown', () => {
    const of = two();
    of.pay('at_1');
    of.orphan();
    of.absent();
    of.pay('at_2');
    of.answer('at_1', lost);
    expect(of.attempt('at_1')).toEqual({ status: 'not_paid', reason: 'absent' });
    expect(of.state()).toEqual({ status: 'processing', attempt_id: 'at_2' });
  });
});

describe('an answer to an attempt of a paid order', () => {
  const paidMeanwhile = (): Story => {
    const of = unanswered(two());
    of.absent();
    of.pay('at_2', { session_id: 'cs_2' });
    of.answer('at_1', approvedBy('T1'));
    of.events.length = 0;
    return of;
  };

  it.each([
    ['declined', declinedOf('T2'), { status: 'declined', result, proof: 'answer' }],
    ['refused', refused, { status: 'refused', result: { code: 'http_400', message: 'no' }, evidence: {} }],
    ['not_sent', notSent, { status: 'not_sent' }],
  ] as const)('that is %s fails its session with the reason', (_, outcome, state) => {
    const of = paidMeanwhile();
    of.answer('at_2', outcome);
    expect(of.attempt('at_2')).toEqual(state);
    expect(attemptOf(of.order(), 'at_2').settled_at).toBe(of.now().toISOString());
    expect(of.state('cs_2')).toEqual({ status: 'failed', reason: 'order_already_paid' });
    expect(of.events).toEqual([{ type: 'session.failed', session_id: 'cs_2', reason: 'order_already_paid' }]);
  });

  it('that names an issuer leaves it unknown, with its transaction', () => {
    const of = paidMeanwhile();
    of.answer('at_2', { ...toIssuer, transaction_id: 'T2' });
    expect(attemptOf(of.order(), 'at_2')).toMatchObject({
      transaction_id: 'T2',
      state: { status: 'unknown', reason: 'left_at_issuer', evidence: {}, since: of.now().toISOString() },
    });
    expect(of.events).toEqual([{ type: 'session.unknown', session_id: 'cs_2' }]);
  });
});

describe('an answer that a payment was not sent', () => {
  it('fails a session with a single attempt, without a reason', () => {
    const of = single();
    of.pay();
    of.answer('at_1', notSent);
    // An attempt that was not sent is none that the session made.
    expect(of.state()).toStrictEqual({ status: 'failed' });
    expect(of.events).toStrictEqual([{ type: 'session.failed', session_id: 'cs_1' }]);
  });

  it('reports that there is no payment after `unknown`', () => {
    const of = story();
    of.pay();
    of.orphan();
    of.answer('at_1', notSent);
    expect(of.state()).toStrictEqual({ status: 'open', last_method: 'card' });
    expect(of.events.at(-1)).toStrictEqual({ type: 'session.declined', session_id: 'cs_1', reason: 'absent' });
  });
});

describe('an answer of the gateway', () => {
  it('shows a refusal with what the shopper can do', () => {
    const of = story();
    of.pay();
    of.answer('at_1', refused);
    expect(of.state()).toEqual({
      status: 'open',
      notice: 'declined',
      advice: 'check_details',
      result: { code: 'http_400', message: 'no' },
      last_method: 'card',
    });
    expect(of.events).toEqual([{ type: 'session.declined', session_id: 'cs_1', reason: 'declined' }]);
  });

  it('declined without a signature proves nothing', () => {
    const of = story();
    of.pay();
    of.answer('at_1', { kind: 'declined', result, advice: 'contact_bank', unsigned: true });
    expect(of.attempt()).toStrictEqual({ status: 'declined', result });
    expect(attemptOf(of.order(), 'at_1')).not.toHaveProperty('transaction_id');
    expect(of.order().next_query_at).toBeDefined();
  });

  it('approved without a signature is kept as such', () => {
    const of = story();
    of.pay();
    of.answer('at_1', {
      kind: 'approved',
      transaction_id: 'T1',
      result,
      unsigned: true,
      card: '411111******1111',
      details: { contract_name: 'Tea' },
    });
    expect(of.order().payments).toEqual([
      expect.objectContaining({
        transaction_id: 'T1',
        method: 'card',
        amount: '10.00',
        currency: 'BRL',
        attempt_id: 'at_1',
        proof: 'answer',
        date: moment(0).toISOString(),
        unsigned: true,
      }),
    ]);
    expect(of.state()).toMatchObject({ card: '411111******1111', details: { contract_name: 'Tea' } });
  });

  it('with the codes of an approval is remembered, however late', () => {
    const signed = { ...lost, signed_approval: true, signed_id: 'T1' } as const;
    const of = story();
    of.pay();
    of.answer('at_1', signed);
    const kept = { signed_approval: true, signed_id: 'T1', transaction_id: 'T1' };
    expect(attemptOf(of.order(), 'at_1')).toMatchObject({ ...kept, state: { status: 'unknown' } });
    const late = story();
    late.pay();
    late.orphan();
    late.answer('at_1', signed);
    expect(attemptOf(late.order(), 'at_1')).toMatchObject({
      ...kept,
      state: { status: 'unknown', reason: 'relay_stopped' },
    });
    late.pass(5 * SECOND);
    late.absent();
    expect(late.status()).toBe('unknown');
    const silent = story();
    silent.pay();
    silent.answer('at_1', lost);
    expect(attemptOf(silent.order(), 'at_1')).not.toHaveProperty('signed_approval');
    expect(attemptOf(silent.order(), 'at_1')).not.toHaveProperty('signed_id');
  });

  it('that sends to an issuer comes too late for an unknown attempt', () => {
    const of = story();
    of.pay('at_1', { method: 'PIX' });
    of.orphan();
    of.answer('at_1', toIssuer);
    expect(of.attempt()).toMatchObject({ status: 'unknown', reason: 'relay_stopped' });
    expect(of.status()).toBe('unknown');
  });

  it('is awaited while an attempt is in flight or unknown', () => {
    const of = story();
    of.pay();
    const isOpen = () => isOpenToAnswer(attemptOf(of.order(), 'at_1'));
    expect(isOpen()).toBe(true);
    of.answer('at_1', lost);
    expect(isOpen()).toBe(true);
    of.answer('at_1', declinedOf());
    expect(isOpen()).toBe(false);
  });
});

describe('an attempt without an answer', () => {
  it('is orphaned after its time, and not before', () => {
    const of = story();
    of.pay();
    expect(orphanAttempt(of.order(), moment(rules.orphanedMs - 1), rules)).toBeUndefined();
    const decision = orphanAttempt(of.order(), moment(rules.orphanedMs), rules);
    expect(decision?.order.attempts[0]?.state).toEqual({
      status: 'unknown',
      reason: 'relay_stopped',
      evidence: {},
      since: moment(rules.orphanedMs).toISOString(),
    });
    expect(decision?.events).toEqual([{ type: 'session.unknown', session_id: 'cs_1' }]);
    expect(decision?.order.next_query_at).toBe(moment(rules.orphanedMs + SECOND).toISOString());
  });

  it('is orphaned after its time where its clock was ahead', () => {
    const of = story();
    of.pay();
    expect(stillInFlight(of.order(), moment(-2 * SECOND), rules).order.attempts).toEqual(of.order().attempts);
    const now = -2 * SECOND - 1;
    expect(orphanAttempt(of.order(), moment(now), rules)).toBeUndefined();
    const { order } = stillInFlight(of.order(), moment(now), rules);
    expect(order.attempts[0]?.state).toEqual({ status: 'in_flight', seen_at: moment(now).toISOString() });
    expect(order.next_query_at).toBe(moment(now + rules.orphanedMs).toISOString());
    expect(stillInFlight(order, moment(0), rules).order.attempts).toEqual(order.attempts);
    expect(orphanAttempt(order, moment(now + rules.orphanedMs - 1), rules)).toBeUndefined();
    expect(orphanAttempt(order, moment(now + rules.orphanedMs), rules)).toBeDefined();
  });

  it('is orphaned alone where its session is over', () => {
    const of = unanswered(two());
    of.absent();
    of.pay('at_2');
    of.settle({
      begun: begunAt(of.now()),
      notices: 0,
      counted: true,
      records: [record('T2', '3000', { date: of.now() })],
    });
    expect(of.status()).toBe('approved');
    of.events.length = 0;
    const order = {
      ...of.order(),
      attempts: [
        ...of.order().attempts,
        { ...attemptOf(of.order(), 'at_1'), id: 'at_3', state: { status: 'in_flight' } as const },
      ],
    };
    const decision = orphanAttempt(order, new Date(of.now().getTime() + rules.orphanedMs), rules);
    expect(decision?.order.attempts[2]?.state).toMatchObject({
      status: 'unknown',
      reason: 'relay_stopped',
      evidence: {},
    });
    expect(decision?.events).toEqual([]);
  });
});

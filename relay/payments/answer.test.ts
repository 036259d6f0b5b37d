import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  DAY,
  declinedOf,
  lost,
  notSent,
  record,
  refused,
  result,
  SECOND,
  session,
  story,
  toIssuer,
} from '../../test/support/payments/sessions.ts';
import type { Outcome } from '../gateway/outcome.ts';

const single = () => story({ sessions: [session('cs_1', { terms: { ...session().terms, single: true } })] });

describe('the gateway’s answer to an attempt', () => {
  it('approves the session and pays the order', () => {
    const of = story();
    of.pay('at_1', { card: '411111******1111' });
    of.answer('at_1', approvedBy('T1', 'R1'));
    expect(of.state()).toEqual({
      status: 'approved',
      attempt_id: 'at_1',
      transaction_id: 'T1',
      card: '411111******1111',
      recurring_id: 'R1',
      result: { code: '0000', message: 'Success' },
    });
    expect(of.order()).toMatchObject({
      hold: 'paid',
      payments: [
        {
          transaction_id: 'T1',
          amount: '10.00',
          currency: 'BRL',
          attempt_id: 'at_1',
          proof: 'answer',
          recurring_id: 'R1',
        },
      ],
    });
    expect(of.events).toEqual([{ type: 'session.approved', session_id: 'cs_1' }]);
  });

  it('opens the session after a decline, and frees the order', () => {
    const of = story();
    of.pay();
    of.answer('at_1', declinedOf('T1'));
    expect(of.state()).toEqual({
      status: 'open',
      notice: 'declined',
      advice: 'contact_bank',
      result,
      last_method: 'card',
    });
    expect(of.attempt()).toEqual({ status: 'declined', result, proof: 'answer' });
    expect(of.order()).toMatchObject({ hold: 'free', attempts: [{ transaction_id: 'T1' }] });
    expect(of.events).toEqual([{ type: 'session.declined', session_id: 'cs_1', reason: 'declined' }]);
  });

  it('ends the session with its last attempt', () => {
    const of = story();
    for (const id of ['at_1', 'at_2', 'at_3']) {
      expect(of.status()).toBe('open');
      of.pay(id);
      of.answer(id, declinedOf());
    }
    expect(of.state()).toMatchObject({ status: 'failed', reason: 'declined', advice: 'contact_bank', result });
    expect(of.eventTypes()).toEqual(['session.declined', 'session.declined', 'session.failed']);
    const once = single();
    once.pay();
    once.answer('at_1', declinedOf());
    expect(once.status()).toBe('failed');
  });

  it('ends a session whose time is over', () => {
    const of = story();
    of.pay();
    of.pass(DAY);
    of.answer('at_1', declinedOf());
    expect(of.state()).toEqual({ status: 'expired', reason: 'declined' });
    expect(of.eventTypes()).toEqual(['session.expired']);
  });

  it('counts no attempt that the gateway did not take', () => {
    const of = story();
    for (let n = 1; n <= 4; n++) {
      of.pay(`at_${n}`);
      of.answer(`at_${n}`, n % 2 ? refused : notSent);
      expect(of.status()).toBe('open');
    }
    expect(of.attempt('at_1')).toMatchObject({ status: 'refused' });
    expect(of.attempt('at_2')).toEqual({ status: 'not_sent' });
    expect(of.eventTypes()).toEqual(['session.declined', 'session.declined']);
  });

  it('sends no webhook for a payment that was not sent', () => {
    const of = story();
    of.pay();
    of.answer('at_1', notSent);
    expect(of.state()).toEqual({ status: 'open', last_method: 'card' });
    expect(of.order().next_query_at).toBeUndefined();
    expect(of.events).toEqual([]);
  });

  it('sends the shopper to the issuer, and holds the order', () => {
    const of = story();
    of.pay('at_1', { method: 'PIX' });
    of.answer('at_1', { ...toIssuer, transaction_id: 'T1' });
    expect(of.state()).toEqual({ status: 'redirected', attempt_id: 'at_1' });
    expect(of.order()).toMatchObject({
      hold: 'held',
      attempts: [{ transaction_id: 'T1', state: { status: 'redirected', issuer_url: 'https://issuer.example/' } }],
      next_query_at: expect.any(String),
    });
  });

  it('leaves the outcome unknown if it is inconclusive', () => {
    const of = story();
    of.pay();
    of.answer('at_1', lost);
    expect(of.state()).toMatchObject({
      status: 'unknown',
      search: { reason: 'timeout', looks: 0, needs_attention: false },
    });
    expect(of.order()).toMatchObject({ hold: 'held', next_query_at: expect.any(String) });
    expect(of.events).toEqual([{ type: 'session.unknown', session_id: 'cs_1' }]);
  });

  it('with a refusal is unknown where another attempt is unsettled', () => {
    const of = story();
    of.pay('at_1');
    of.answer('at_1', lost);
    of.query(record('T1', '77'));
    of.person({ outcome: 'not_paid' });
    of.pay('at_2');
    of.query(record('T1', '78'));
    expect(of.attempt('at_1')).toMatchObject({ status: 'unknown' });
    of.answer('at_2', refused);
    expect(of.attempt('at_2')).toMatchObject({ status: 'unknown', reason: 'gateway_refused' });
    expect(of.status()).toBe('unknown');
  });
});

describe('an answer that comes late', () => {
  const orphaned = () => {
    const of = story();
    of.pay();
    of.pass(60 * SECOND);
    of.orphan();
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'relay_stopped' } });
    return of;
  };

  it.each<[string, string, Outcome]>([
    ['approved', 'paid', approvedBy('T1')],
    ['open', 'free', declinedOf('T1')],
    ['open', 'free', refused],
    ['open', 'free', notSent],
    ['unknown', 'held', lost],
  ])('makes an orphaned attempt’s session %s', (status, hold, outcome) => {
    const of = orphaned();
    of.answer('at_1', outcome);
    expect(of.status()).toBe(status);
    expect(of.order().hold).toBe(hold);
  });

  it('changes nothing for an attempt that is settled, but an approval', () => {
    for (const outcome of [declinedOf('T1'), refused, notSent, lost, toIssuer]) {
      const of = orphaned();
      of.absent();
      expect(of.status()).toBe('open');
      const before = of.order();
      of.answer('at_1', outcome);
      expect(of.order().attempts).toEqual(before.attempts);
      expect(of.order().sessions).toEqual(before.sessions);
    }
    const of = orphaned();
    of.absent();
    of.answer('at_1', approvedBy('T1'));
    expect(of.status()).toBe('approved');
  });

  it('approves although another attempt is in flight, whose session waits', () => {
    const of = story({ sessions: [session('cs_1'), session('cs_2')] });
    of.pay('at_1');
    of.orphan();
    of.absent();
    of.pay('at_2', { session_id: 'cs_2' });
    of.answer('at_1', approvedBy('T1'));
    expect(of.order().hold).toBe('paid');
    expect(of.status('cs_2')).toBe('processing');
    of.answer('at_2', declinedOf('T2'));
    expect(of.state('cs_2')).toEqual({ status: 'failed', reason: 'order_already_paid' });
  });

  it('sends no second webhook when repeated', () => {
    const of = orphaned();
    for (let times = 0; times < 3; times++) of.answer('at_1', approvedBy('T1'));
    expect(of.eventTypes()).toEqual(['session.unknown', 'session.approved']);
    expect(of.order().payments).toHaveLength(1);
  });

  it('confirms an earlier record with the same content', () => {
    const of = orphaned();
    of.query(record('T1', '3000'));
    of.answer('at_1', approvedBy('T1'));
    expect(of.eventTypes()).toEqual(['session.unknown', 'session.approved']);
    expect(of.order().payments).toMatchObject([{ transaction_id: 'T1', proof: 'answer' }]);
  });

  it('ends a session that waits for its attempt, too', () => {
    const of = story({ sessions: [session('cs_1'), session('cs_2')] });
    of.pay('at_1');
    of.query(record('T0', '3000', { transaction_date: '20240101000000' }));
    of.query();
    of.answer('at_1', declinedOf('T1'));
    expect(of.order().hold).toBe('free');
    expect([of.status('cs_1'), of.status('cs_2')]).toEqual(['open', 'open']);
  });

  it('ends its session although a record holds the order', () => {
    for (const outcome of [declinedOf('T1'), refused, notSent]) {
      const of = story();
      of.pay('at_1');
      of.query(record('T0', '3000', { transaction_date: '20240101000000' }));
      of.answer('at_1', outcome);
      expect(of.status(), outcome.kind).not.toBe('processing');
      of.query();
      expect(of.status(), outcome.kind).toBe('open');
    }
  });

  it('with a refusal leaves an unknown attempt unknown while another is sent', () => {
    const of = story({ sessions: [session('cs_1'), session('cs_2')] });
    of.pay('at_1');
    of.orphan();
    of.query(record('T1', '77'));
    of.person({ outcome: 'not_paid' });
    of.pay('at_2', { session_id: 'cs_2' });
    of.query(record('T1', '78'));
    expect(of.status('cs_1')).toBe('unknown');
    of.answer('at_1', refused);
    expect(of.status('cs_1')).toBe('unknown');
  });
});

describe('a paid order', () => {
  it('sends no other shopper to the issuer', () => {
    const of = story({ sessions: [session('cs_1'), session('cs_2')] });
    of.pay('at_1', { method: 'PIX' });
    of.answer('at_1', { ...toIssuer, transaction_id: 'T1' });
    of.returned();
    for (let queries = 0; queries < 4; queries++) {
      of.query();
      of.pass(2 * SECOND);
    }
    of.pay('at_2', { session_id: 'cs_2', method: 'PIX' });
    of.query(record('T1', '3000'));
    of.answer('at_2', toIssuer);
    expect(of.state('cs_2')).toMatchObject({ status: 'unknown', search: { reason: 'left_at_issuer' } });
    of.pass(5 * SECOND);
    of.absent(record('T1', '3000'));
    expect(of.state('cs_2')).toMatchObject({ status: 'failed', reason: 'order_already_paid' });
  });

  it('takes its contract from the record of a later charge', () => {
    const of = story();
    of.pay();
    of.answer('at_1', approvedBy('T1'));
    const first = record('T1', '3000', { recurring_id: 'R1' });
    of.pass(31 * DAY);
    of.query(first, record('T2', '3000', { recurring_id: 'R1', date: of.now() }));
    expect(of.state()).toMatchObject({ recurring_id: 'R1' });
    expect(of.order().payments).toMatchObject([
      { transaction_id: 'T1', recurring_id: 'R1' },
      { transaction_id: 'T2', origin: 'renewal' },
    ]);
    expect(of.eventTypes()).toEqual(['session.approved']);
  });

  it('learns the contract from the record that confirms a person', () => {
    const of = story();
    of.pay();
    of.answer('at_1', lost);
    of.person({ outcome: 'approved', transaction_id: 'T1' });
    of.query(record('T1', '3000', { recurring_id: 'R1' }));
    expect(of.state()).toMatchObject({ status: 'approved', recurring_id: 'R1' });
  });

  it('keeps its contract if the answer comes after the record', () => {
    const of = story();
    of.pay();
    of.query(record('T1', '3000', { recurring_id: 'R1' }));
    of.answer('at_1', approvedBy('T1'));
    expect(of.state()).toMatchObject({ status: 'approved', recurring_id: 'R1' });
  });

  it('names the key that had withdrawn the paid session', () => {
    const of = story();
    of.pay('at_1', { method: 'PIX' });
    of.answer('at_1', toIssuer);
    of.returned();
    of.query(record('T1', '4100'));
    of.expire('cs_1', 'server');
    of.query(record('T1', '3000'));
    expect(of.state()).toMatchObject({ status: 'approved', withdrawn_by: 'server' });
  });

  it('stays paid where its payment is no longer known', () => {
    const of = story({ wasPaid: true, sessions: [session()] });
    expect(of.order().hold).toBe('paid');
    of.expire();
    expect(of.order().hold).toBe('paid');
  });
});

describe('an attempt whose relay crashed', () => {
  it('is unknown, once', () => {
    const of = story();
    of.pay();
    expect(of.orphan()).toBe(true);
    expect(of.attempt()).toMatchObject({ status: 'unknown', reason: 'relay_stopped' });
    expect(of.orphan()).toBe(false);
    expect(of.eventTypes()).toEqual(['session.unknown']);
  });
});

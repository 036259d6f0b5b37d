import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  attempt,
  begunAt,
  DAY,
  declinedOf,
  HOUR,
  lost,
  moment,
  orderWith,
  record,
  refused,
  rules,
  SECOND,
  type Story,
  session,
  story,
} from '../../../test/support/payments/sessions.ts';
import { absent, away, pending, two, unanswered } from '../../../test/support/payments/stories.ts';
import { attemptOf } from '../order.ts';
import { settleOrder } from './settle-order.ts';

const unlisted = record('T1', '77');
const odd = record('T9', '3000', { amount: '20.00' });
const single = (id: string) => session(id, { terms: { ...session().terms, single: true } });

/** An order whose only session failed, and reports that its order needs a person. */
function alarmed(seen = unlisted, of = story({ sessions: [single('cs_1')] })): Story {
  absent(of);
  of.query(seen);
  of.pass(DAY);
  of.query(seen);
  expect(of.state()).toMatchObject({ status: 'failed', needs_attention: true });
  of.events.length = 0;
  return of;
}

describe('a session that reported that its order needs a person', () => {
  it('keeps the alarm until its attempt is settled, too', () => {
    const of = alarmed();
    of.query();
    expect(of.state()).toMatchObject({ needs_attention: true });
    of.absent();
    expect(of.state()).toEqual({ status: 'failed', reason: 'absent' });
    expect(of.events).toEqual([{ type: 'session.failed', session_id: 'cs_1', reason: 'absent' }]);
  });

  it('reports the end of its attempt', () => {
    const of = alarmed();
    of.query(record('T1', '4100'));
    expect(of.events).toEqual([{ type: 'session.failed', session_id: 'cs_1', reason: 'declined' }]);
    expect(of.state()).not.toHaveProperty('needs_attention');
  });

  it('reports the payment of another session of its order', () => {
    const of = story({ sessions: [single('cs_1'), single('cs_2')] });
    for (const [id, session_id] of [
      ['at_1', 'cs_1'],
      ['at_2', 'cs_2'],
    ] as const) {
      of.pay(id, { session_id });
      of.answer(id, lost);
      of.pass(5 * SECOND);
      of.absent();
    }
    of.query(odd);
    expect(of.state('cs_2')).toMatchObject({ status: 'failed', needs_attention: true });
    expect(of.state('cs_1')).not.toHaveProperty('needs_attention');
    of.answer('at_1', approvedBy('T1'));
    expect(of.events.slice(-2)).toEqual([
      { type: 'session.approved', session_id: 'cs_1', late: true },
      { type: 'session.failed', session_id: 'cs_2', reason: 'order_already_paid' },
    ]);
    expect(of.state('cs_2')).not.toHaveProperty('needs_attention');
  });
});

describe('a session whose attempt was refused while a record held it', () => {
  it('reports the refusal once the record releases the order', () => {
    const of = story();
    of.pay();
    of.answer('at_1', refused);
    const date = moment(-45 * DAY);
    of.query(record('T2', '77', { date }));
    expect(of.status()).toBe('unknown');
    of.query(record('T2', '4100', { date }));
    expect(of.events.at(-1)).toEqual({ type: 'session.declined', session_id: 'cs_1', reason: 'declined' });
    expect(of.state()).toMatchObject({ status: 'open', notice: 'declined', advice: 'check_details' });
  });
});

describe('a session that is over', () => {
  it('reports at once that its order needs a person', () => {
    const of = unanswered();
    of.pass(DAY);
    of.absent();
    expect(of.status()).toBe('expired');
    of.events.length = 0;
    of.query(odd);
    expect(of.state()).toEqual({ status: 'expired', reason: 'absent', needs_attention: true });
    expect(of.events).toEqual([{ type: 'session.expired', session_id: 'cs_1' }]);
  });

  it('reports an attempt that has been unknown for long', () => {
    const of = absent(story({ sessions: [single('cs_1')] }));
    of.query(unlisted);
    of.query();
    of.pass(DAY - 1);
    of.queryFails();
    expect(of.state()).not.toHaveProperty('needs_attention');
    of.pass(1);
    of.queryFails();
    expect(of.state()).toMatchObject({ status: 'failed', needs_attention: true });
  });

  it('reports a record that has been undecided for long', () => {
    const of = story({ sessions: [single('cs_1')] });
    of.pay();
    of.answer('at_1', declinedOf('T1'));
    of.query(record('T2', '77'));
    expect(of.attempt()).toMatchObject({ status: 'declined' });
    of.pass(DAY - 1);
    of.query(record('T2', '77'));
    expect(of.state()).not.toHaveProperty('needs_attention');
    of.pass(1);
    of.query(record('T2', '77'));
    expect(of.state()).toMatchObject({ status: 'failed', needs_attention: true });
    expect(of.eventTypes()).toEqual(['session.failed', 'session.failed']);
  });

  it('reports a pending payment from its end on', () => {
    const of = absent(story({ sessions: [single('cs_1')] }));
    of.query(record('T1', '1000'));
    of.pass(moment(DAY).getTime() - of.now().getTime() - 1);
    of.query(record('T1', '1000'));
    expect(of.state()).not.toHaveProperty('needs_attention');
    of.pass(1);
    of.query(record('T1', '1000'));
    expect(of.state()).toMatchObject({ status: 'failed', needs_attention: true });
  });
});

describe('a session that waits for an attempt', () => {
  it('of another session waits until that is settled', () => {
    const of = pending(two());
    of.holdPaying('cs_2');
    of.query();
    expect([of.status('cs_1'), of.status('cs_2')]).toEqual(['pending', 'pending']);
    of.absent();
    expect([of.state('cs_1'), of.state('cs_2')]).toEqual([
      { status: 'open', notice: 'not_paid', last_method: 'PIX' },
      { status: 'open', notice: 'not_paid', last_method: 'PIX' },
    ]);
  });

  it('reports a person’s settlement when its order is free again', () => {
    const of = unanswered();
    of.person({ outcome: 'not_paid' });
    of.query(odd);
    expect(of.status()).toBe('unknown');
    of.query(record('T2', '4100'));
    expect(of.events.at(-1)).toEqual({ type: 'session.declined', session_id: 'cs_1', reason: 'settled' });
  });

  it('shows after a declined record what the shopper can do', () => {
    const of = story();
    of.pay('at_1', { method: 'token' });
    of.answer('at_1', lost);
    of.pass(5 * SECOND);
    of.query(record('T1', '4100', { decline_reason: 'no funds' }));
    expect(of.state()).toStrictEqual({
      status: 'open',
      notice: 'declined',
      advice: 'try_another_card',
      result: { code: '4100', message: 'no funds' },
      last_method: 'card',
    });
    expect(attemptOf(of.order(), 'at_1')).toMatchObject({ transaction_id: 'T1', settled_at: of.now().toISOString() });
  });

  it('is failed with the known result if no attempt is left', () => {
    const of = story({ sessions: [single('cs_1')] });
    unanswered(of).query(record(undefined, '4100'));
    expect(of.state()).toStrictEqual({
      status: 'failed',
      advice: 'try_another_card',
      result: { code: '4100', message: '' },
      reason: 'declined',
    });
    expect(attemptOf(of.order(), 'at_1')).not.toHaveProperty('transaction_id');
  });

  it('is expired from its end on', () => {
    const end = (before: number) => {
      const of = unanswered();
      of.pass(DAY - 5 * SECOND - before);
      of.query(record('T1', '4100'));
      return of.status();
    };
    expect([end(1), end(0)]).toEqual(['open', 'expired']);
  });
});

describe('a query', () => {
  const clear = (of: Story) => attemptOf(of.order(), 'at_1').clear?.queries ?? 0;

  it('proves nothing about an attempt sent less than two seconds before', () => {
    const of = story();
    of.pay();
    of.answer('at_1', lost);
    of.pass(2 * SECOND - 1);
    of.query();
    expect(clear(of)).toBe(0);
    of.pass(1);
    of.query();
    expect(clear(of)).toBe(1);
  });

  it('covers an attempt whose clock was ahead', () => {
    const of = story();
    of.pay();
    of.answer('at_1', lost);
    of.pass(-2 * SECOND);
    of.query();
    expect(clear(of)).toBe(0);
    of.pass(-1);
    of.query();
    expect(clear(of)).toBe(1);
  });

  it('covers a return at the moment when it begins', () => {
    const of = away();
    of.returned();
    of.settle({ begun: begunAt(new Date(of.now().getTime() - 1)), notices: 0, counted: true, records: [] });
    expect(clear(of)).toBe(0);
    of.query();
    expect(clear(of)).toBe(1);
  });

  it('ignores records if nothing was sent', () => {
    const order = orderWith({ sessions: [session()], attempts: [attempt('at_1', { state: { status: 'not_sent' } })] });
    const query = { begun: begunAt(moment(HOUR)), notices: 0, counted: true, records: [record('T1', '3000')] } as const;
    const settled = settleOrder(order, query, moment(HOUR), rules);
    expect(settled.events).toEqual([]);
    expect(settled.order).toMatchObject({ hold: 'free', payments: [] });
  });

  it('ends no attempt that is being sent, whatever it shows', () => {
    const busy = attempt('at_1', { transaction_id: 'T1' });
    const state = { status: 'processing', attempt_id: 'at_1' } as const;
    const order = orderWith({ sessions: [session('cs_1', { state })], attempts: [busy] });
    for (const counted of [true, false]) {
      const asked = { begun: begunAt(moment(HOUR)), notices: 0, records: [record('T1', '4100')] };
      const query = counted
        ? { ...asked, counted: true as const }
        : { ...asked, counted: false as const, fault: 'query_unanswered' as const };
      expect(settleOrder(order, query, moment(HOUR), rules).order.attempts).toEqual([busy]);
    }
  });
});

describe('a payment that a person reported', () => {
  it('is contradicted by a declined record alone, in its own session', () => {
    const of = two();
    of.pay('at_2', { session_id: 'cs_2' });
    of.answer('at_2', lost);
    of.person({ outcome: 'approved', transaction_id: 'P1' }, 'cs_2');
    of.pass(5 * SECOND);
    of.events.length = 0;
    for (const records of [[], [record('P1', '1000')], [record('T5', '4100')]]) of.query(...records);
    expect(of.state('cs_2')).not.toHaveProperty('needs_attention');
    expect(of.events).toEqual([]);
    of.query(record('P1', '4100'));
    expect(of.state('cs_2')).toMatchObject({ status: 'approved', needs_attention: true });
    expect(of.events).toEqual([{ type: 'session.approved', session_id: 'cs_2' }]);
    expect(of.state('cs_1')).toEqual({ status: 'failed', reason: 'order_already_paid' });
  });
});

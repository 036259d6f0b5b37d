import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  DAY,
  declinedOf,
  HOUR,
  lost,
  MINUTE,
  moment,
  record,
  rules,
  SECOND,
  story,
} from '../../../test/support/payments/sessions.ts';
import { absent, two, unanswered } from '../../../test/support/payments/stories.ts';
import { nextQueryAt } from '../schedule.ts';

describe('several sessions of one order', () => {
  it('are approved in that of the credited attempt alone', () => {
    const of = unanswered(two());
    of.query(record('T1', '3000'));
    expect(of.state('cs_1')).toMatchObject({ status: 'approved' });
    expect(of.state('cs_2')).toEqual({ status: 'failed', reason: 'order_already_paid' });
    expect(of.events.slice(-2)).toEqual([
      { type: 'session.approved', session_id: 'cs_1' },
      { type: 'session.failed', session_id: 'cs_2', reason: 'order_already_paid' },
    ]);
  });

  it('keep one whose own attempt is unsettled until that is settled', () => {
    const of = absent(two());
    of.pay('at_2', { session_id: 'cs_2' });
    of.answer('at_2', declinedOf());
    of.pay('at_3', { session_id: 'cs_2' });
    of.answer('at_3', lost);
    of.answer('at_1', approvedBy('T1'));
    expect(of.order().hold).toBe('paid');
    expect(of.state('cs_1')).toMatchObject({ status: 'approved' });
    expect(of.status('cs_2')).toBe('unknown');
    of.pass(5 * SECOND);
    of.query(record('T1', '3000'), record('T3', '4100', { date: of.now() }), record('T2', '4100', { date: of.now() }));
    expect(of.state('cs_2')).toEqual({ status: 'failed', reason: 'order_already_paid' });
  });

  it('are both approved where both were paid', () => {
    const of = absent(two());
    of.pay('at_2', { session_id: 'cs_2' });
    of.answer('at_2', lost);
    of.answer('at_1', approvedBy('T1'));
    of.query(record('T1', '3000'), record('T2', '3000', { date: of.now() }));
    expect(of.state('cs_2')).toMatchObject({ status: 'approved', transaction_id: 'T2' });
    expect(of.events.slice(-2)).toMatchObject([
      { type: 'session.approved', session_id: 'cs_2' },
      { type: 'session.paid_twice', session_id: 'cs_2', transaction_ids: ['T1', 'T2'] },
    ]);
  });

  it('move the session about to be paid to the order’s hold', () => {
    const of = absent(two());
    of.query(record('T1', '77', { date: of.now() }));
    expect(of.status('cs_1')).toBe('unknown');
    expect(of.status('cs_2')).toBe('open');
    expect(of.holdPaying('cs_2')).toBe(true);
    expect(of.state('cs_2')).toMatchObject({ status: 'unknown', attempt_id: 'at_1' });
    of.query(record('T1', '4100', { date: of.now() }));
    expect([of.status('cs_1'), of.status('cs_2')]).toEqual(['open', 'open']);
  });
});

describe('a watched attempt', () => {
  it('is queried ever more rarely for thirty days', () => {
    const of = absent();
    let queries = 0;
    let wait = 0;
    for (let at = of.order().next_query_at; at !== undefined && queries < 1000; at = of.order().next_query_at) {
      const ms = Date.parse(at) - of.now().getTime();
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThanOrEqual(DAY);
      wait = ms;
      of.pass(ms);
      of.query();
      queries += 1;
    }
    expect(wait).toBeGreaterThan(20 * HOUR);
    expect(of.now().getTime()).toBeGreaterThanOrEqual(moment(30 * DAY).getTime());
    expect(of.now().getTime()).toBeLessThan(moment(32 * DAY).getTime());
    expect(queries).toBeLessThan(80);
  });

  it('is queried after its order is paid', () => {
    const of = absent();
    of.pay('at_2');
    of.answer('at_2', approvedBy('T2'));
    expect(of.order()).toMatchObject({ hold: 'paid', next_query_at: expect.any(String) });
  });

  it('is unknown again by an unlisted record of its own', () => {
    const of = absent();
    of.query(record('T1', '77'));
    expect(of.attempt()).toMatchObject({ status: 'unknown' });
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'codes_not_listed' } });
  });

  it('is queried on every notification', () => {
    const of = absent();
    of.pass(3 * DAY);
    of.query();
    of.notify();
    of.pass(MINUTE);
    expect(nextQueryAt(of.order(), of.now(), rules)).toBe(of.now().toISOString());
    of.query();
    expect(Date.parse(of.order().next_query_at ?? '')).toBeGreaterThan(of.now().getTime());
  });
});

describe('an unknown outcome', () => {
  it('needs a person after its time, with one webhook', () => {
    const of = unanswered();
    of.pass(DAY);
    for (let queries = 0; queries < 2; queries++) of.query(record('T1', '77'));
    expect(of.state()).toMatchObject({ status: 'unknown', search: { needs_attention: true, looks: 2 } });
    expect(of.eventTypes()).toEqual(['session.unknown', 'session.unknown']);
  });

  it('is not asked for by a query that another attempt began after', () => {
    const of = story();
    of.pay();
    of.query();
    expect(of.status()).toBe('processing');
    expect(of.order().attempts[0]?.clear?.queries ?? 0).toBe(0);
  });
});

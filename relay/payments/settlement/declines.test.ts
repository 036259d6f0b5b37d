import { describe, expect, it } from 'vitest';
import {
  DAY,
  declinedOf,
  lost,
  MINUTE,
  moment,
  record,
  rules,
  SECOND,
  session,
  story,
} from '../../../test/support/payments/sessions.ts';
import { absent, unanswered } from '../../../test/support/payments/stories.ts';

describe('a decline', () => {
  it('of a record ends the attempt, which stays watched', () => {
    const of = unanswered();
    of.query(record('T1', '4100'));
    expect(of.attempt()).toMatchObject({ status: 'declined', proof: 'record', result: { code: '4100' } });
    expect(of.state()).toMatchObject({ status: 'open', notice: 'declined' });
    expect(of.events.at(-1)).toEqual({ type: 'session.declined', session_id: 'cs_1', reason: 'declined' });
    expect(of.order()).toMatchObject({ hold: 'free', next_query_at: expect.any(String) });
  });

  it('of a signed answer is not watched', () => {
    const of = story();
    of.pay();
    of.answer('at_1', declinedOf('T1'));
    expect(of.order().next_query_at).toBeUndefined();
  });

  it('dated before the attempt is another’s', () => {
    const of = unanswered();
    const old = record('T9', '4100', { date: moment(-365 * DAY) });
    of.query(old);
    expect(of.status()).toBe('unknown');
    of.absent(old);
    expect(of.state()).toMatchObject({ status: 'open', notice: 'not_paid' });
    expect(of.attempt()).toEqual({ status: 'not_paid', reason: 'absent' });
  });

  it('of another transaction than a signed answer named ends nothing', () => {
    const of = story();
    of.pay();
    of.answer('at_1', { kind: 'unknown', reason: 'codes_not_listed', evidence: {}, signed_id: 'T2' });
    of.pass(5 * SECOND);
    of.query(record('T1', '4100'));
    expect(of.status()).toBe('unknown');
    of.query(record('T1', '4100'), record('T2', '4100'));
    expect(of.attempt()).toMatchObject({ status: 'declined', proof: 'record' });
  });

  it('dated within the tolerance of the clocks is the attempt’s own', () => {
    const of = unanswered();
    of.query(record('T1', '4100', { date: moment(-14 * MINUTE) }));
    expect(of.status()).toBe('open');
    const early = unanswered();
    early.query(record('T1', '4100', { date: moment(-16 * MINUTE) }));
    expect(early.status()).toBe('unknown');
  });

  it.each([
    ['set back', 'Europe/Paris', '2026-10-25T01:25:00.000Z', '20261025022530'],
    ['set forward', 'Europe/Paris', '2026-03-29T01:25:00.000Z', '20260329022530'],
    ['set back', 'America/Sao_Paulo', '2018-02-18T02:25:00.000Z', '20180217232530'],
    ['set forward', 'America/Sao_Paulo', '2018-11-04T03:25:00.000Z', '20181104002530'],
  ])('dated when clocks are %s in %s has the later moment', (_, timeZone, at, transaction_date) => {
    const of = story({ sessions: [session()] }, { ...rules, timeZone });
    of.pass(Date.parse(at) - moment(0).getTime());
    unanswered(of).query(record('T1', '4100', { transaction_date }));
    expect(of.attempt()).toMatchObject({ status: 'declined', proof: 'record' });
  });

  it('of another amount is not the attempt’s own', () => {
    const of = unanswered();
    of.query(record('T1', '4100', { amount: '20.00' }), record('T2', '4100', { currency: 'USD' }));
    expect(of.status()).toBe('unknown');
  });

  it('of one transaction ends no attempt that has another', () => {
    const of = story();
    of.pay('at_1');
    of.answer('at_1', declinedOf('T1'));
    of.pay('at_2');
    of.answer('at_2', lost);
    of.pass(5 * SECOND);
    of.query(record('T1', '4100'));
    expect(of.status()).toBe('unknown');
    of.query(record('T1', '4100'), record('T2', '4100'));
    expect(of.status()).toBe('open');
  });

  it('waits for a record of every attempt that has none', () => {
    const of = absent();
    of.pay('at_2');
    of.answer('at_2', lost);
    of.pass(5 * SECOND);
    of.query(record('T1', '4100', { date: of.now() }));
    expect(of.attempt('at_2')).toMatchObject({ status: 'unknown' });
    of.query(record('T1', '4100', { date: of.now() }), record('T2', '4100', { date: of.now() }));
    expect(of.attempt('at_2')).toMatchObject({ status: 'declined' });
  });

  it('that remains after the time for absence ends the attempt', () => {
    const of = absent();
    of.pay('at_2');
    of.answer('at_2', lost);
    const declined = record('T1', '4100', { date: of.now() });
    of.absent(declined);
    expect(of.attempt('at_2')).toMatchObject({ status: 'declined' });
    expect(of.state()).toMatchObject({ status: 'open', notice: 'declined' });
  });

  it('beside something undecided ends nothing', () => {
    const of = unanswered();
    of.query(record('T1', '4100'), record('T2', '77'));
    expect(of.status()).toBe('unknown');
    expect(of.attempt()).toMatchObject({ status: 'unknown' });
  });

  it('ends the session where no attempt is left', () => {
    const of = story({ sessions: [session('cs_1', { terms: { ...session().terms, single: true } })] });
    unanswered(of).query(record('T1', '4100'));
    expect(of.state()).toMatchObject({ status: 'failed', reason: 'declined', result: { code: '4100' } });
    expect(of.events.at(-1)).toEqual({ type: 'session.failed', session_id: 'cs_1', reason: 'declined' });
  });

  it('ends the session where its time is over', () => {
    const of = unanswered();
    of.pass(DAY);
    of.query(record('T1', '4100'));
    expect(of.state()).toEqual({ status: 'expired', reason: 'declined' });
    expect(of.events.at(-1)).toMatchObject({ type: 'session.expired' });
  });
});

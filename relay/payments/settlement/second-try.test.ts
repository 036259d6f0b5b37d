import { describe, expect, it } from 'vitest';
import {
  DAY,
  lost,
  MINUTE,
  moment,
  record,
  SECOND,
  type Story,
  session,
  story,
  toIssuer,
} from '../../../test/support/payments/sessions.ts';

/** A shopper is back from the issuer's page, where a first try was declined. */
function declinedThere(): Story {
  const of = story();
  of.pay('at_1', { method: 'PIX' });
  of.answer('at_1', toIssuer);
  of.pass(5 * SECOND);
  of.returned();
  of.query(record('T1', '4100'));
  return of;
}

describe('a second try at the issuer’s page', () => {
  it('that is pending makes the session pending, and can be abandoned', () => {
    const of = declinedThere();
    expect(of.status()).toBe('open');
    const records = [record('T1', '4100'), record('T2', '1000')];
    of.query(...records);
    expect(of.state()).toMatchObject({ status: 'pending', transaction_id: 'T2' });
    expect(of.abandon()).toBe('abandoned');
    expect(of.status()).toBe('open');
    of.query(...records);
    expect(of.order().hold).toBe('free');
    of.query(record('T1', '4100'), record('T2', '3000'));
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T2' });
  });

  it('stays given up though an earlier attempt could be its own', () => {
    const of = declinedThere();
    of.pay('at_2', { method: 'PIX' });
    of.answer('at_2', toIssuer);
    of.returned();
    of.query(record('T1', '4100'), record('T2', '4100', { date: of.now() }));
    const records = [record('T1', '4100'), record('T2', '4100'), record('T3', '1000', { date: of.now() })];
    of.query(...records);
    expect(of.abandon()).toBe('abandoned');
    of.query(...records);
    expect(of.order().hold).toBe('free');
  });

  it('is not given up with what is pending elsewhere', () => {
    const of = story();
    of.pay('at_1', { method: 'PIX' });
    of.answer('at_1', lost);
    of.pass(5 * SECOND);
    of.query(record('T1', '1000'), record('T2', '1000', { date: moment(-90 * DAY) }));
    expect(of.status()).toBe('pending');
    expect(of.abandon()).toBe('cannot_abandon');
    of.query(record('T1', '1000'));
    expect(of.abandon()).toBe('abandoned');
    of.query(record('T1', '1000'));
    expect(of.order().hold).toBe('free');
  });

  it('that is declined as well opens the session again', () => {
    const of = declinedThere();
    of.query(record('T1', '4100'), record('T2', '1000'));
    of.query(record('T1', '4100'), record('T2', '4100'));
    expect(of.status()).toBe('open');
    expect(of.order().hold).toBe('free');
  });

  it('with an unlisted code makes the session unknown', () => {
    const of = declinedThere();
    of.query(record('T1', '4100'), record('T2', '77'));
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'codes_not_listed' } });
  });

  it('leaves a shopper alone who is at the issuer for another attempt', () => {
    const of = story({ sessions: [session()] });
    of.pay('at_1', { method: 'PIX' });
    of.answer('at_1', lost);
    of.pass(5 * SECOND);
    of.absent();
    of.pay('at_2', { method: 'BOLETO' });
    of.answer('at_2', toIssuer);
    of.query(record('T1', '1000'));
    expect(of.state()).toMatchObject({ status: 'redirected', attempt_id: 'at_2' });
    expect(of.returned()).toBe(true);
    of.query(record('T1', '4100'));
    for (let queries = 0; queries < 3; queries++) {
      of.pass(MINUTE);
      of.query(record('T1', '4100'));
    }
    expect(of.status()).toBe('open');
  });
});

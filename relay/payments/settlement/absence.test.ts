import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, moment, record, SECOND } from '../../../test/support/payments/sessions.ts';
import { away, unanswered } from '../../../test/support/payments/stories.ts';

describe('the shopper’s return', () => {
  it('opens the form after three queries without a record', () => {
    const of = away();
    of.query();
    of.returned();
    for (const ms of [0, 2 * SECOND]) {
      of.pass(ms);
      of.query();
      expect(of.status()).toBe('redirected');
    }
    of.pass(3 * SECOND);
    of.query();
    expect(of.state()).toEqual({ status: 'open', notice: 'not_paid', last_method: 'PIX' });
    expect(of.attempt()).toEqual({ status: 'not_paid', reason: 'abandoned' });
    expect(of.told()).toEqual(['session.redirected']);
    expect(of.order()).toMatchObject({ hold: 'free', next_query_at: expect.any(String) });
  });

  it('is not counted by a query that began before it', () => {
    const of = away();
    const begun_at = of.now();
    of.pass(SECOND);
    of.returned();
    of.pass(10 * SECOND);
    for (let queries = 0; queries < 4; queries++) of.settle({ begun_at, notices: 0, counted: true, records: [] });
    expect(of.status()).toBe('redirected');
  });

  it('makes the session unknown where no query counts', () => {
    const of = away();
    of.returned();
    of.queryFails();
    expect(of.status()).toBe('redirected');
    of.pass(5 * SECOND);
    of.queryFails();
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'query_failed' } });
  });

  it('finds what is pending', () => {
    const of = away();
    of.returned();
    of.query(record('T1', '1000'));
    expect(of.state()).toMatchObject({ status: 'pending', transaction_id: 'T1' });
    expect(of.events.at(-1)).toMatchObject({ type: 'session.pending' });
  });

  it('finds what is not listed', () => {
    const of = away();
    of.query(record('T1', '77'));
    expect(of.status()).toBe('redirected');
    of.returned();
    of.query(record('T1', '77'));
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'codes_not_listed' } });
  });
});

describe('absence', () => {
  it('needs three queries and the time', () => {
    const of = unanswered();
    for (let queries = 0; queries < 5; queries++) of.query();
    expect(of.status()).toBe('unknown');
    of.pass(15 * MINUTE);
    of.query();
    expect(of.state()).toMatchObject({ status: 'open', notice: 'not_paid' });
    expect(of.events.at(-1)).toEqual({ type: 'session.declined', session_id: 'cs_1', reason: 'absent' });
    const rare = unanswered();
    rare.pass(HOUR);
    for (const status of ['unknown', 'unknown', 'open']) {
      rare.query();
      expect(rare.status()).toBe(status);
    }
  });

  it('is not proved by queries that do not count', () => {
    const of = unanswered();
    of.pass(HOUR);
    for (let queries = 0; queries < 5; queries++) of.queryFails();
    expect(of.status()).toBe('unknown');
    expect(of.order().queries).toMatchObject({ failures: 5, last: { counted: false } });
  });

  it('counts anew after something undecided', () => {
    const of = unanswered();
    of.pass(HOUR);
    of.query();
    of.query();
    of.query(record('T1', '77'));
    of.query();
    of.query();
    expect(of.status()).toBe('unknown');
    of.query();
    expect(of.status()).toBe('open');
  });

  it('is not proved for an attempt sent after the query began', () => {
    const of = unanswered();
    of.pass(HOUR);
    const begun_at = moment(-HOUR);
    for (let queries = 0; queries < 3; queries++) of.settle({ begun_at, notices: 0, counted: true, records: [] });
    expect(of.status()).toBe('unknown');
  });
});

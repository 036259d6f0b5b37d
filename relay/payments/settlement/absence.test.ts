import { describe, expect, it } from 'vitest';
import { begunAt, HOUR, MINUTE, moment, record, SECOND } from '../../../test/support/payments/sessions.ts';
import { away, unanswered } from '../../../test/support/payments/stories.ts';

describe('the shopper’s return', () => {
  it('opens the form after a minute without a record', () => {
    const of = away();
    of.query();
    of.returned();
    for (const seconds of [0, 2, 3, 5, 10, 20, 19]) {
      of.pass(seconds * SECOND);
      of.query();
      expect(of.status()).toBe('redirected');
    }
    of.pass(SECOND);
    of.query();
    expect(of.state()).toEqual({ status: 'open', notice: 'not_paid', last_method: 'PIX' });
    expect(of.attempt()).toMatchObject({ status: 'not_paid', reason: 'not_found' });
    expect(of.eventTypes()).toEqual(['session.redirected']);
    expect(of.order()).toMatchObject({ hold: 'free', next_query_at: expect.any(String) });
  });

  it('ends no sooner by another relay whose clock is ahead', () => {
    const of = away();
    of.returned();
    of.query();
    const { monotonic_ms } = begunAt(of.now());
    of.pass(HOUR);
    for (let second = 2; second < 38; second += 2) {
      const begun = { ...begunAt(of.now()), process: 'another', monotonic_ms: monotonic_ms + second * SECOND };
      of.settle({ begun, notices: 0, counted: true, records: [] });
      expect(of.status()).toBe('redirected');
    }
  });

  it('is not counted by a query that began before it', () => {
    const of = away();
    const begun = begunAt(of.now());
    of.pass(SECOND);
    of.returned();
    of.pass(2 * MINUTE);
    for (let queries = 0; queries < 4; queries++) of.settle({ begun, notices: 0, counted: true, records: [] });
    expect(of.status()).toBe('redirected');
  });

  it('makes the session unknown where no query counts', () => {
    const of = away();
    of.returned();
    of.queryFails();
    of.pass(59 * SECOND);
    of.queryFails();
    expect(of.status()).toBe('redirected');
    of.pass(SECOND);
    of.queryFails();
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'query_failed' } });
  });

  it('becomes unknown without a counted query after a clock step back', () => {
    const of = away();
    of.returned();
    of.pass(-HOUR);
    of.queryFails();
    expect(of.status()).toBe('unknown');
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
  it('needs three queries over the time', () => {
    const of = unanswered();
    of.pass(5 * SECOND);
    for (const ms of [0, MINUTE, 14 * MINUTE - SECOND]) {
      of.pass(ms);
      of.query();
      expect(of.status()).toBe('unknown');
    }
    of.pass(SECOND);
    of.query();
    expect(of.state()).toMatchObject({ status: 'open', notice: 'not_paid' });
    expect(of.events.at(-1)).toEqual({ type: 'session.declined', session_id: 'cs_1', reason: 'absent' });
  });

  it.each([
    ['one query, however late', [2 * HOUR]],
    ['two queries', [5 * SECOND, HOUR]],
    ['queries at the end of the time', [HOUR, SECOND, SECOND, SECOND]],
    ['queries over a tenth of it', [5 * SECOND, 45 * SECOND, 45 * SECOND]],
  ])('is not proved by %s', (_, gaps) => {
    const of = unanswered();
    for (const ms of gaps) {
      of.pass(ms);
      of.query();
      expect(of.status()).toBe('unknown');
    }
  });

  it('comes no sooner by a clock that is set forward', () => {
    const of = unanswered();
    of.pass(5 * SECOND);
    of.query();
    const measured = begunAt(of.now()).monotonic_ms;
    of.pass(HOUR);
    for (let second = 2; second < 20; second += 2) {
      const begun = { ...begunAt(of.now()), monotonic_ms: measured + second * SECOND };
      of.settle({ begun, notices: 0, counted: true, records: [] });
      expect(of.status()).toBe('unknown');
    }
  });

  it('comes no later where the attempt’s clock was ahead', () => {
    const of = unanswered();
    of.pass(-HOUR);
    of.absent();
    expect(of.status()).toBe('open');
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
    of.absent(record('T1', '77'));
    of.query();
    of.pass(14 * MINUTE);
    of.query();
    expect(of.status()).toBe('unknown');
    of.pass(MINUTE);
    of.query();
    expect(of.status()).toBe('open');
  });

  it('is not proved for an attempt sent after the query began', () => {
    const of = unanswered();
    of.pass(HOUR);
    const begun = begunAt(moment(-HOUR));
    for (let queries = 0; queries < 3; queries++) of.settle({ begun, notices: 0, counted: true, records: [] });
    expect(of.status()).toBe('unknown');
  });
});

import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  begunAt,
  DAY,
  declinedOf,
  HOUR,
  lost,
  MINUTE,
  notSent,
  record,
  SECOND,
  type Story,
  story,
  toIssuer,
} from '../../test/support/payments/sessions.ts';
import { away } from '../../test/support/payments/stories.ts';

/** The milliseconds until the next query; undefined if none is due. */
function wait(of: Story): number | undefined {
  const at = of.order().next_query_at;
  return at === undefined ? undefined : Date.parse(at) - of.now().getTime();
}

const unanswered = (): Story => {
  const of = story();
  of.pay();
  of.answer('at_1', lost);
  return of;
};

describe('the next query of an order', () => {
  it('is none where nothing is open', () => {
    const of = story();
    of.query();
    expect(wait(of)).toBeUndefined();
    of.pay();
    of.answer('at_1', notSent);
    expect(wait(of)).toBeUndefined();
  });

  it('is when its relay must be gone while a payment is sent', () => {
    const of = story();
    of.pay();
    expect(wait(of)).toBe(35_000);
  });

  it('is soon where the clock was ahead before', () => {
    const of = unanswered();
    of.pass(HOUR);
    of.query();
    of.pass(-HOUR);
    // The shopper pressed once more, so that the order is planned anew.
    of.answer('at_1', declinedOf());
    of.pay('at_2');
    expect(wait(of)).toBe(35_000);
    of.answer('at_2', lost);
    expect(wait(of)).toBe(SECOND);
  });

  it('about an unknown outcome backs off to the operator’s longest wait', () => {
    const of = unanswered();
    expect(wait(of)).toBe(SECOND);
    for (let waited = 0; waited < HOUR; ) {
      const ms = wait(of) ?? Number.NaN;
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThanOrEqual(MINUTE);
      of.pass(ms);
      waited += ms;
      of.query(record('T1', '77'));
    }
    expect(wait(of)).toBeGreaterThan(MINUTE / 2);
  });

  it('about an unknown outcome that was given up is a day away', () => {
    const of = unanswered();
    of.pass(DAY);
    of.queryFails();
    expect(of.state()).toMatchObject({ status: 'unknown', search: { needs_attention: true } });
    expect(wait(of)).toBe(DAY);
  });

  it('about an unlisted record that was given up is a day away', () => {
    const of = unanswered();
    of.query(record('T1', '77'));
    of.pass(3 * DAY);
    of.query(record('T1', '77'));
    expect(of.state()).toMatchObject({ status: 'unknown', search: { needs_attention: true } });
    expect(wait(of)).toBeGreaterThan(23 * HOUR);
    expect(wait(of)).toBeLessThanOrEqual(DAY);
  });

  it('about what is pending backs off to an hour', () => {
    const of = unanswered();
    of.query(record('T1', '1000'));
    of.pass(12 * HOUR);
    of.query(record('T1', '1000'));
    expect(wait(of)).toBeGreaterThan(HOUR / 2);
    expect(wait(of)).toBeLessThanOrEqual(HOUR);
  });

  it.each([
    ['PIX', [0, 2, 3, 5, 10, 20, 20]],
    ['BOLETO', [0, 2, 3, 5, 10, 20, 40, 40]],
  ])('after a shopper’s return by %s is ever later', (method, waits) => {
    const of = story();
    of.pay('at_1', { method });
    of.answer('at_1', toIssuer);
    of.pass(MINUTE);
    of.returned();
    for (const seconds of waits) {
      expect(of.status()).toBe('redirected');
      expect(wait(of)).toBe(seconds * SECOND);
      of.pass(seconds * SECOND);
      of.query();
    }
    expect(of.status()).toBe('open');
  });

  it('after a return is as soon where the clock is set back', () => {
    const of = away();
    of.returned();
    const start = of.now().getTime();
    const query = (seconds: number): void => {
      const begun = { ...begunAt(of.now()), monotonic_ms: start + seconds * SECOND };
      of.settle({ begun, notices: 0, counted: true, records: [] });
    };
    query(0);
    of.pass(2 * SECOND - HOUR);
    const waits = [2, 5, 10, 20, 40].map((seconds) => {
      query(seconds);
      const ms = wait(of) ?? Number.NaN;
      of.pass(ms);
      return ms / SECOND;
    });
    expect(waits).toEqual([3, 5, 10, 20, 20]);
    query(60);
    expect(of.status()).toBe('open');
  });

  it('is immediate for a notification that came while a payment was sent', () => {
    const of = story();
    of.pay();
    of.notify();
    of.pass(MINUTE);
    of.answer('at_1', approvedBy('T1'));
    expect(wait(of)).toBe(0);
  });

  it('keeps two seconds from the last one', () => {
    const of = unanswered();
    of.query();
    expect(wait(of)).toBe(2 * SECOND);
    of.notify();
    of.pass(SECOND);
    of.answer('at_1', approvedBy('T1'));
    expect(wait(of)).toBe(SECOND);
  });

  it('backs off where queries do not count', () => {
    const of = unanswered();
    const waits = Array.from({ length: 9 }, () => {
      of.queryFails();
      const ms = wait(of) ?? Number.NaN;
      of.pass(ms);
      return ms;
    });
    expect(waits.slice(0, 6)).toEqual([2, 2, 4, 8, 16, 32].map((seconds) => seconds * SECOND));
    expect(waits.at(-1)).toBe(MINUTE);
  });
});

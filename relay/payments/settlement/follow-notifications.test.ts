import { describe, expect, it } from 'vitest';
import type { OrderRecord } from '../../../shared/gateway/query.ts';
import {
  approvedBy,
  begunAt,
  DAY,
  declinedOf,
  HOUR,
  MINUTE,
  record,
  refused,
  SECOND,
  type Story,
  story,
  toIssuer,
} from '../../../test/support/payments/sessions.ts';
import { away } from '../../../test/support/payments/stories.ts';
import { isWatched } from '../attempt.ts';
import { attemptOf, needsQueryFirst } from '../order.ts';

/** Lets time pass and makes the queries that are due, for so long; gives when each began, in milliseconds from now. */
function queriesWithin(of: Story, ms: number, ...records: OrderRecord[]): number[] {
  const begun = of.now().getTime();
  const queries: number[] = [];
  for (;;) {
    const { next_query_at } = of.order();
    const at = Math.max(Date.parse(next_query_at ?? '9999-01-01T00:00:00.000Z'), of.now().getTime());
    if (at > begun + ms) break;
    of.pass(at - of.now().getTime());
    queries.push(at - begun);
    of.query(...records);
  }
  of.pass(begun + ms - of.now().getTime());
  return queries;
}

/** A payment that the gateway's signed answer declined, of which the gateway notified later. */
function declinedThenNotified(): Story {
  const of = story();
  of.pay();
  of.answer('at_1', declinedOf('T1'));
  of.pass(DAY);
  of.notify();
  return of;
}

/** A payment that the gateway's signed answer approved, of which the gateway notified. */
function approvedThenNotified(): Story {
  const of = story();
  of.pay();
  of.answer('at_1', approvedBy('T1'));
  of.pass(SECOND);
  of.notify();
  return of;
}

describe('a notification about an order', () => {
  it('is followed five times while the records do not change', () => {
    const of = away();
    of.notify();
    const repeated = queriesWithin(of, HOUR).filter((at) => [0, 5 * SECOND, MINUTE, 10 * MINUTE, HOUR].includes(at));
    expect(repeated).toHaveLength(5);
    expect(of.order().repeats).toBeUndefined();
  });

  it('is followed until the gateway shows what it notified of', () => {
    const of = declinedThenNotified();
    of.query(record('T1', '4100'));
    of.pass(5 * SECOND);
    expect(of.order().next_query_at).toBe(of.now().toISOString());
    expect(of.status()).toBe('open');
    of.query(record('T1', '3000'));
    expect(of.status()).toBe('approved');
    expect(of.order().repeats).toBeUndefined();
  });

  it('is followed an hour later alone where the payment is shown', () => {
    const of = approvedThenNotified();
    expect(queriesWithin(of, 20 * HOUR, record('T1', '3000'))).toEqual([0, HOUR]);
  });

  it('is followed often where the books do not show the payment', () => {
    const of = approvedThenNotified();
    expect(queriesWithin(of, HOUR + MINUTE).length).toBeGreaterThanOrEqual(5);
    expect(of.order().repeats).toBeUndefined();
  });

  it.each([
    ['not approved', [record('T1', '77')]],
    ['another one', [record('T9', '3000', { amount: '20.00', date: new Date(0) })]],
  ])('is followed often where the payment that is shown is %s', (_, records) => {
    const of = approvedThenNotified();
    of.query(...records);
    expect(of.order().repeats?.next_at).toBe(new Date(of.now().getTime() + 5 * SECOND).toISOString());
  });

  it('is followed anew by the next notification', () => {
    const of = approvedThenNotified();
    expect(queriesWithin(of, MINUTE, record('T1', '3000'))).toEqual([0]);
    of.notify();
    expect(queriesWithin(of, 20 * HOUR, record('T1', '3000'))).toEqual([0, HOUR]);
  });

  it('counts for the next query where it comes during one', () => {
    const of = declinedThenNotified();
    const begun = begunAt(of.now());
    const { notices } = of.order();
    of.notify();
    of.pass(3 * SECOND);
    of.settle({ begun, notices, counted: true, records: [record('T1', '4100')] });
    expect(needsQueryFirst(of.order())).toBe(true);
    expect(Date.parse(of.order().next_query_at ?? '')).toBeLessThanOrEqual(of.now().getTime());
    of.query(record('T1', '4100'));
    expect(of.order().repeats).toMatchObject({ since: of.now().toISOString() });
  });

  it('is not followed by a query that does not count', () => {
    const of = approvedThenNotified();
    of.queryFails();
    expect(of.order().next_query_at).toBe(new Date(of.now().getTime() + 2 * SECOND).toISOString());
    of.pass(2 * SECOND);
    expect(queriesWithin(of, 20 * HOUR, record('T1', '3000'))).toEqual([0, HOUR]);
  });

  it('is followed in time though the clock is set back', () => {
    const of = declinedThenNotified();
    of.query(record('T1', '4100'));
    of.pass(-2 * HOUR);
    of.query(record('T1', '4100'));
    expect(of.order().repeats?.next_at).toBe(new Date(of.now().getTime() + 5 * SECOND).toISOString());
  });

  it('is queried soon without a counted query after a clock step', () => {
    const of = approvedThenNotified();
    of.query(record('T1', '3000'));
    of.pass(-2 * HOUR);
    of.queryFails();
    expect(of.order().next_query_at).toBe(new Date(of.now().getTime() + 2 * SECOND).toISOString());
  });
});

describe('a payment that a signed answer declined', () => {
  it('is watched for thirty days, ever more rarely, once notified about', () => {
    const of = declinedThenNotified();
    expect(isWatched(attemptOf(of.order(), 'at_1'))).toBe(false);
    expect(needsQueryFirst(of.order())).toBe(true);
    const first = queriesWithin(of, HOUR, record('T1', '4100'));
    expect(isWatched(attemptOf(of.order(), 'at_1'))).toBe(true);
    expect(first.length).toBeGreaterThanOrEqual(5);
    expect(queriesWithin(of, 31 * DAY, record('T1', '4100')).length).toBeLessThan(50);
    expect(of.order().next_query_at).toBeUndefined();
    expect(needsQueryFirst(of.order())).toBe(true);
  });

  it('is watched anew by a notification after thirty days', () => {
    const of = declinedThenNotified();
    queriesWithin(of, 40 * DAY, record('T1', '4100'));
    of.notify();
    expect(queriesWithin(of, DAY, record('T1', '4100')).length).toBeGreaterThan(5);
  });

  it('watches only the attempt that its notification names', () => {
    const of = story();
    of.pay('at_1');
    of.answer('at_1', refused);
    of.pass(DAY);
    of.pay('at_2', { method: 'PIX' });
    of.answer('at_2', toIssuer);
    of.notify();
    of.query();
    for (const id of ['at_1', 'at_2']) expect(attemptOf(of.order(), id)).not.toHaveProperty('notified_at');
    of.pass(30 * DAY);
    of.notify();
    of.query();
    expect(attemptOf(of.order(), 'at_1').notified_at).toBe(of.now().toISOString());
  });

  it('is left alone where nothing was notified', () => {
    const of = story();
    of.pay();
    of.answer('at_1', declinedOf('T1'));
    expect(needsQueryFirst(of.order())).toBe(false);
    expect(queriesWithin(of, 30 * DAY)).toEqual([]);
  });
});

describe('an approved payment with its notification', () => {
  it('costs two queries in an hour, five in thirty days', () => {
    const of = approvedThenNotified();
    const shown = record('T1', '3000');
    const first = queriesWithin(of, HOUR - SECOND, shown).length;
    expect(first).toBeLessThanOrEqual(2);
    expect(first + queriesWithin(of, 30 * DAY, shown).length).toBeLessThanOrEqual(5);
  });
});

describe('an order that is paid after a signed decline', () => {
  /** The second payment is approved; the gateway notifies a day later. */
  function paidAfterDecline(): Story {
    const of = story();
    of.pay();
    of.answer('at_1', declinedOf('T1'));
    of.pass(MINUTE);
    of.pay('at_2');
    of.answer('at_2', approvedBy('T2'));
    return of;
  }
  const shown = [record('T1', '4100'), record('T2', '3000')];

  it('is queried only for its payment without a notification', () => {
    expect(queriesWithin(paidAfterDecline(), 31 * DAY, ...shown)).toHaveLength(4);
  });

  it('is watched for thirty days, ever more rarely, once notified about', () => {
    const of = paidAfterDecline();
    of.pass(DAY);
    of.notify();
    expect(queriesWithin(of, HOUR, ...shown).length).toBeLessThan(10);
    expect(isWatched(attemptOf(of.order(), 'at_1'))).toBe(true);
    expect(queriesWithin(of, 31 * DAY, ...shown).length).toBeLessThan(40);
    expect(of.order().next_query_at).toBeUndefined();
  });

  it.each([2 * HOUR, 20 * HOUR, 20 * DAY])('is found paid twice by a record %d ms after the notification', (late) => {
    const of = paidAfterDecline();
    of.pass(DAY);
    of.notify();
    queriesWithin(of, late, ...shown);
    expect(of.eventTypes()).not.toContain('session.paid_twice');
    queriesWithin(of, DAY, record('T1', '3000'), record('T2', '3000'));
    expect(of.eventTypes()).toContain('session.paid_twice');
    expect(of.order().payments.map(({ transaction_id }) => transaction_id)).toEqual(['T2', 'T1']);
  });
});

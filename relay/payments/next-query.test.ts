import { describe, expect, it } from 'vitest';
import {
  attempt,
  DAY,
  HOUR,
  MINUTE,
  moment,
  orderWith,
  result,
  rules,
  SECOND,
  session,
} from '../../test/support/payments/sessions.ts';
import type { Attempt, AttemptState } from './attempt.ts';
import type { HoldReason, OrderPayment, StoredOrder } from './order.ts';
import { minQueryGap, nextQueryAt, returnMs } from './schedule.ts';

/** The milliseconds from `now` to the next query about an order. */
function wait(order: Partial<StoredOrder>, now: number, by = rules): number | undefined {
  const at = nextQueryAt(orderWith({ sessions: [session()], ...order }), moment(now), by);
  return at === undefined ? undefined : Date.parse(at) - moment(now).getTime();
}

const askedAt = (ms: number): StoredOrder['queries'] => ({ failures: 0, last: { at: since(ms), counted: true } });
const since = (ms: number): string => moment(ms).toISOString();
const of = (state: AttemptState, change: Partial<Attempt> = {}): Partial<StoredOrder> => ({
  attempts: [attempt('at_1', { state, ...change })],
});
const unknown: AttemptState = { status: 'unknown', reason: 'timeout', evidence: {}, since: since(0) };
const pending: AttemptState = { status: 'pending', since: since(0) };
const redirected: AttemptState = { status: 'redirected', issuer_url: 'https://issuer.example/' };

describe('the next query of an attempt', () => {
  it.each<[string, AttemptState, number, number | undefined]>([
    ['approved', { status: 'approved' }, HOUR, undefined],
    ['not sent', { status: 'not_sent' }, HOUR, undefined],
    ['declined by a signed answer', { status: 'declined', result, proof: 'answer' }, HOUR, undefined],
    ['in flight', { status: 'in_flight' }, 10 * SECOND, 25 * SECOND],
    ['in flight by a clock that was ahead', { status: 'in_flight' }, -HOUR, 35 * SECOND],
    ['unknown just now', unknown, 0, SECOND],
    ['unknown for a while', unknown, 40 * SECOND, 40 * SECOND],
    ['unknown for long', unknown, HOUR, MINUTE],
    ['unknown until it is given up', unknown, DAY - 20 * SECOND, 20 * SECOND],
    ['unknown and given up', unknown, DAY, DAY],
    ['pending just now', pending, 0, SECOND],
    ['pending for a while', pending, 10 * MINUTE, 10 * MINUTE],
    ['pending for long', pending, 6 * HOUR, HOUR],
    ['pending until its session ends', pending, DAY - 10 * MINUTE, 10 * MINUTE],
    ['pending at its session’s end', pending, DAY, HOUR],
    ['pending after its session', pending, 2 * DAY, HOUR],
    ['at the issuer', redirected, 0, MINUTE],
    ['at the issuer for a while', redirected, 20 * MINUTE, 20 * MINUTE],
    ['at the issuer for long', redirected, 6 * HOUR, HOUR],
    ['at the issuer until its session ends', redirected, DAY - 10 * MINUTE, 10 * MINUTE],
    ['at the issuer at its session’s end', redirected, DAY, SECOND],
    ['at the issuer after its session', redirected, DAY + 30 * SECOND, 30 * SECOND],
    ['at the issuer long after its session', redirected, 2 * DAY, MINUTE],
    ['absent', { status: 'not_paid', reason: 'absent' }, 0, MINUTE],
    ['refused', { status: 'refused', result, evidence: {} }, 20 * MINUTE, 20 * MINUTE],
    ['declined by a record', { status: 'declined', result, proof: 'record' }, 2 * DAY, DAY],
    ['watched to the end', { status: 'not_paid', reason: 'absent' }, 30 * DAY - 1000, DAY - 15 * MINUTE + 1000],
    ['watched long enough', { status: 'not_paid', reason: 'absent' }, 30 * DAY, undefined],
  ])('that is %s', (_, state, now, expected) => {
    expect(wait(of(state), now)).toBe(expected);
  });

  it('counts from the start if no time is stored', () => {
    const { since: _, ...rest } = { status: 'unknown', reason: 'timeout', evidence: {}, since: '' } as const;
    expect(wait(of(rest), 40 * SECOND)).toBe(40 * SECOND);
  });

  it('is rounded to a quarter of a minute or hour', () => {
    expect(wait(of(unknown), HOUR + 7 * SECOND)).toBe(MINUTE - 7 * SECOND);
    expect(wait(of(pending), 6 * HOUR + 7 * MINUTE)).toBe(HOUR - 7 * MINUTE);
    expect(wait(of(pending), 59 * SECOND)).toBe(59 * SECOND);
    expect(wait(of(pending), MINUTE + 7 * SECOND)).toBe(53 * SECOND);
  });

  it('is the earliest of all its attempts', () => {
    const attempts = [attempt('at_1', { state: pending }), attempt('at_2', { state: unknown })];
    expect(wait({ attempts }, 10 * MINUTE)).toBe(MINUTE);
    const sending = [...attempts, attempt('at_3', { started_at: since(10 * MINUTE) })];
    expect(wait({ attempts: sending }, 10 * MINUTE)).toBe(35 * SECOND);
  });
});

describe('the next query after a shopper’s return', () => {
  const returned = (asked: number | undefined, now: number, change: Partial<Attempt> = {}): number | undefined =>
    wait(
      {
        ...of({ ...redirected, returned_at: since(0) }, { method: 'PIX', ...change }),
        queries: { failures: 0, ...(asked === undefined ? {} : { last: { at: since(asked), counted: true } }) },
      },
      now,
    );

  it.each([
    [undefined, 0, 0],
    [-MINUTE, 0, 0],
    [0, 0, 2],
    [1, 1, 3 - 1],
    [2, 2, 5 - 2],
    [5, 5, 10 - 5],
    [10, 10, 20 - 10],
    [20, 20, 40 - 20],
    [40, 40, 60 - 40],
    [60, 60, 2],
    [100, 100, 2],
  ])('that was queried at %s s is %s s later in %s s', (asked, now, seconds) => {
    expect(returned(asked === undefined ? undefined : asked * SECOND, now * SECOND)).toBe(seconds * SECOND);
  });

  it('lasts as long as its method needs', () => {
    expect(returnMs({ method: 'BOLETO' }, rules)).toBe(2 * MINUTE);
    expect(returnMs({ method: 'PIX' }, rules)).toBe(MINUTE);
    expect(returned(40 * SECOND, 40 * SECOND, { method: 'BOLETO' })).toBe(40 * SECOND);
  });

  it('is measured by its queries if the clock was set back', () => {
    const clear = { queries: 2, waited_ms: 5 * SECOND, seen: [] };
    expect(returned(undefined, -HOUR, { clear })).toBe(-5 * SECOND);
    expect(returned(-HOUR, -HOUR, { clear })).toBe(5 * SECOND);
    expect(returned(-HOUR, -HOUR)).toBe(2 * SECOND);
  });
});

describe('the next query of an order', () => {
  const held = (reason: HoldReason): Partial<StoredOrder> => ({ undecided: { reason, since: since(0), records: [] } });
  const payment: OrderPayment = {
    transaction_id: 'P1',
    amount: '10.00',
    currency: 'BRL',
    proof: 'person',
    date: since(0),
  };

  it('is not planned if nothing is undecided', () => {
    expect(wait({}, HOUR)).toBeUndefined();
    expect(wait({ payments: [{ ...payment, proof: 'record' }], queries: askedAt(31 * DAY) }, 32 * DAY)).toBeUndefined();
  });

  it.each<[HoldReason, number, number]>([
    ['pending', 10 * MINUTE, 10 * MINUTE],
    ['pending', 6 * HOUR, HOUR],
    ['pending', 2 * DAY, HOUR],
    ['codes_not_listed', 40 * SECOND, 40 * SECOND],
    ['codes_not_listed', DAY - SECOND, HOUR - 15 * MINUTE + SECOND],
    ['codes_not_listed', DAY, DAY],
    ['amount_differs', 40 * SECOND, DAY],
    ['paid_before', 40 * SECOND, DAY],
  ])('that is held by a record: %s, after %i ms', (reason, now, expected) => {
    expect(wait(held(reason), now)).toBe(expected);
  });

  it('of an order that waits for a person is a day away', () => {
    expect(wait({ ...of(unknown), ...held('amount_differs') }, HOUR)).toBe(DAY);
    expect(wait({ ...of(unknown), ...held('codes_not_listed') }, HOUR)).toBe(MINUTE);
  });

  it('is planned if only a person reported the payment', () => {
    expect(wait({ payments: [payment] }, 0)).toBe(MINUTE);
    expect(wait({ payments: [payment] }, 20 * MINUTE)).toBe(20 * MINUTE);
    expect(wait({ payments: [payment] }, 3 * DAY)).toBe(DAY);
  });

  it('is due at once after a notification without a query', () => {
    expect(wait({ notices: 1 }, HOUR)).toBe(0);
    expect(wait({ notices: 1, noticed: 1 }, HOUR)).toBeUndefined();
  });

  it('repeats the one that followed a notification', () => {
    const repeats = { since: since(0), next_at: since(MINUTE) };
    expect(wait({ repeats }, 10 * SECOND)).toBe(50 * SECOND);
    expect(wait({ repeats }, -2 * SECOND)).toBe(MINUTE + 2 * SECOND);
    expect(wait({ repeats }, -2 * SECOND - 1)).toBe(0);
  });

  it('begins at least two seconds after the last, or the polling interval', () => {
    const asked = { notices: 1, queries: { last: { at: since(0), counted: true }, failures: 0 } };
    expect(wait(asked, 0)).toBe(2 * SECOND);
    expect(wait(asked, 500)).toBe(1500);
    expect(wait(asked, HOUR)).toBe(0);
    expect(wait(asked, -2 * SECOND)).toBe(4 * SECOND);
    expect(wait(asked, -2 * SECOND - 1)).toBe(0);
    const quick = { ...rules, resolve: { ...rules.resolve, max_ms: 300 } };
    expect([minQueryGap(rules), minQueryGap(quick)]).toEqual([2 * SECOND, 300]);
    expect(wait(asked, 0, quick)).toBe(300);
  });

  it.each([
    [1, 2 * SECOND],
    [2, 2 * SECOND],
    [3, 4 * SECOND],
    [4, 8 * SECOND],
    [6, 32 * SECOND],
    [7, MINUTE],
    [500, MINUTE],
  ])('backs off after %i that did not count', (failures, expected) => {
    const queries = { last: { at: since(0), counted: false }, failures };
    expect(wait({ notices: 1, queries }, 0)).toBe(expected);
  });
});

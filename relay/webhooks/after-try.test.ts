import { describe, expect, it } from 'vitest';
import type { Delivery, Pending } from '../store/facets/outbox.ts';
import { afterTry, GIVE_UP_MS } from './after-try.ts';
import type { WebhookResult } from './send-webhook.ts';

const start = new Date('2026-03-01T12:00:00.000Z');
const fresh: Pending = { status: 'pending', tries: 0, next_try_at: start.toISOString() };
const refused: WebhookResult = { kind: 'refused', fault: 'http_500' };

/** The seconds from `start` to the next try; undefined for a delivery that has ended. */
function waitOf(delivery: Delivery): number | undefined {
  return delivery.status === 'pending' ? (Date.parse(delivery.next_try_at) - start.getTime()) / 1000 : undefined;
}

const waitAfter = (tries: number, random: number): number | undefined =>
  waitOf(afterTry({ ...fresh, tries: tries - 1, first_try_at: start.toISOString() }, refused, start, random));

describe('a delivery after a try', () => {
  it('is delivered once its receiver took it', () => {
    const delivered = { status: 'delivered', tries: 1, delivered_at: start.toISOString() };
    expect(afterTry(fresh, { kind: 'accepted' }, start, 0)).toEqual(delivered);
  });

  it('was not tried where the relay stopped meanwhile', () => {
    const before: Pending = { ...fresh, tries: 3, fault: 'timeout' };
    expect(afterTry(before, { kind: 'stopped' }, start, 0)).toEqual(before);
  });

  it('waits twice as long after each try, three hours at the most', () => {
    expect([1, 2, 3, 4, 11, 14].map((tries) => waitAfter(tries, 0))).toEqual([1, 2, 4, 8, 1024, 8192]);
    expect([15, 30, 500].map((tries) => waitAfter(tries, 0))).toEqual([10_800, 10_800, 10_800]);
  });

  it('shortens each wait by up to half, at random', () => {
    expect([0, 0.5, 1].map((random) => waitAfter(4, random))).toEqual([8, 6, 4]);
  });

  it('records the failure and when it began', () => {
    const pending = { status: 'pending', tries: 1, first_try_at: start.toISOString(), fault: 'http_500' };
    expect(afterTry(fresh, refused, start, 0)).toMatchObject(pending);
  });

  it.each([
    ['seconds', '120', 120],
    ['an HTTP date', 'Sun, 01 Mar 2026 12:05:00 GMT', 300],
    ['less than the own wait', '0', 1],
    ['a date in the past', 'Sun, 01 Mar 2020 12:05:00 GMT', 1],
    ['more than a day', '99999999', 86_400],
    ['nonsense', 'soon', 1],
    ['a negative number', '-5', 1],
  ])('waits as Retry-After asks: %s', (_, retry_after, seconds) => {
    expect(waitOf(afterTry(fresh, { kind: 'refused', fault: 'http_503', retry_after }, start, 0))).toBe(seconds);
  });

  it('tries for three days, once at their end, then marks it failed', () => {
    const first = new Date(start.getTime() - GIVE_UP_MS);
    const before: Pending = { ...fresh, tries: 40, first_try_at: first.toISOString() };
    const end = new Date(first.getTime() + GIVE_UP_MS);
    const shortly = new Date(end.getTime() - 60_000);
    expect(afterTry(before, refused, shortly, 0)).toMatchObject({ status: 'pending', next_try_at: end.toISOString() });
    expect(afterTry(before, refused, end, 0, shortly)).toMatchObject({ status: 'pending' });
    expect(afterTry(before, refused, end, 0)).toEqual({
      status: 'failed',
      tries: 41,
      failed_at: end.toISOString(),
      reason: 'http_500',
    });
  });

  it('fails at a 410 a day after the first try, not before', () => {
    const first = new Date(start.getTime() - 86_400_000);
    const before: Pending = { ...fresh, tries: 12, first_try_at: first.toISOString() };
    const gone: WebhookResult = { kind: 'refused', fault: 'http_410' };
    const shortly = new Date(start.getTime() - 60_000);
    expect(afterTry(fresh, gone, start, 0)).toMatchObject({ status: 'pending', fault: 'http_410' });
    expect(afterTry(before, gone, shortly, 0)).toMatchObject({ status: 'pending', next_try_at: start.toISOString() });
    expect(afterTry(before, gone, start, 0)).toMatchObject({ status: 'failed', tries: 13, reason: 'http_410' });
  });

  it('tries for three days after a 410 that others followed', () => {
    const first_try_at = new Date(start.getTime() - 86_400_000).toISOString();
    const before: Pending = { ...fresh, tries: 12, first_try_at, fault: 'http_410' };
    expect(afterTry(before, refused, start, 0)).toMatchObject({ status: 'pending', fault: 'http_500' });
  });

  it('gives an event that waited three days its own three days', () => {
    const late = new Date(start.getTime() + 2 * GIVE_UP_MS);
    expect(afterTry(fresh, refused, late, 0)).toMatchObject({ status: 'pending', first_try_at: late.toISOString() });
  });
});

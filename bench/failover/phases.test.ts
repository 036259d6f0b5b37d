import { describe, expect, it } from 'vitest';
import { gapOf } from './phases.ts';
import type { Seen } from './shoppers.ts';

/** A payment that began at this time and was answered 10 ms later. */
const payment = (at: number, more: Partial<Seen> = {}): Seen => ({
  ...{ kind: 'pay', at, ms: 10, status: 200, retryAfter: false, paid: 'approved' },
  ...more,
});

describe('the gap of a phase', () => {
  it('is the longest time between two approved payments', () => {
    expect(gapOf([payment(1090), payment(1000), payment(1390)], 1000, 1500)).toBe(300);
  });

  it('is the time until the first one where that is longer', () => {
    expect(gapOf([payment(1490), payment(1690)], 1000, 1700)).toBe(500);
  });

  it('is the time after the last one where that is longer', () => {
    expect(gapOf([payment(1090), payment(1190)], 1000, 2000)).toBe(800);
    expect(gapOf([], 1000, 2000)).toBe(1000);
  });

  it('does not end with a payment that is answered but not approved', () => {
    const others = [payment(1200, { paid: 'unknown' }), payment(1300, { status: 503, paid: undefined })];
    expect(gapOf([payment(1000), ...others, payment(1400)], 1000, 1500)).toBe(400);
  });
});

import { describe, expect, it } from 'vitest';
import { gapOf, phaseRow, requestsIn } from './phases.ts';
import type { ClientRequest } from './shoppers.ts';

const phase = { what: 'something fails', from: 1000, to: 2000 };

/** A payment that began at this time and was answered 10 ms later. */
const payment = (at: number, more: Partial<ClientRequest> = {}): ClientRequest => ({
  ...{ kind: 'pay', at, ms: 10, status: 200, retryAfter: false, paid: 'approved' },
  ...more,
});

describe('the gap of a phase', () => {
  it('is the longest time between two approved payments', () => {
    expect(gapOf(phase, [payment(1990), payment(1190), payment(1590)])).toBe(400);
  });

  it('is the time until the first one where that is longer', () => {
    expect(gapOf(phase, [payment(1490), payment(1690)])).toBe(500);
  });

  it('is the time after the last one where that is longer', () => {
    expect(gapOf(phase, [payment(1090), payment(1190)])).toBe(800);
    expect(gapOf(phase, [])).toBe(1000);
  });

  it('does not end with a payment that is answered but not approved', () => {
    const others = [payment(1300, { paid: 'unknown' }), payment(1400, { status: 503, paid: undefined })];
    expect(gapOf(phase, [payment(1190), ...others, payment(1790)])).toBe(600);
  });

  it('ends with a payment that began before', () => {
    expect(gapOf(phase, [payment(500), payment(990, { ms: 510 }), payment(2500)])).toBe(500);
  });
});

it('a request belongs to the phase in which it began', () => {
  const late = payment(1900, { ms: 5000 });
  expect(requestsIn(phase, [payment(900, { ms: 200 }), late, payment(2000)])).toEqual([late]);
  expect(phaseRow(phase, [late]).figures).toMatchObject({ requests: 1, 'slowest ms': 5000 });
});

it('a failure with Retry-After is counted separately', () => {
  const later = payment(1100, { status: 503, retryAfter: true });
  const others = [payment(1200, { status: 503 }), payment(1300, { status: 0 }), payment(1400, { status: 500 })];
  const { figures } = phaseRow(phase, [later, ...others, payment(1500, { status: 409 })]);
  expect(figures).toMatchObject({ requests: 5, '503 with Retry-After': 1, 'other failures': 3 });
});

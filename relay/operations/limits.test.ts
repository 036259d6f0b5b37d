import { describe, expect, it } from 'vitest';
import { ProblemError } from '../base/errors.ts';
import { checkLimits, isLimited, type Moved } from './limits.ts';

const limits = { refund: { BRL: '10.00', USD: '5.00' }, payout: {} };

/** The problem that the limits cause, as its code and detail. */
function problemOf(...args: Parameters<typeof checkLimits>): [code: string, detail: string] | undefined {
  try {
    checkLimits(...args);
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return [error.code, error.message];
  }
}

const moved = (currency: string, amount: bigint | undefined): Moved[] => [{ currency, amount }];

describe('a person’s limits', () => {
  it('permit amounts up to the limit of the currency', () => {
    expect(problemOf(limits, 'refund', moved('BRL', 1000n))).toBeUndefined();
    expect(problemOf(limits, 'refund', [...moved('BRL', 1n), ...moved('USD', 500n)])).toBeUndefined();
  });

  it.each<[why: string, name: 'refund' | 'payout', moved: Moved[], detail: string]>([
    [
      'an amount above the limit',
      'refund',
      moved('BRL', 1001n),
      'Your limit for a refund in BRL is 10.00, and this is 10.01.',
    ],
    ['a currency without a limit', 'refund', moved('EUR', 1n), 'Your limits allow no refund in EUR, only in BRL, USD.'],
    ['an operation without any currency', 'payout', moved('BRL', 1n), 'Your limits allow no payout in BRL.'],
    ['an unknown amount', 'refund', moved('BRL', undefined), 'The relay does not know the amount in BRL'],
  ])('refuse %s', (_, name, wanted, detail) => {
    expect(problemOf(limits, name, wanted)).toEqual(['above_limit', expect.stringContaining(detail)]);
  });

  it('do not apply to operations without a limit', () => {
    expect(problemOf(limits, 'capture', moved('BRL', 9999n))).toBeUndefined();
    expect(problemOf(limits, 'review', [])).toBeUndefined();
    expect([isLimited('cancel'), isLimited('review')]).toEqual([true, false]);
  });
});

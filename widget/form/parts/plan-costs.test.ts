import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planCosts } from './installments.tsx';

const plan = (installments: string, each?: string, total?: string) => ({
  installments,
  ...(each && { each }),
  ...(total && { total }),
});
const free = (amount: string, installments: string, each: string, decimals?: number) =>
  planCosts(amount, [plan(installments, each)], decimals)[0]?.free;

describe('what a plan costs', () => {
  it('is its total and the exact difference from the amount', () => {
    expect(planCosts('129.90', [plan('3', '45.00', '135.00')])).toEqual([
      { total: '135.00', extra: '5.10', free: false, cheapest: false, saves: false },
    ]);
    expect(planCosts('0.10', [plan('2', '0.10', '0.2')])).toMatchObject([{ total: '0.20', extra: '0.10' }]);
  });

  it('is nothing more where the total is the amount or less', () => {
    for (const total of ['129.90', '129.9', '120.00']) {
      expect(planCosts('129.90', [plan('3', undefined, total)])).toMatchObject([{ free: true }]);
      expect(planCosts('129.90', [plan('3', undefined, total)])[0]).not.toHaveProperty('extra');
    }
  });

  it('is unknown when the shop gives no total or an unreadable one', () => {
    const unknown = { free: false, cheapest: false, saves: false };
    expect(planCosts('129.90', [plan('3')])).toEqual([unknown]);
    expect(planCosts('129.90', [plan('3', '45.00', 'much')])).toEqual([unknown]);
    expect(planCosts('129.90', [plan('some', '45.00')])).toEqual([unknown]);
  });

  it('is the sum of its payments without a total, ignoring rounding', () => {
    expect(planCosts('100.00', [plan('6', '20.00')])).toMatchObject([{ total: '120.00', extra: '20.00', free: false }]);
    expect(planCosts('100.00', [plan('3', '33.34')])).toMatchObject([{ total: '100.00', free: true, saves: false }]);
    expect(planCosts('100.00', [plan('2', '47.50')])).toMatchObject([{ total: '95.00', free: true, saves: true }]);
  });

  it('is exact for amounts that no float could hold', () => {
    const [cost] = planCosts('999999999999999.98', [plan('2', undefined, '999999999999999.99')]);
    expect(cost).toMatchObject({ extra: '0.01', free: false });
  });

  it('is never interest-free for a single payment', () => {
    expect(planCosts('10.00', [plan('1', '10.00', '10.00')])).toMatchObject([{ free: false }]);
  });
});

describe('a plan without a total is interest-free', () => {
  it('where its payments come to the amount, or round it up', () => {
    expect(free('129.90', '3', '43.30')).toBe(true);
    expect(free('100.00', '3', '33.34')).toBe(true);
    expect(free('100.00', '3', '33.33')).toBe(true);
    expect(free('100.00', '3', '33.35')).toBe(false);
  });

  it('by the smallest unit of the currency: a yen, not a cent', () => {
    expect(free('1000.00', '3', '334.00', 0)).toBe(true);
    expect(free('1000.00', '3', '334.00')).toBe(false);
    expect(free('1000.00', '3', '335.00', 0)).toBe(false);
  });

  it('however the amount is split evenly and rounded up', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 12n), fc.bigInt(2n, 60n), (cents, count) => {
        const text = (value: bigint) => String(value).padStart(3, '0').replace(/(..)$/, '.$1');
        const share = (cents + count - 1n) / count;
        expect(free(text(cents), String(count), text(share))).toBe(true);
        expect(free(text(cents), String(count), text(share + 1n))).toBe(false);
      }),
    );
  });
});

describe('the cheapest plan', () => {
  const cheapest = (...totals: (string | undefined)[]) =>
    planCosts(
      '100.00',
      totals.map((total, index) => plan(String(index + 1), undefined, total)),
    ).flatMap((cost, index) => (cost.cheapest ? [index] : []));

  it('is marked if totals differ, also if several share it', () => {
    expect(cheapest('100.00', '100.00', '105.00')).toEqual([0, 1]);
    expect(cheapest('100.00', '98.50', '105.00')).toEqual([1]);
    expect(cheapest('9.00', '10.00')).toEqual([0]);
  });

  it('is absent when all cost the same, or one total is known', () => {
    expect(cheapest('100.00', '100.0', '100.00')).toEqual([]);
    expect(cheapest('100.00', undefined)).toEqual([]);
  });
});

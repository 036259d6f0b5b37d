import { describe, expect, it } from 'vitest';
import { createIds } from '../../relay/base/ids.ts';
import type { Attempt } from '../../relay/payments/attempt.ts';
import { PAGE, type StatsSearch } from '../../relay/store/stats/search.ts';
import type { Store } from '../../relay/store/store.ts';
import { at, attempt, moved, nextOperation, type Open, operation, processing, refund } from './fixtures.ts';

const HOUR = 3600;

const search = (from: number, to: number, more: Partial<StatsSearch> = {}): StatsSearch => ({
  ...{ account: 'demo', by: 'hour', from: at(from), to: at(to) },
  ...more,
});

/** Adds attempts to one order, each at its second. */
async function attempts(store: Store, seconds: readonly number[]): Promise<void> {
  const session = await processing(store, 'cs_1', 'A');
  const added = seconds.map((second): Attempt => {
    const id = createIds(() => new Date(at(second)))('at');
    return attempt(id, session, { started_at: at(second), state: { status: 'approved' } });
  });
  await moved(store, session, session.state, () => ({ attempts: added }));
}

/** Counts over time, for any number of rows. */
export function statsBehaviour(open: Open): void {
  describe('counts and sums', () => {
    it('count every attempt in the period once, beyond one page too', async () => {
      const store = await open();
      const many = Array.from({ length: PAGE + 10 }, () => 2 * HOUR);
      await attempts(store, [HOUR - 1, HOUR, ...many, 3 * HOUR - 1, 3 * HOUR]);
      const { total, periods } = await store.stats.get(search(HOUR, 3 * HOUR));
      expect(total.outcomes.approved).toBe(PAGE + 12);
      expect(total.approved).toEqual([{ currency: 'BRL', count: PAGE + 12, amount: `${PAGE + 12}0.00` }]);
      expect(periods.map(({ start, payments }) => [start, payments])).toEqual([
        [at(HOUR), 1],
        [at(2 * HOUR), PAGE + 11],
      ]);
      expect((await store.stats.get(search(HOUR, 3 * HOUR, { currency: 'USD' }))).total.payments).toBe(0);
      expect((await store.stats.get(search(HOUR, 3 * HOUR, { account: 'other' }))).total.payments).toBe(0);
    });

    it('include every refund that counts, each once', async () => {
      const store = await open();
      const begin = async (id: string, second: number, more = {}) => {
        const one = operation(id, { created_at: at(second), ...more });
        const two = [refund(100n, 1000n, 'BRL', `T${id}`), refund(1234n, 5000n, 'KWD', `K${id}`)];
        expect(await store.operations.begin(one, two)).toEqual({ kind: 'begun' });
        return one;
      };
      const names = Array.from({ length: PAGE + 10 }, (_, n) => `op_${n}`);
      // In small batches: a database may not accept all of them in time.
      while (names.length > 0) await Promise.all(names.splice(0, 100).map((id) => begin(id, 2 * HOUR)));
      await Promise.all([begin('early', HOUR - 1), begin('late', 3 * HOUR), begin('x', HOUR, { account: 'other' })]);
      const failed = await begin('failed', HOUR);
      const state = { status: 'answered', answer: {}, items: ['failed', 'succeeded'] } as const;
      const operationAfter = nextOperation(failed, { ...state, items: [...state.items] });
      await store.operations.finish({ operation: operationAfter, counted: [false, true], events: [] });
      const { total, periods } = await store.stats.get(search(HOUR, 3 * HOUR));
      expect(total.refunds).toEqual([
        { currency: 'KWD', count: PAGE + 11, amount: String(((PAGE + 11) * 1234) / 1000) },
        { currency: 'BRL', count: PAGE + 10, amount: `${PAGE + 10}.00` },
      ]);
      expect(periods[0]?.refunds).toEqual([{ currency: 'KWD', count: 1, amount: '1.234' }]);
    });
  });
}

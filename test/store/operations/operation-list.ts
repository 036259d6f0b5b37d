import { describe, expect, it } from 'vitest';
import type { StoredOperation } from '../../../relay/payments/operations/operation.ts';
import type { OperationSearch } from '../../../relay/store/facets/listing.ts';
import type { Store } from '../../../relay/store/store.ts';
import { answered, at, ids, nextOperation, noAnswer, type Open, operation } from '../fixtures.ts';

const listed = async (store: Store, more: Partial<OperationSearch> = {}): Promise<string[]> =>
  ids(await store.operations.list({ account: 'demo', limit: 100, ...more }));

async function begun(store: Store, id: string, more: Partial<StoredOperation> = {}): Promise<StoredOperation> {
  const one = operation(id, more);
  await store.operations.begin(one, []);
  return one;
}

async function finished(
  store: Store,
  before: StoredOperation,
  ...change: [StoredOperation['state'], Partial<StoredOperation>?]
) {
  await store.operations.finish({ operation: nextOperation(before, ...change), events: [] });
}

/** The list of operations. */
export function operationListBehaviour(open: Open): void {
  describe('the list of operations', () => {
    it('returns the newest first, page after page, each once', async () => {
      const store = await open();
      const names = ['refund', 'payout', 'capture'] as const;
      // Two at a time, and some change between the pages.
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          begun(store, `op_${String(n).padStart(2, '0')}`, {
            created_at: at(Math.floor(n / 2)),
            name: names[n % 3] ?? 'refund',
          }),
        ),
      );
      await begun(store, 'op_other', { account: 'other' });
      const pages: string[][] = [];
      let last: StoredOperation | undefined;
      do {
        const page = await store.operations.list({ account: 'demo', limit: 5, ...(last ? { before: last } : {}) });
        for (const one of all.slice(0, 3)) await finished(store, one, answered);
        pages.push(ids(page));
        last = page.at(-1);
      } while (last);
      expect(pages.map(({ length }) => length)).toEqual([5, 5, 2, 0]);
      expect(pages.flat()).toEqual(ids(all).toReversed());
    });

    it('filters by name and current status', async () => {
      const store = await open();
      const [refund, payout] = [await begun(store, 'op_1'), await begun(store, 'op_2', { name: 'payout' })];
      await begun(store, 'op_3', { name: 'payout' });
      expect(await listed(store, { name: 'payout' })).toEqual(['op_3', 'op_2']);
      expect(await listed(store, { status: 'in_flight' })).toEqual(['op_3', 'op_2', 'op_1']);
      await finished(store, payout, answered);
      await finished(store, refund, noAnswer);
      expect(await listed(store, { status: 'in_flight' })).toEqual(['op_3']);
      expect(await listed(store, { name: 'payout', status: 'answered' })).toEqual(['op_2']);
      expect(await listed(store, { name: 'refund', status: 'answered' })).toEqual([]);
      expect(await listed(store, { status: 'unknown' })).toEqual(['op_1']);
      expect(await store.operations.list({ account: 'demo', status: 'unknown', limit: 1 })).toEqual([
        nextOperation(refund, noAnswer),
      ]);
    });

    it('filters those that wait for a person, without those being searched', async () => {
      const store = await open();
      const asked = { asked_at: at(0), looks: 1 };
      await finished(store, await begun(store, 'op_1'), noAnswer);
      await finished(store, await begun(store, 'op_2'), noAnswer, { lookup: { ...asked, next_look_at: at(9) } });
      const payout = await begun(store, 'op_3', { name: 'payout', created_at: at(1) });
      await finished(store, payout, noAnswer);
      await finished(store, await begun(store, 'op_4'), answered);
      await begun(store, 'op_5');
      expect(await listed(store, { waiting: true })).toEqual(['op_3', 'op_1']);
      expect(await listed(store, { waiting: true, name: 'refund' })).toEqual(['op_1']);
      expect(await listed(store, { waiting: true, status: 'refused' })).toEqual([]);
      expect(await listed(store, { waiting: true, limit: 1 })).toEqual(['op_3']);
      expect(await listed(store, { waiting: true, before: payout })).toEqual(['op_1']);
      const state: StoredOperation['state'] = {
        status: 'settled',
        settlement: { by: 'person', who: 'ops', items: ['succeeded'] },
      };
      await store.operations.finish({ operation: { ...payout, version: 3, state }, events: [] });
      expect(await listed(store, { waiting: true })).toEqual(['op_1']);
    });
  });
}

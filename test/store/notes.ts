import { describe, expect, it } from 'vitest';
import type { OrderNote } from '../../relay/store/facets/notes.ts';
import type { StoredAuditEntry } from '../../relay/store/facets/people.ts';
import { at, type Open, purgeOnce } from './fixtures.ts';

const note = (n: number, more: Partial<OrderNote> = {}): OrderNote => ({
  ...{ account: 'demo', order_no: 'A', id: `nt_${n}`, at: at(n), by: 'person:Ada', note: `note ${n}`, ...more },
});
const audit: StoredAuditEntry = {
  ...{ account: 'demo', at: at(0), by: 'person:Ada', action: 'order.note', orders: ['A'], request_id: 'req_1' },
};

/** Notes of people on orders. */
export function noteBehaviour(open: Open): void {
  describe('notes on orders', () => {
    it('belong to an order, newest first, each in the audit log', async () => {
      const store = await open();
      for (const one of [note(1), note(2), note(3, { order_no: 'B' }), note(4, { account: 'other' })]) {
        await store.notes.add(one, audit);
      }
      const key = { account: 'demo', order_no: 'A' };
      expect(await store.notes.list(key, 10)).toEqual([note(2), note(1)]);
      expect(await store.notes.list(key, 1)).toEqual([note(2)]);
      expect(await store.notes.list({ account: 'demo', order_no: 'C' }, 10)).toEqual([]);
      const newest = await store.notes.newest('demo', ['B', 'A', 'C', 'A']);
      expect(newest.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([note(2), note(3, { order_no: 'B' })]);
      expect(await store.notes.newest('demo', [])).toEqual([]);
      const entries = await store.people.listAudit({ account: 'demo', order_no: 'A', limit: 10 });
      expect(entries.map(({ action }) => action)).toEqual(Array.from({ length: 4 }, () => 'order.note'));
    });

    it('are stored with the answer to their request', async () => {
      const store = await open();
      const claim = { account: 'demo', route: '/r', key: 'k', fingerprint: 'f', claimed_at: at(0) };
      await store.keys.claim(claim, at(-100));
      await store.notes.add(note(1), audit, { ...claim, reply: 'kept' });
      expect(await store.keys.claim(claim, at(-100))).toMatchObject({ kind: 'answered', reply: 'kept' });
    });

    it('are purged with old data', async () => {
      const store = await open();
      for (const n of [1, 2, 3, 200]) await store.notes.add(note(n), audit);
      const terms = { before: at(100), counted_before: at(100), limit: 2 };
      while (await purgeOnce(store, terms));
      expect(await store.notes.list({ account: 'demo', order_no: 'A' }, 10)).toEqual([note(200)]);
    });
  });
}

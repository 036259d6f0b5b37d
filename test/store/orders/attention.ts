import { describe, expect, it } from 'vitest';
import type { StoredOperation } from '../../../relay/payments/operations/operation.ts';
import type { Describe } from '../../../relay/store/facets/listing.ts';
import type { Store } from '../../../relay/store/store.ts';
import type { Reconciliation } from '../../../shared/api/reconciliation.ts';
import { at, ids, nextOperation, noAnswer, type Open, operation, purgeOnce, session } from '../fixtures.ts';

/** Lists every order under its number and under `waits`. */
const waiting: Describe = {
  order: ({ order_no, sessions }) => {
    const [first] = sessions;
    return (
      first && {
        created_at: first.created_at,
        terms: ['waits', `o ${order_no}`],
        payments: [],
      }
    );
  },
  operation: () => [],
};

const report = (account: string, more: Partial<Reconciliation> = {}): [string, Reconciliation] => [
  account,
  {
    ...{ reported_at: at(10), by: 'nightly', from: at(0), to: at(5), orders: 3, uncompared: 0, total: 1 },
    differences: [{ class: 'missing_there', order_no: 'A’1', here: { status: 'paid', amount: '1', currency: 'BRL' } }],
    ...more,
  },
];

/** Adds a capture, or a refund that the relay searches for, of unknown outcome. */
async function unknown(store: Store, id: string, second: number, more: Partial<StoredOperation> = {}): Promise<void> {
  const begun = operation(id, { name: 'capture', created_at: at(second), ...more });
  await store.operations.begin(begun, []);
  await store.operations.finish({ operation: nextOperation(begun, noAnswer), events: [] });
}

/** The cases that wait for a person. */
export function attentionBehaviour(open: Open): void {
  describe('what waits for a person', () => {
    it('returns the orders of a term, oldest first', async () => {
      const store = await open();
      for (const [n, account] of ['demo', 'other', 'demo', 'demo'].entries()) {
        await store.sessions.create({ ...session(`cs_${n}`, `A${n}`, account), created_at: at(10 - n) });
      }
      await store.listing.refresh(100, waiting);
      expect(await store.listing.oldest('demo', 'waits', 10)).toEqual(['A3', 'A2', 'A0']);
      const read = await store.orders.getMany('demo', ['A2', 'A1', 'A3', 'A2']);
      expect(read.map(({ order_no, sessions }) => [order_no, ids(sessions)])).toEqual([
        ['A2', ['cs_2']],
        ['A1', []],
        ['A3', ['cs_3']],
        ['A2', ['cs_2']],
      ]);
      expect(await store.orders.getMany('demo', [])).toEqual([]);
      expect(await store.listing.oldest('demo', 'waits', 2)).toEqual(['A3', 'A2']);
      expect(await store.listing.oldest('demo', 'o A2', 2)).toEqual(['A2']);
      expect(await store.listing.oldest('other', 'waits', 10)).toEqual(['A1']);
    });

    it('separates operations that cannot be queried', async () => {
      const store = await open();
      const lookup = {
        ...{ name: 'refund' as const },
        lookup: { since: at(1), next_look_at: at(60), looks: 0, asked_at: at(1) },
      };
      await unknown(store, 'op_1', 3);
      await unknown(store, 'op_2', 1);
      await unknown(store, 'op_3', 2, { account: 'other' });
      await unknown(store, 'op_4', 4, lookup);
      await store.operations.begin(operation('op_5', { created_at: at(0) }), []);
      const find = async (waitsFor: 'person' | 'gateway', limit: number, max: number, account = 'demo') => {
        const { count, operations } = await store.operations.listOpen({ account, waitsFor, limit, max });
        return [count, ids(operations)];
      };
      expect(await find('person', 10, 10)).toEqual([2, ['op_2', 'op_1']]);
      expect(await find('person', 1, 10)).toEqual([2, ['op_2']]);
      expect(await find('person', 10, 1)).toEqual([1, ['op_2', 'op_1']]);
      expect(await find('gateway', 10, 10)).toEqual([1, ['op_4']]);
      expect(await find('person', 10, 10, 'other')).toEqual([1, ['op_3']]);
    });

    it('keeps the last reconciliation of each account', async () => {
      const store = await open();
      expect(await store.stats.lastReconciliation('demo')).toBeUndefined();
      const [account, first] = report('demo');
      await store.stats.putReconciliation(account, first);
      await store.stats.putReconciliation(...report('other', { reported_at: at(200) }));
      expect(await store.stats.lastReconciliation('demo')).toEqual(first);
      const [, second] = report('demo', { reported_at: at(20), total: 0, differences: [] });
      await store.stats.putReconciliation('demo', second);
      expect(await store.stats.lastReconciliation('demo')).toEqual(second);
      await purgeOnce(store, { before: at(100), counted_before: at(100), limit: 10 });
      expect(await store.stats.lastReconciliation('demo')).toBeUndefined();
      expect(await store.stats.lastReconciliation('other')).toBeDefined();
    });
  });
}

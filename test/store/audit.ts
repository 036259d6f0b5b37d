import { describe, expect, it } from 'vitest';
import type { StoredAuditEntry } from '../../relay/store/facets/people.ts';
import { answered, at, nextOperation, type Open, operation, purgeOnce, refund, session } from './fixtures.ts';

const entry = (subject: string, more: Partial<StoredAuditEntry> = {}): StoredAuditEntry => ({
  ...{ account: 'demo', at: at(0), by: 'server', action: 'refund', subject, orders: ['A', 'B'] },
  ...{ ip: '203.0.113.7', request_id: 'req_1', ...more },
});

/** The audit log. */
export function auditBehaviour(open: Open): void {
  describe('the audit log', () => {
    it('returns an account’s entries, newest first, page by page', async () => {
      const store = await open();
      for (const name of ['1', '2', '3']) await store.people.addAudit(entry(name));
      await store.people.addAudit(entry('foreign', { account: 'other' }));
      const refused = entry('4', { problem: 'missing_scope' });
      await store.people.addAudit(refused);
      const all = await store.people.listAudit({ account: 'demo', limit: 10 });
      expect(all.map(({ subject }) => subject)).toEqual(['4', '3', '2', '1']);
      expect(all[0]).toEqual({ id: all[0]?.id, ...refused });
      const before = all[1]?.id ?? '';
      const page = await store.people.listAudit({ account: 'demo', before, limit: 1 });
      expect(page.map(({ subject }) => subject)).toEqual(['2']);
      expect(await store.people.listAudit({ account: 'unknown', limit: 10 })).toEqual([]);
    });

    it('finds entries by person and by order', async () => {
      const store = await open();
      await store.people.addAudit(entry('1'));
      await store.operations.begin(operation('op_1'), [], undefined, entry('2', { orders: ['A', 'A', 'C'] }));
      await store.people.addAudit(entry('3', { by: 'support' }));
      await store.people.addAudit(entry('4', { by: 'support', orders: ['B\0', '\ud83d', 'x'.repeat(255)] }));
      await store.people.addAudit(entry('5', { account: 'other' }));
      const find = async (search: object, limit = 10) =>
        (await store.people.listAudit({ account: 'demo', limit, ...search })).map(({ subject }) => subject);
      expect(await find({ by: 'server' })).toEqual(['2', '1']);
      expect(await find({ by: 'support' })).toEqual(['4', '3']);
      expect(await find({ order_no: 'A' })).toEqual(['3', '2', '1']);
      expect(await find({ order_no: 'A' }, 2)).toEqual(['3', '2']);
      expect(await find({ order_no: 'A', by: 'server' })).toEqual(['2', '1']);
      expect(await find({ order_no: 'x'.repeat(255), by: 'support' })).toEqual(['4']);
      expect(await find({ order_no: 'C', by: 'support' })).toEqual([]);
      const [, last] = await store.people.listAudit({ account: 'demo', order_no: 'A', limit: 2 });
      expect(await find({ order_no: 'A', before: last?.id ?? '' })).toEqual(['1']);
    });

    it('is written with an operation, and only if it begins', async () => {
      const store = await open();
      const one = operation('op_1');
      await store.operations.begin(one, [refund(600n)], undefined, entry('op_1'));
      await store.operations.begin(operation('op_2'), [refund(600n)], undefined, entry('op_2'));
      const settled = entry('op_1', { action: 'operation.settle', by: 'support' });
      const finish = { operation: nextOperation(one, answered), events: [], audit: settled };
      expect(await store.operations.finish(finish)).toBe(true);
      expect(await store.operations.finish(finish)).toBe(false);
      const all = await store.people.listAudit({ account: 'demo', limit: 10 });
      expect(all).toMatchObject([settled, entry('op_1')]);
    });

    it('is written with a change of a session, unless that fails', async () => {
      const store = await open();
      await store.sessions.create(session('cs_1'));
      const changed = { ...session('cs_1'), version: 2, revision: 2 };
      expect(await store.sessions.change(changed, entry('cs_1'))).toBe(true);
      expect(await store.sessions.change(changed, entry('cs_1'))).toBe(false);
      expect(await store.people.listAudit({ account: 'demo', limit: 10 })).toHaveLength(1);
    });

    it('keeps the outcome of a purged operation', async () => {
      const store = await open();
      const request = { refund_orders: [{ transaction_id: 'T', refund_amount: '6.00', currency: 'BRL' }] };
      const done = operation('op_1', { request });
      const lasting = { at: at(200), orders: ['A'] };
      await store.operations.begin(done, [refund(600n)], undefined, entry('op_1', lasting));
      const settled = entry('op_1', { ...lasting, action: 'operation.settle', outcome: 'failed' });
      await store.operations.finish({ operation: nextOperation(done, answered), events: [], audit: settled });
      await store.people.addAudit(entry('op_1', { ...lasting, problem: 'missing_scope' }));
      await store.people.addAudit(entry('op_1', { ...lasting, account: 'other' }));
      expect((await store.operations.getMany(['op_1', 'op_none'])).map(({ id }) => id)).toEqual(['op_1']);
      await purgeOnce(store, { before: at(100), counted_before: at(100), limit: 10 });
      expect(await store.operations.getMany(['op_1'])).toEqual([]);
      const [refused, decided, begun] = await store.people.listAudit({ account: 'demo', order_no: 'A', limit: 10 });
      const items = [{ transaction_id: 'T', amount: '6.00', currency: 'BRL', outcome: 'succeeded' as const }];
      expect(begun).toEqual({ id: begun?.id, ...entry('op_1', { ...lasting, items, outcome: 'succeeded' }) });
      expect(decided).toEqual({ id: decided?.id, ...settled });
      expect(refused).not.toHaveProperty('outcome');
      const [foreign] = await store.people.listAudit({ account: 'other', limit: 10 });
      expect(foreign).not.toHaveProperty('outcome');
    });

    it('is purged with old data', async () => {
      const store = await open();
      for (const seconds of [1, 2, 3, 200]) await store.people.addAudit(entry(`${seconds}`, { at: at(seconds) }));
      const purge = { before: at(100), counted_before: at(100), limit: 2 };
      expect(await purgeOnce(store, purge)).toBe(true);
      expect(await purgeOnce(store, purge)).toBe(false);
      for (const search of [{}, { by: 'server' }, { order_no: 'A' }]) {
        const left = await store.people.listAudit({ account: 'demo', limit: 10, ...search });
        expect(left.map(({ subject }) => subject)).toEqual(['200']);
      }
    });
  });
}

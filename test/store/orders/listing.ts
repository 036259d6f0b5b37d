import { describe, expect, it } from 'vitest';
import { type Describe, type ListPlace, MAX_LOOKED_AT, type OrderSearch } from '../../../relay/store/facets/listing.ts';
import type { Store } from '../../../relay/store/store.ts';
import { approve, at, ids, notification, type Open, operation, processing, purgeOnce, session } from '../fixtures.ts';

/** Lists an order under its hold, its number, its currency, and the transactions that paid it. */
const simple: Describe = {
  order: (order) => {
    const last = order.sessions.at(-1);
    const paid = order.payments.map(({ transaction_id }) => `t ${transaction_id}`);
    const terms = ['all', `h ${order.hold}`, `o ${order.order_no}`, ...paid];
    return last && { created_at: last.created_at, terms, payments: [] };
  },
  operation: ({ request }) => [`o ${request.order_no}`],
};

const refresh = (store: Store): Promise<number> => store.listing.refresh(1000, simple);

type Wanted = Partial<OrderSearch>;

const search = (more: Wanted = {}): OrderSearch => ({ account: 'demo', groups: [['all']], limit: 100, ...more });

const numbers = async (store: Store, more?: Wanted): Promise<string[]> =>
  (await store.listing.search(search(more))).orders.map(({ order_no }) => order_no);

/** Adds open orders `A0`, `A1`, …, each created a second after the previous one, and lists them. */
async function openOrders(store: Store, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await store.sessions.create({ ...session(`cs_${n}`, `A${n}`), created_at: at(n) });
  }
  while ((await refresh(store)) > 0);
}

/** Every order that a search finds, page after page. */
async function walked(store: Store, more: Wanted): Promise<string[]> {
  const found: string[] = [];
  let after: ListPlace | undefined;
  for (let pages = 0; pages < 100; pages++) {
    const page = await store.listing.search(search({ ...more, ...(after ? { after } : {}) }));
    found.push(...page.orders.map(({ order_no }) => order_no));
    after = page.next;
    if (!after) return found;
  }
  throw new Error('the pages have no end');
}

/** The list of orders. */
export function listBehaviour(open: Open): void {
  describe('the list of orders', () => {
    it('returns the newest first and follows each change', async () => {
      const store = await open();
      expect(await refresh(store)).toBe(0);
      await openOrders(store, 3);
      expect(await numbers(store)).toEqual(['A2', 'A1', 'A0']);
      const started = await processing(store, 'cs_9', 'A1');
      // A change appears when the list is updated, not before.
      expect(await numbers(store, { groups: [['h held']] })).toEqual([]);
      await refresh(store);
      expect(await numbers(store, { groups: [['h held']] })).toEqual(['A1']);
      await approve(store, started, 'T_1');
      await refresh(store);
      expect(await numbers(store, { groups: [['h held']] })).toEqual([]);
      expect(await numbers(store, { groups: [['h paid']] })).toEqual(['A1']);
      const { orders } = await store.listing.search(search({ groups: [['t T_1']] }));
      expect(orders).toEqual([{ order_no: 'A1', created_at: at(1) }]);
      expect(await numbers(store)).toEqual(['A2', 'A1', 'A0']);
      expect(await refresh(store)).toBe(0);
    });

    it('is updated in small steps', async () => {
      const store = await open();
      for (const id of ['a', 'b', 'c']) await store.sessions.create(session(id, id));
      expect([await store.listing.refresh(2, simple), await store.listing.refresh(2, simple)]).toEqual([2, 1]);
      expect((await numbers(store)).toSorted()).toEqual(['a', 'b', 'c']);
    });

    it('follows an order that its shop changes', async () => {
      const store = await open();
      const one = session('cs_1');
      await store.sessions.create(one);
      await refresh(store);
      await store.sessions.change({ ...one, version: 2, revision: 2 });
      expect(await refresh(store)).toBe(1);
    });

    it('returns no orders of another account', async () => {
      const store = await open();
      await store.sessions.create(session('cs_1', 'A', 'other'));
      await refresh(store);
      expect(await numbers(store)).toEqual([]);
      expect(await numbers(store, { prefix: 'o A' })).toEqual([]);
      expect(await numbers(store, { account: 'other', prefix: 'o A' })).toEqual(['A']);
    });

    it('is paged without gaps or repetitions, for any filter', async () => {
      const store = await open();
      await openOrders(store, 12);
      for (const n of [2, 5, 7]) await approve(store, await processing(store, `p_${n}`, `A${n}`), `T${n}`);
      await refresh(store);
      const all = Array.from({ length: 12 }, (_, n) => `A${11 - n}`);
      for (const limit of [1, 2, 5, 11, 12, 13]) {
        expect(await walked(store, { limit })).toEqual(all);
        expect(await walked(store, { limit, groups: [['h paid', 'h free']] })).toEqual(all);
        expect(await walked(store, { limit, groups: [['all'], ['h paid']] })).toEqual(['A7', 'A5', 'A2']);
        expect(await walked(store, { limit, prefix: 'o A1' })).toEqual(['A11', 'A10', 'A1']);
        expect(await walked(store, { limit, prefix: 't T', groups: [['h paid']] })).toEqual(['A7', 'A5', 'A2']);
        const time = { from: Date.parse(at(3)), to: Date.parse(at(8)) };
        expect(await walked(store, { limit, ...time })).toEqual(['A7', 'A6', 'A5', 'A4', 'A3']);
        expect(await walked(store, { limit, ...time, groups: [['h paid']] })).toEqual(['A7', 'A5']);
        expect(await walked(store, { limit, ...time, prefix: 'o A' })).toEqual(['A7', 'A6', 'A5', 'A4', 'A3']);
      }
    });

    it('begins with the oldest on request', async () => {
      const store = await open();
      await openOrders(store, 12);
      for (const n of [2, 5, 7]) await approve(store, await processing(store, `p_${n}`, `A${n}`), `T${n}`);
      await refresh(store);
      const order = 'oldest';
      const all = Array.from({ length: 12 }, (_, n) => `A${n}`);
      const time = { from: Date.parse(at(3)), to: Date.parse(at(8)) };
      for (const limit of [1, 5, 12, 13]) {
        expect(await walked(store, { limit, order })).toEqual(all);
        expect(await walked(store, { limit, order, groups: [['h paid', 'h free']] })).toEqual(all);
        expect(await walked(store, { limit, order, groups: [['all'], ['h paid']] })).toEqual(['A2', 'A5', 'A7']);
        expect(await walked(store, { limit, order, prefix: 'o A1' })).toEqual(['A1', 'A10', 'A11']);
        expect(await walked(store, { limit, order, ...time })).toEqual(['A3', 'A4', 'A5', 'A6', 'A7']);
        expect(await walked(store, { limit, order, ...time, prefix: 'o A' })).toEqual(['A3', 'A4', 'A5', 'A6', 'A7']);
      }
    });

    it('returns the newest with a term that has this prefix', async () => {
      const store = await open();
      await openOrders(store, 12);
      await approve(store, await processing(store, 'p_3', 'A3'), 'T3');
      await store.sessions.create(session('cs_other', 'A19', 'other'));
      await refresh(store);
      const newest = async (prefix: string, limit: number) => {
        const { orders, isCut } = await store.listing.newestStartingWith('demo', prefix, limit);
        return [...orders.map(({ order_no }) => order_no), isCut];
      };
      expect(await newest('o A1', 5)).toEqual(['A11', 'A10', 'A1', false]);
      expect(await newest('o A1', 2)).toEqual(['A11', 'A10', true]);
      expect(await newest('o A', 2)).toEqual(['A11', 'A10', true]);
      expect(await newest('t T', 5)).toEqual(['A3', false]);
      expect(await newest('t T', 1)).toEqual(['A3', false]);
      expect(await newest('x', 5)).toEqual([false]);
    });

    it('returns the terms that have this prefix, each once', async () => {
      const store = await open();
      await openOrders(store, 3);
      await store.sessions.create(session('cs_other', 'B', 'other'));
      await processing(store, 'cs_9', 'A1');
      await refresh(store);
      const terms = (prefix: string, limit = 10) => store.listing.termsStartingWith('demo', prefix, limit);
      expect(await terms('h ')).toEqual(['h free', 'h held']);
      expect(await terms('o ', 2)).toEqual(['o A0', 'o A1']);
      expect(await terms('x ')).toEqual([]);
    });

    it('reads only a limited number of orders for a page', async () => {
      const store = await open();
      const count = MAX_LOOKED_AT + 20;
      await openOrders(store, count);
      const first = await store.listing.search(search({ groups: [['all'], ['o A3']] }));
      expect(first).toMatchObject({ orders: [], next: { created_at: Date.parse(at(count - MAX_LOOKED_AT)) } });
      expect(await walked(store, { groups: [['all'], ['o A3']] })).toEqual(['A3']);
      const found = await walked(store, { prefix: 'o A', limit: 100 });
      expect(found).toHaveLength(count);
      expect(new Set(found).size).toBe(count);
    }, 60_000);

    it('removes deleted orders', async () => {
      const store = await open();
      await store.sessions.create({ ...session('cs_1'), state: { status: 'expired' } });
      await refresh(store);
      expect(await numbers(store)).toEqual(['A']);
      await purgeOnce(store, { before: at(100), counted_before: at(100), limit: 10 });
      await refresh(store);
      expect(await numbers(store)).toEqual([]);
      expect(await numbers(store, { prefix: 'o ' })).toEqual([]);
    });
  });

  describe('the data of an order', () => {
    it('includes the operations that name it, newest first', async () => {
      const store = await open();
      const of = (id: string, order_no: string, second: number, account = 'demo') =>
        operation(id, { account, name: 'capture', request: { order_no }, created_at: at(second) });
      for (const one of [of('op_1', 'A', 1), of('op_2', 'B', 2), of('op_3', 'A', 3), of('op_4', 'A', 4, 'other')]) {
        await store.operations.begin(one, []);
      }
      await refresh(store);
      expect(ids(await store.listing.operationsOf('demo', ['o A', 'o C'], 10))).toEqual(['op_3', 'op_1']);
      expect(ids(await store.listing.operationsOf('demo', ['o A'], 1))).toEqual(['op_3']);
      expect(await store.listing.operationsOf('demo', [], 1)).toEqual([]);
    });

    it('includes the newest notifications of each subject, and their number', async () => {
      const store = await open();
      for (const [sha256, second] of [
        ['b', 5],
        ['a', 3],
        ['c', 9],
        ['a', 11],
      ] as const) {
        await store.notifications.add(notification('cs_1', second, sha256));
      }
      await store.notifications.add(notification('cs_2', 1, 'a'));
      const shown = async (limit: number) =>
        (await store.notifications.listNewest(['cs_1', 'cs_3', 'cs_2'], limit)).map(({ subject, count, newest }) => [
          ...[subject, count],
          ...newest.map(({ received_at, last_at }) => [received_at, last_at]),
        ]);
      const twice = [at(3), at(11)];
      const [first, second] = [
        [at(5), at(5)],
        [at(9), at(9)],
      ];
      expect((await shown(2)).toSorted()).toEqual([
        ['cs_1', 3, first, second],
        ['cs_2', 1, [at(1), at(1)]],
      ]);
      expect((await shown(3)).toSorted()[0]).toEqual(['cs_1', 3, twice, first, second]);
      expect(await store.notifications.listNewest([], 3)).toEqual([]);
    });

    it('includes the newest notifications in the order of the requested subjects', async () => {
      const store = await open();
      for (const subject of ['cs_1', 'cs_2']) {
        for (const hash of ['b', 'c', 'a']) {
          await store.notifications.add({ ...notification(subject, 5, hash), fields: { hash } });
        }
      }
      // Of simultaneous ones, those with the greatest hashes are the newest.
      const newest = ['b', 'c'].map((hash) => ({ fields: { hash } }));
      expect(await store.notifications.listNewest(['cs_2', 'cs_1'], 2)).toMatchObject([
        { subject: 'cs_2', count: 3, newest },
        { subject: 'cs_1', count: 3, newest },
      ]);
    });

    it('includes the notifications about its sessions, oldest first', async () => {
      const store = await open();
      await store.notifications.add(notification('cs_1', 5, 'b'));
      await store.notifications.add(notification('cs_1', 3, 'a'));
      await store.notifications.add(notification('cs_1', 9, 'a'));
      await store.notifications.add(notification('cs_2', 1, 'a'));
      const first = { subject: 'cs_1', received_at: at(3), last_at: at(9), times: 2, verified: false };
      expect(await store.notifications.list(['cs_1', 'cs_3'], 10)).toEqual([
        { ...first, bytes: 10, fields: { order_no: 'A' } },
        { ...first, bytes: 10, fields: { order_no: 'A' }, received_at: at(5), last_at: at(5), times: 1 },
      ]);
      expect(await store.notifications.list(['cs_1'], 1)).toHaveLength(1);
    });
  });
}

import { describe, expect, it } from 'vitest';
import { LOOKED_AT, type RequestSearch, type StoredRequest } from '../../relay/store/facets/logs/requests.ts';
import { at, ids, type Open, purgeOnce } from './fixtures.ts';

const idOf = (n: number): string => `rl_${String(n).padStart(6, '0')}`;

const request = (n: number, more: Partial<StoredRequest> = {}): StoredRequest => ({
  ...{ account: 'demo', id: idOf(n), at: at(n), key: 'server', method: 'GET', path: '/v1/orders', status: 200 },
  ...{ ms: n, request_id: `req_${n}`, ...more },
});

const search = (more: Partial<RequestSearch> = {}): RequestSearch => ({
  ...{ account: 'demo', from: 'rl_', limit: 10, ...more },
});

/** The request log of the API. */
export function requestBehaviour(open: Open): void {
  describe('the request log', () => {
    it('has the requests of an account, newest first, in pages', async () => {
      const store = await open();
      const refused = request(3, { status: 409, problem: 'reference_used', idempotency: 'replayed' });
      const { status: _, ...cut } = request(4);
      await store.requests.add([request(1), request(2, { account: 'other' }), refused, cut]);
      expect(await store.requests.list(search())).toEqual({ requests: [cut, refused, request(1)] });
      expect(await store.requests.list(search({ limit: 3 }))).toEqual({ requests: [cut, refused, request(1)] });
      const page = await store.requests.list(search({ limit: 2 }));
      expect(page).toEqual({ requests: [cut, refused], next: refused.id });
      expect(await store.requests.list(search({ limit: 2, before: refused.id }))).toEqual({ requests: [request(1)] });
    });

    it('keeps a request that is written twice once', async () => {
      const store = await open();
      for (const ms of [5, 6]) await store.requests.add([request(1, { ms }), request(ms)]);
      const { requests } = await store.requests.list(search());
      expect(requests.map(({ id, ms }) => [id, ms])).toEqual([
        [idOf(6), 6],
        [idOf(5), 5],
        [idOf(1), 5],
      ]);
    });

    it('finds requests by status, method, key, path and time', async () => {
      const store = await open();
      await store.requests.add([
        request(1, { method: 'POST', path: '/v1/refund' }),
        request(2, { status: 404, path: '/v1/orders/A_1' }),
        request(3, { status: 503, key: 'night' }),
        request(4, { path: '/v1/ordersX' }),
      ]);
      const found = async (more: Partial<RequestSearch>) => ids((await store.requests.list(search(more))).requests);
      expect(await found({ status: [400, 499] })).toEqual([idOf(2)]);
      expect(await found({ status: [500, 599] })).toEqual([idOf(3)]);
      expect(await found({ status: [400, 599] })).toEqual([idOf(3), idOf(2)]);
      expect(await found({ status: [200, 299] })).toEqual([idOf(4), idOf(1)]);
      expect(await found({ method: 'POST' })).toEqual([idOf(1)]);
      expect(await found({ key: 'night' })).toEqual([idOf(3)]);
      expect(await found({ path: '/v1/orders/' })).toEqual([idOf(2)]);
      expect(await found({ path: '/v1/orders_' })).toEqual([]);
      expect(await found({ from: idOf(3) })).toEqual([idOf(4), idOf(3)]);
      expect(await found({ from: idOf(3), status: [400, 599] })).toEqual([idOf(3)]);
    });

    it('looks at a limited number of requests for a page', async () => {
      const store = await open();
      const many = Array.from({ length: LOOKED_AT + 5 }, (_, n) => request(n + 10));
      await store.requests.add([request(1, { key: 'night' }), request(2, { status: 404 }), ...many]);
      const first = await store.requests.list(search({ key: 'night' }));
      expect(first).toEqual({ requests: [], next: idOf(15) });
      expect(await store.requests.list(search({ key: 'night', before: idOf(15) }))).toMatchObject({
        requests: [{ id: idOf(1) }],
      });
      // A search by a refused status reads only refused requests, so one page is enough.
      expect(ids((await store.requests.list(search({ status: [400, 499] }))).requests)).toEqual([idOf(2)]);
    });

    it('is purged with old data', async () => {
      const store = await open();
      await store.requests.add([1, 2, 3, 200].map((n) => request(n)));
      const terms = { before: at(100), counted_before: at(100), limit: 2 };
      while (await purgeOnce(store, terms));
      expect(ids((await store.requests.list(search())).requests)).toEqual([idOf(200)]);
    });
  });
}

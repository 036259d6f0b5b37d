import { expect, it } from 'vitest';
import { drop } from '../../test/support/gateways/scripted-gateway.ts';
import { doing, operationApi } from '../../test/support/relays/operation-api.ts';
import { otherAccountKey, queryOnlyKey } from '../../test/support/relays/relay.ts';

/** Two captures that were done, and a cancel that was not answered, one after the other: the newest is last. */
async function setUp(apart = 1) {
  let time = Date.parse('2026-11-21T09:00:00.000Z');
  const api = await operationApi(
    (received, res, req) => (received.path.endsWith('cancel') ? drop : doing)(received, res, req),
    { now: () => new Date(time) },
  );
  const item = { transaction_id: 'T-1', currency: 'BRL', amount: '1.00' };
  const ids: string[] = [];
  for (const name of ['capture', 'capture', 'cancel']) {
    time += apart;
    const { headers } = await api.post(`/v1/${name}`, { [`${name}_orders`]: [item] });
    ids.push(headers.get('x-operation-id') ?? '');
  }
  const [first = '', second = '', third = ''] = ids;
  const list = async (query: string, key?: string) => {
    const { body, headers } = await api.get(`/v1/operations${query}`, key);
    const operations = Array.isArray(body.operations) ? body.operations : [];
    return { body, headers, ids: operations.map(({ id }) => id), next: body.next };
  };
  return { first, second, third, list };
}

it('the list shows the newest first, without what the gateway sent', async () => {
  const { first, second, third, list } = await setUp();
  const all = await list('');
  expect(all.ids).toEqual([third, second, first]);
  expect(all.next).toBeUndefined();
  expect(all.body).not.toHaveProperty('next');
  expect(all.headers.get('cache-control')).toBe('no-store');
  expect(all.body.operations).toMatchObject([{ status: 'unknown' }, { status: 'answered', items: ['succeeded'] }, {}]);
  expect(all.body.operations).not.toHaveProperty('1.answer');
});

it('the list comes in pages', async () => {
  const { first, second, third, list } = await setUp();
  const page = await list('?limit=2');
  expect(page.ids).toEqual([third, second]);
  const createdAt = Date.parse('2026-11-21T09:00:00.002Z');
  expect(page.next).toBe(`${createdAt}-${second}`);
  const rest = await list(`?limit=2&before=${page.next}`);
  expect(rest.ids).toEqual([first]);
  expect(rest.body).not.toHaveProperty('next');
  expect((await list('?limit=3')).body).not.toHaveProperty('next');
  expect((await list('?limit=1')).next).toBe(`${createdAt + 1}-${third}`);
});

it('operations of one moment come in pages, too', async () => {
  const { first, second, third, list } = await setUp(0);
  const found: string[] = [];
  for (let before = '', more = true; more; ) {
    const { ids, next } = await list(`?limit=1${before}`);
    found.push(...ids);
    more = next !== undefined;
    before = `&before=${next}`;
  }
  expect(found.toSorted()).toEqual([first, second, third].toSorted());
});

it('the list is filtered', async () => {
  const { first, second, third, list } = await setUp();
  expect((await list('?operation=capture')).ids).toEqual([second, first]);
  expect((await list('?status=unknown')).ids).toEqual([third]);
  expect((await list('?needs_attention=true')).ids).toEqual([third]);
  expect((await list('?operation=capture&status=unknown')).ids).toEqual([]);
});

it('the list is the account’s own, for keys that may see it', async () => {
  const { list } = await setUp();
  expect((await list('', otherAccountKey)).body).toEqual({ operations: [] });
  expect((await list('', queryOnlyKey)).body).toMatchObject({ code: 'missing_scope' });
  expect((await list('?before=1')).body).toMatchObject({ code: 'invalid_request' });
});

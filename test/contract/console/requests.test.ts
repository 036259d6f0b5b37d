import { describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { keyAnswer } from '../../../shared/api/key.ts';
import { requestList } from '../../../shared/api/request.ts';
import { done, refunding, transaction_id } from '../../support/gateways/refunding.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { cheapHash, signIn, startConsole } from '../../support/operators/console.ts';
import { apiKey, queryOnlyKey, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const item = { transaction_id, order_no: 'A-1', currency: 'BRL', amount: '129.90', refund_amount: '10.00' };
const people = [{ name: 'Ada', password: cheapHash('p'), scopes: ['*'], accounts: ['demo'] }];

async function setUp(config: Record<string, unknown> = {}) {
  const gateway = await scriptedGateway(refunding(() => done));
  const relay = await startConsole({ gatewayUrl: gateway.url, console: { people }, config });
  return { relay, ...logOf(relay) };
}

function logOf(relay: TestRelay) {
  const page = async (query = '') => requestList.parse((await relay.get(`/v1/requests${query}`, apiKey)).body);
  /** Requests are written a moment after their answers. */
  const log = async (count: number) => {
    await until(`${count} requests`, async () => (await page()).requests.length >= count);
    return (await page()).requests;
  };
  return { page, log };
}

describe('the request log', () => {
  it('has each request of a key with its outcome', async () => {
    const { relay, log } = await setUp();
    const key = { 'idempotency-key': 'k-1' };
    const answers = [
      await relay.post('/v1/refund', apiKey, { refund_orders: [item] }, key),
      await relay.post('/v1/refund', apiKey, { refund_orders: [item] }, key),
      await relay.post('/v1/refund', apiKey, { refund_orders: [] }, { 'idempotency-key': 'k-2' }),
      await relay.post('/v1/refund', apiKey, { refund_orders: [] }, { 'idempotency-key': 'k-2' }),
      await relay.get('/v1/orders/none?email=ada%40example.com', apiKey),
    ];
    const entries = await log(answers.length);
    const logged = answers.map(({ headers }) => {
      const {
        id: _,
        at: __,
        duration_ms: ___,
        key: ____,
        request_id: _____,
        ...rest
      } = entries.find(({ request_id }) => request_id === headers.get('x-request-id')) ?? {};
      return rest;
    });
    const refund = { method: 'POST', path: '/v1/refund', status: 200 };
    const refused = { ...refund, status: 400, problem: 'invalid_request' };
    expect(logged).toEqual([
      { ...refund, idempotency: 'sent' },
      { ...refund, idempotency: 'replayed' },
      { ...refused, idempotency: 'sent' },
      { ...refused, idempotency: 'replayed' },
      { method: 'GET', path: '/v1/orders/none', status: 404, problem: 'not_found' },
    ]);
  });

  it('is found by its fields, page by page', async () => {
    const { relay, page, log } = await setUp();
    const { name } = keyAnswer.parse((await relay.get('/v1/key', apiKey)).body);
    await relay.get('/v1/orders', apiKey);
    await relay.get('/v1/orders?colour=red', apiKey);
    const entries = await log(3);
    const only = (path: string, status: number) => entries.filter((one) => one.path === path && one.status === status);
    const key = only('/v1/key', 200);
    const list = only('/v1/orders', 200);
    const refused = only('/v1/orders', 400);
    expect([key, list, refused].map(({ length }) => length)).toEqual([1, 1, 1]);
    const found = async (query: string) => (await page(query)).requests;
    expect(await found('?status=refused')).toEqual(refused);
    expect(await found('?status=2xx&path=/v1/orders')).toEqual(list);
    expect(await found(`?key=${name}&path=/v1/key`)).toEqual(key);
    expect(await found('?key=unknown')).toEqual([]);
    expect(await found('?method=POST')).toEqual([]);
    expect(await found(`?since=${refused[0]?.at}&status=4xx`)).toEqual(refused);
    expect(await found('?since=2999-01-01T00:00:00Z')).toEqual([]);
    const { requests, next } = await page('?limit=2');
    expect(requests).toEqual(entries.slice(0, 2));
    expect(await page(`?limit=2&before=${next}`)).toEqual({ requests: entries.slice(2) });
    expect((await relay.get('/v1/requests?before=1', apiKey)).status).toBe(400);
  });

  it('holds no card number, body or query', async () => {
    const { relay, log } = await setUp();
    await relay.get('/v1/orders/4111111111111111?email=ada%40example.com', apiKey);
    await relay.get('/v1/orders/4111%201111%201111%201111', apiKey);
    const entries = await log(2);
    const masked = '/v1/orders/411111******1111';
    expect(entries.map(({ path }) => path)).toEqual([masked, masked]);
    expect(JSON.stringify(entries)).not.toContain('ada');
  });

  it('has neither itself, nor people, nor requests without a valid key', async () => {
    const { relay, log, page } = await setUp();
    const ada = await signIn(relay, 'Ada', 'p');
    await ada.get('/console/api/demo/v1/orders');
    await relay.get('/v1/orders', 'unknown');
    await page();
    await relay.get('/v1/key', apiKey);
    expect((await log(1)).map(({ path }) => path)).toEqual(['/v1/key']);
  });

  it.each([
    [7, 1],
    [0, 0],
  ])('of %i days gets so many requests: %i', async (request_log_days, times) => {
    const { relay, page } = await setUp({ request_log_days });
    const add = vi.spyOn(relay.context.requestLog, 'add');
    await relay.get('/v1/key', apiKey);
    await page();
    expect(add).toHaveBeenCalledTimes(times);
  });
});

describe('GET /v1/key', () => {
  it('tells a key its name, account and scopes', async () => {
    const { relay } = await setUp();
    const { status, body } = await relay.get('/v1/key', apiKey);
    expect([status, keyAnswer.parse(body)]).toEqual([
      200,
      { name: expect.any(String), scopes: ['*'], account: { id: 'demo', name: expect.any(String) } },
    ]);
    expect((await relay.get('/v1/key', 'unknown')).status).toBe(401);
  });
});

describe('an API key with a limit', () => {
  it('gets 429 beyond it, and the shop’s other keys answers', async () => {
    const limited = {
      api_keys: [
        { name: 'all', sha256: sha256(apiKey), scopes: ['*'], rate_limit: { per_minute: 60, burst: 2 } },
        { name: 'other', sha256: sha256(queryOnlyKey), scopes: ['*'] },
      ],
    };
    const gateway = await scriptedGateway(refunding(() => done));
    const relay = await startTestRelay({ gatewayUrl: gateway.url, account: limited, monotonic: () => 1000 });
    const { headers, body } = await relay.get('/v1/key', apiKey);
    expect(keyAnswer.parse(body).rate_limit).toEqual({ per_minute: 60, burst: 2 });
    expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual(['"key";q=60;w=60', '"key";r=1;t=1']);
    expect((await relay.post('/v1/refund', apiKey, { refund_orders: [item] })).status).toBe(200);
    const audited = vi.spyOn(relay.context.store.people, 'addAudit');
    const refused = await relay.post('/v1/refund', apiKey, { refund_orders: [item] });
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('ratelimit')).toBe('"key";r=0;t=2');
    const other = await relay.get('/v1/key', queryOnlyKey);
    expect([other.status, other.headers.get('ratelimit')]).toEqual([200, null]);
    expect(audited).not.toHaveBeenCalled();
    expect(gateway.received.filter(({ path }) => path.includes('refund'))).toHaveLength(1);
  });
});

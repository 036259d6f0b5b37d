import { describe, expect, it } from 'vitest';
import { RefundBooks } from '../../support/gateways/refund-books.ts';
import { type Received, type Script, scriptedGateway, sendSigned } from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';

const item = (transaction_id: string, refund_amount = '10.00') => ({
  transaction_id,
  currency: 'BRL',
  amount: '129.90',
  refund_amount,
});

async function setUp(
  options: { script?: (books: RefundBooks) => Script; config?: Record<string, unknown>; timeoutMs?: number } = {},
) {
  const clock = { now: new Date() };
  const books = new RefundBooks();
  const gateway = await scriptedGateway(options.script?.(books) ?? books.script);
  const { timeoutMs = 1500, config } = options;
  const relay = await startTestRelay({
    gatewayUrl: gateway.url,
    timeoutMs,
    now: () => clock.now,
    ...(config ? { config } : {}),
  });
  const refund = async (...items: object[]): Promise<string> => {
    const got = await relay.post('/v1/refund', apiKey, { refund_orders: items });
    expect(got.body.code, got.text).toBe('outcome_unknown');
    return String(got.body.operation_id);
  };
  const later = (ms: number): void => {
    clock.now = new Date(clock.now.getTime() + ms);
  };
  const searches = () => gateway.sent('/v1/retrievalRefund');
  return { books, gateway, relay, refund, later, searches };
}

const operation = async (relay: TestRelay, id: string) => (await relay.get(`/v1/operations/${id}`, apiKey)).body;

async function becomes(relay: TestRelay, id: string, expected: object): Promise<void> {
  await expect.poll(() => operation(relay, id), { interval: 20 }).toMatchObject(expected);
}

const names = ({ message }: Received): string[] => String(message.refund_orders).split(',');

describe('a poll', () => {
  it('searches for several refunds in one message', async () => {
    const { books, relay, refund, later, searches } = await setUp();
    books.refund = 'booked_and_lost';
    const ids = [await refund(item('T-1')), await refund(item('T-2')), await refund(item('T-3'), item('T-4'))];
    const before = searches().length;
    later(1000);
    for (const id of ids) await becomes(relay, id, { status: 'settled' });
    expect(searches().slice(before)).toHaveLength(1);
    expect(searches().slice(before).flatMap(names).sort()).toEqual(['T-1', 'T-2', 'T-3', 'T-4']);
  });

  it('searches for at most a hundred names', async () => {
    const { books, relay, refund, later, searches } = await setUp();
    books.refund = 'booked_and_lost';
    const batch = (from: string) => Array.from({ length: 50 }, (_, at) => item(`${from}-${at}`));
    const ids = [await refund(...batch('A')), await refund(...batch('B')), await refund(...batch('C'))];
    const before = searches().length;
    later(1000);
    for (const id of ids) await becomes(relay, id, { status: 'settled' });
    expect(
      searches()
        .slice(before)
        .map((search) => names(search).length),
    ).toEqual([100, 50]);
  });

  const spoiled: Record<string, (res: Parameters<Script>[1]) => void> = {
    'is refused with 400': (res) => void res.writeHead(400).end(),
    'is too large': (res) => void res.end('x'.repeat(2_000_000)),
    'cannot be read': (res) => void res.end('{"refund_orders":[{"a":1,"a":2}]}'),
    'has the wrong shape': (res) => sendSigned(res, { return_status: '1', refund_orders: [{ transaction_id: {} }] }),
    'is no success': (res) => sendSigned(res, { merchant_id: '100001', account_id: '200001', return_status: '0' }),
  };
  it.each(Object.entries(spoiled))('halves a search that %s, until the faulty refund is alone', async (_, spoil) => {
    const { books, relay, refund, later, searches } = await setUp({
      script: (books) => (received, res, req) => {
        const isBad = received.path === '/v1/retrievalRefund' && names(received).includes('BAD');
        if (isBad && books.records.length > 0) spoil(res);
        else books.script(received, res, req);
      },
    });
    books.refund = 'booked_and_lost';
    const good: string[] = [];
    for (const name of ['T-1', 'T-2', 'T-3']) good.push(await refund(item(name)));
    books.records.length = 0;
    const bad = await refund(item('BAD'));
    for (const name of ['T-1', 'T-2', 'T-3']) books.add(item(name));
    const before = searches().length;
    later(1000);
    await becomes(relay, bad, { status: 'unknown', unknown: { queries: 1 } });
    for (const id of good) await becomes(relay, id, { status: 'settled' });
    // An unusable answer is requested again at once, within the same search.
    const asked = new Set(
      searches()
        .slice(before)
        .map(({ message }) => String(message.refund_orders)),
    );
    expect([...asked].map((list) => list.split(',').length).toSorted()).toEqual([1, 1, 2, 2, 4]);
  });

  it('makes at most forty searches of one that the gateway refuses completely', async () => {
    const { books, relay, refund, later, searches } = await setUp();
    books.refund = 'booked_and_lost';
    const ids: string[] = [];
    for (let at = 0; at < 25; at++) ids.push(await refund(item(`T-${at}`)));
    books.search = (res) => sendSigned(res, { merchant_id: '100001', account_id: '200001', return_status: '0' });
    const before = searches().length;
    later(1000);
    for (const id of ids)
      await becomes(relay, id, { unknown: { queries: 1, last_query: { found: 'search_refused' } } });
    const found = searches().length - before;
    expect(found).toBeGreaterThan(30);
    expect(found).toBeLessThanOrEqual(40);
  });

  it('makes at most three searches when the gateway is down', async () => {
    const { books, relay, refund, later, searches } = await setUp();
    books.refund = 'booked_and_lost';
    const ids: string[] = [];
    for (let at = 0; at < 10; at++) ids.push(await refund(item(`T-${at}`)));
    books.search = (res) => void res.writeHead(503).end();
    const before = searches().length;
    // A gateway that answered within the last minute is not down.
    later(61_000);
    for (const id of ids)
      await becomes(relay, id, { unknown: { queries: 1, last_query: { found: 'search_unanswered' } } });
    const sizes = searches()
      .slice(before)
      .map((search) => names(search).length);
    // A search answered with a 5xx is sent again at once.
    expect([...new Set(sizes)]).toEqual([10, 1]);
    expect(sizes.filter((size) => size === 1)).toHaveLength(2);
  });

  it('proves nothing when the search fails; the next one may', async () => {
    const { books, relay, refund, later } = await setUp();
    books.refund = 'booked_and_lost';
    const id = await refund(item('T-1'));
    const wrong: [RefundBooks['search'], string][] = [
      [(res) => void res.writeHead(400).end(), 'search_refused'],
      [(res, truth) => sendSigned(res, { ...truth, return_status: '0' }), 'search_refused'],
      [(res) => void res.writeHead(500).end(), 'search_unanswered'],
      [(res, truth) => void res.end(JSON.stringify({ ...truth, encryption_data: '00' })), 'search_unanswered'],
      [(res, truth) => sendSigned(res, { ...truth, merchant_id: '9' }), 'search_unanswered'],
      [(res, truth) => sendSigned(res, { ...truth, merchant_id: undefined }), 'search_unanswered'],
    ];
    for (const [at, [search, found]] of wrong.entries()) {
      books.search = search;
      later(1000);
      await becomes(relay, id, { status: 'unknown', unknown: { queries: at + 1, last_query: { found } } });
    }
    books.search = undefined;
    later(1000);
    await becomes(relay, id, { status: 'settled', items: ['succeeded'] });
  });

  it('gives up with an alarm, once, and then stops searching', async () => {
    const receiver = await startReceiver();
    const config = { ...withReceiver(receiver.url), resolve: { first_ms: 100, max_ms: 500, give_up_ms: 60_000 } };
    const { books, relay, refund, later, searches } = await setUp({ config });
    books.refund = 'lost';
    const id = await refund(item('T-1'));
    await receiver.one('operation.unknown');
    later(1000);
    await becomes(relay, id, { unknown: { queries: 1, needs_attention: false } });
    later(60_000);
    await becomes(relay, id, { status: 'unknown', unknown: { queries: 2, needs_attention: true } });
    expect((await operation(relay, id)).unknown).not.toHaveProperty('next_query_at');
    await expect.poll(() => receiver.received.length).toBe(2);
    expect(receiver.received.map(({ type, data }) => [type, data.unknown])).toMatchObject([
      ['operation.unknown', { needs_attention: false }],
      ['operation.unknown', { needs_attention: true, queries: 2, last_query: { found: 'absent' } }],
    ]);
    const asked = searches().length;
    later(60_000);
    await new Promise((done) => setTimeout(done, 400));
    expect(searches()).toHaveLength(asked);
    expect(receiver.received).toHaveLength(2);
    expect(await relay.context.metrics.registry.metrics()).toMatch(/turnpike_gave_up_total\{what="operation"\} 1/);
    const settled = await relay.post(`/v1/operations/${id}/settle`, apiKey, { outcome: 'failed' });
    expect(settled).toMatchObject({ status: 200, body: { settlement: { by: 'person' } } });
  });
});

describe('outcomes that supersede a search', () => {
  /** A gateway that books a refund and holds its answer, and optionally the answer to a search. */
  function slow() {
    const held = { answer: (): void => undefined, search: false };
    const script =
      (books: RefundBooks): Script =>
      (received, res, req) => {
        if (received.path === '/v1/retrievalRefund' && !held.search) return books.script(received, res, req);
        if (received.path === '/v1/refund') {
          const [asked] = [received.message.refund_orders].flat();
          if (typeof asked === 'object' && asked !== null) {
            const record = books.add(item(String(Reflect.get(asked, 'transaction_id'))));
            held.answer = () => sendRefunds(res, { ...record, refund_status: '0', refund_message: 'V0001:No' });
          }
          return;
        }
        held.answer = () => books.script(received, res, req);
      };
    return { held, script };
  }

  const sendRefunds = (res: Parameters<Script>[1], ...refund_orders: object[]): void =>
    sendSigned(res, { merchant_id: '100001', account_id: '200001', return_status: '1', refund_orders });

  it('the gateway’s answer, which arrives after the search found the refund', async () => {
    const { held, script } = slow();
    const { relay, later, gateway } = await setUp({ script, timeoutMs: 20_000 });
    const first = relay.post('/v1/refund', apiKey, { refund_orders: [item('T-1')] }, { 'idempotency-key': 'k-1' });
    await expect.poll(() => gateway.sent('/v1/refund').length).toBe(1);
    later(3_600_000);
    const again = () =>
      relay.post('/v1/refund', apiKey, { refund_orders: [item('T-1')] }, { 'idempotency-key': 'k-1' });
    const id = String((await again()).body.operation_id);
    await becomes(relay, id, { status: 'unknown', unknown: { reason: 'relay_stopped', queries: 0 } });
    later(1000);
    await becomes(relay, id, { status: 'settled', items: ['succeeded'], settlement: { by: 'refund_search' } });
    held.answer();
    expect((await first).status).toBe(200);
    await becomes(relay, id, { status: 'answered', items: ['failed'], settlement: { by: 'refund_search' } });
    expect((await again()).text).toBe((await first).text);
    expect(gateway.sent('/v1/refund')).toHaveLength(1);
  });

  it('a settlement by a person during the search', async () => {
    const { held, script } = slow();
    const { books, relay, refund, later, searches } = await setUp({ script, timeoutMs: 4000 });
    const id = await refund(item('T-1'));
    expect(books.records).toHaveLength(1);
    held.search = true;
    const before = searches().length;
    later(1000);
    await expect.poll(() => searches().length).toBe(before + 1);
    const settled = await relay.post(`/v1/operations/${id}/settle`, apiKey, { outcome: 'failed' });
    expect(settled.status).toBe(200);
    held.answer();
    await new Promise((done) => setTimeout(done, 300));
    expect(await operation(relay, id)).toMatchObject({
      status: 'settled',
      settlement: { by: 'person', items: ['failed'] },
    });
  });
});

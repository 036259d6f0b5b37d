import { describe, expect, it } from 'vitest';
import { problemReply, type Reply, scriptedRelay } from '../test/support/operators/scripted-relay.ts';
import { RelayRefused, RelayUnreachable } from './index.ts';

const refund = { refund_orders: [{ transaction_id: 'T1', currency: 'BRL', amount: '9.00', refund_amount: '9.00' }] };
const done: Reply = { status: 200, body: { refund_orders: [{ refund_status: '1' }] } };
const keysOf = (asked: { headers: Record<string, unknown> }[]) =>
  asked.map(({ headers }) => headers['idempotency-key']);

describe('a POST', () => {
  const passing: Record<string, Reply> = {
    'a lost connection': 'drop',
    'a relay that does not answer in time': 'hang',
    'a gateway that cannot be reached': problemReply('gateway_unreachable'),
    'a store that cannot be reached': problemReply('store_unavailable'),
    'a first try that still runs': problemReply('in_progress', { operation_id: 'op_1' }),
    'too many requests of its API key': problemReply('rate_limited'),
    'a proxy that has no relay': { status: 502, body: '<h1>Bad Gateway</h1>' },
    'a proxy’s rate limit': { status: 429, body: '' },
    'a proxy that lost patience': { status: 504, body: '' },
  };
  for (const [what, reply] of Object.entries(passing)) {
    it(`is sent again after ${what}, the same and under the same key`, async () => {
      const relay = await scriptedRelay(reply, reply, done);
      const answer = await relay.client({ timeoutMs: 4000 }).refund(refund);
      expect(answer.refund_orders).toEqual([{ refund_status: '1' }]);
      expect(relay.asked).toHaveLength(3);
      expect(new Set(keysOf(relay.asked)).size).toBe(1);
      expect(new Set(relay.asked.map(({ body }) => body)).size).toBe(1);
      expect(relay.waits).toHaveLength(2);
    });
  }

  const final: Record<string, Reply> = {
    'an unknown outcome': problemReply('outcome_unknown', { operation_id: 'op_1' }),
    'a body that is wrong': problemReply('invalid_request'),
    'a key that is another request’s': problemReply('idempotency_key_reused'),
    'a gateway that did not answer in time': problemReply('gateway_timeout'),
    'a fault of the relay': problemReply('internal'),
    'a redirect': { status: 307, headers: { location: '/elsewhere' }, body: '' },
    'an answer that cannot be read': { status: 200, body: 'gateway says hello' },
  };
  for (const [what, reply] of Object.entries(final)) {
    it(`is not sent again after ${what}`, async () => {
      const relay = await scriptedRelay(reply, done);
      await expect(relay.client().refund(refund)).rejects.toThrow('POST /v1/refund ');
      expect(relay.asked).toHaveLength(1);
    });
  }

  it('has a new key for each call, or the caller’s own', async () => {
    const relay = await scriptedRelay('drop', done);
    const client = relay.client();
    await client.refund(refund, { idempotencyKey: 'refund-17' });
    await client.refund(refund);
    await client.refund(refund);
    const [first, again, ...fresh] = keysOf(relay.asked);
    expect([first, again]).toEqual(['refund-17', 'refund-17']);
    expect(new Set(fresh).size).toBe(2);
  });

  it('is given up after the set tries, with the last error', async () => {
    const dead = await scriptedRelay('drop');
    await expect(dead.client({ tries: 3 }).refund(refund)).rejects.toThrow(RelayUnreachable);
    expect(dead.asked).toHaveLength(3);
    const busy = await scriptedRelay(problemReply('in_progress'));
    await expect(busy.client().refund(refund)).rejects.toThrow(RelayRefused);
    expect(busy.asked).toHaveLength(4);
    const once = await scriptedRelay('drop', done);
    await expect(once.client({ tries: 1 }).refund(refund)).rejects.toThrow(RelayUnreachable);
    expect(once.asked).toHaveLength(1);
  });
});

describe('a GET', () => {
  it('is sent again too', async () => {
    const body = {
      id: 'op_1',
      operation: 'payout',
      status: 'answered',
      created_at: '2026-11-21T12:00:00Z',
      by: 'server',
      request: {},
    };
    const relay = await scriptedRelay('drop', problemReply('store_unavailable'), { status: 200, body });
    expect(await relay.client().operations.get('op_1')).toMatchObject({ status: 'answered' });
    expect(keysOf(relay.asked)).toEqual([undefined, undefined, undefined]);
  });
});

describe('the waits between tries', () => {
  it('grow, each with a random part', async () => {
    const relay = await scriptedRelay('drop');
    await expect(relay.client({ tries: 8 }).refund(refund)).rejects.toThrow();
    for (const [at, most] of [500, 1000, 2000, 4000, 8000, 10_000, 10_000].entries()) {
      expect(relay.waits[at]).toBeGreaterThanOrEqual(at > 4 ? 8000 : most / 2);
      expect(relay.waits[at]).toBeLessThanOrEqual(most);
    }
  });

  it('are as long as the relay wishes, within bounds', async () => {
    const wishes = ['3', '3600', 'Wed, 21 Oct 2026 07:28:00 GMT'];
    const busy = wishes.map((wish) => problemReply('in_progress', {}, { 'retry-after': wish }));
    const relay = await scriptedRelay(problemReply('store_unavailable'), ...busy, done);
    await relay.client({ tries: 5 }).refund(refund);
    expect(relay.waits.slice(1, 3)).toEqual([3000, 10_000]);
    expect(relay.waits[3]).toBeLessThanOrEqual(4000);
  });
});

describe('withMeta', () => {
  it('gives what the headers tell beside the answer', async () => {
    const headers = { 'x-request-id': 'req_1', 'x-operation-id': 'op_1', 'idempotency-replayed': 'true' };
    const relay = await scriptedRelay({ ...done, headers });
    expect(await relay.client().refund(refund, { idempotencyKey: 'k' }).withMeta()).toEqual({
      answer: { refund_orders: [{ refund_status: '1' }] },
      requestId: 'req_1',
      operationId: 'op_1',
      replayed: true,
      idempotencyKey: 'k',
    });
  });

  it('says that an answer without those headers is a first one', async () => {
    const relay = await scriptedRelay(done);
    const meta = await relay.client().refund(refund).withMeta();
    expect(meta).toMatchObject({ replayed: false, requestId: undefined, operationId: undefined });
    expect(meta.idempotencyKey).toBe(keysOf(relay.asked)[0]);
  });

  it('rejects as the call itself does, and leaves no rejection unhandled', async () => {
    const relay = await scriptedRelay(problemReply('outcome_unknown'));
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    await expect(relay.client().refund(refund).withMeta()).rejects.toMatchObject({ code: 'outcome_unknown' });
    await new Promise((done) => setTimeout(done, 10));
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });
});

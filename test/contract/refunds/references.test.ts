import { describe, expect, it } from 'vitest';
import { done, failed, holding, refunding, setUp, transaction_id } from '../../support/gateways/refunding.ts';
import type { Script } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, startTestRelay } from '../../support/relays/relay.ts';

type Relay = Awaited<ReturnType<typeof setUp>>['relay'];

const item = (refund_amount = '10.00') => ({ transaction_id, currency: 'BRL', amount: '129.90', refund_amount });
const refundOf = (relay: Relay, references: unknown, items: object[] = [item()], key?: string) =>
  relay.post('/v1/refund', apiKey, { refund_orders: items, references }, key ? { 'idempotency-key': key } : {});

describe('references', () => {
  it('are stored with the operation and not sent', async () => {
    const { relay, refunds } = await setUp();
    const got = await refundOf(relay, ['r-1', 'r-2'], [item(), item()]);
    expect(got.status).toBe(200);
    expect(JSON.stringify(refunds())).not.toContain('r-1');
    const id = got.headers.get('x-operation-id');
    const { body } = await relay.get(`/v1/operations/${id}`, apiKey);
    expect(body).toMatchObject({ references: ['r-1', 'r-2'], items: ['succeeded', 'succeeded'] });
    expect(body.request).not.toHaveProperty('references');
  });

  it('are unique, and a used one names its operation', async () => {
    const { relay, refunds } = await setUp();
    const first = await refundOf(relay, ['r-1']);
    const id = first.headers.get('x-operation-id');
    expect(await refundOf(relay, ['r-2', 'r-1'], [item(), item('1.00')])).toMatchObject({
      status: 409,
      body: { code: 'reference_used', operation_id: id, errors: [{ path: 'references.1' }] },
    });
    expect(refunds()).toHaveLength(1);
    expect((await refundOf(relay, ['r-2'])).status).toBe(200);
    const capture = { transaction_id, currency: 'BRL', amount: '129.90' };
    const other = await relay.post('/v1/capture', apiKey, { capture_orders: [capture], references: ['r-1'] });
    expect(other.body.code).not.toBe('reference_used');
  });

  it.each([
    ['fewer than the items', ['r-1'], [item(), item()], 'references'],
    ['more than the items', ['r-1', 'r-2'], [item()], 'references'],
    ['none at all', [], [item()], 'references'],
    ['twice the same', ['r-1', 'r-1'], [item(), item()], 'references.1'],
    ['an empty one', [''], [item()], 'references.0'],
    ['two lines', ['a\nb'], [item()], 'references.0'],
    ['a long one', ['a'.repeat(256)], [item()], 'references.0'],
    ['a number', [7], [item()], 'references.0'],
    ['a card number', ['4111111111111111'], [item()], 'references.0'],
    ['no list', 'r-1', [item()], 'references'],
  ])('are refused by their path: %s', async (_, references, items, path) => {
    const { relay, refunds } = await setUp();
    const got = await refundOf(relay, references, items);
    expect(got).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path }] } });
    expect(JSON.stringify(got.body)).not.toContain('4111111111111111');
    expect(refunds()).toEqual([]);
  });

  it('distinguish bodies under one key, and are in repeated answers', async () => {
    const { relay, refunds } = await setUp();
    const first = await refundOf(relay, ['r-1'], [item()], 'k');
    const again = await refundOf(relay, ['r-1'], [item()], 'k');
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await refundOf(relay, ['r-2'], [item()], 'k')).toMatchObject({ status: 422 });
    expect(refunds()).toHaveLength(1);
  });

  it('are in use while their operation is running', async () => {
    const { script, answer } = holding(refunding(() => done));
    const { relay, refunds } = await setUp(script);
    const first = refundOf(relay, ['r-1']);
    await expect.poll(() => refunds().length).toBe(1);
    expect(await refundOf(relay, ['r-1'])).toMatchObject({ status: 409, body: { code: 'reference_used' } });
    answer();
    expect((await first).status).toBe(200);
    expect(refunds()).toHaveLength(1);
  });

  it('stay used if the item failed or its outcome is unknown', async () => {
    const failing = await setUp(refunding(() => failed));
    expect((await refundOf(failing.relay, ['r-1'])).status).toBe(200);
    expect(await refundOf(failing.relay, ['r-1'])).toMatchObject({ body: { code: 'reference_used' } });
    const silent = await setUp(() => undefined, 300);
    expect(await refundOf(silent.relay, ['r-1'])).toMatchObject({ body: { code: 'outcome_unknown' } });
    expect(await refundOf(silent.relay, ['r-1'])).toMatchObject({ body: { code: 'reference_used' } });
  });

  it('are free again if nothing was sent, with and without key', async () => {
    const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9' });
    for (const key of [undefined, 'k', 'k', undefined]) {
      expect(await refundOf(relay, ['r-1'], [item()], key)).toMatchObject({
        status: 503,
        body: { code: 'gateway_unreachable' },
      });
    }
  });

  it('of a refused refund are free once searches find nothing', async () => {
    let refuses = true;
    const script: Script = (received, res, req) => {
      if (refuses && received.path === '/v1/refund') res.writeHead(400).end('no');
      else refunding(() => done)(received, res, req);
    };
    const { relay } = await setUp(script, 1500, { absent_ms: 500 });
    expect(await refundOf(relay, ['r-1'])).toMatchObject({ status: 422, body: { code: 'gateway_refused' } });
    refuses = false;
    await expect.poll(async () => (await refundOf(relay, ['r-1'])).body.code, { interval: 200 }).toBeUndefined();
  });
});

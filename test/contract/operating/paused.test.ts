import { expect, it } from 'vitest';
import { type Operation, type OperationName, operationNames, operations } from '../../../shared/gateway/operations.ts';
import { compliant } from '../../support/gateways/compliant-gateway.ts';
import { operationCases } from '../../support/gateways/operation-cases.ts';
import { type Script, scriptedGateway, sendRecords } from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { documented } from '../../support/relays/documented.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

/** Operations that change something at the gateway, each with its path in the server-side API. */
const effects = operationNames.flatMap((name) => {
  const { route, settledBy }: Operation = operations[name];
  return route && settledBy !== undefined ? [{ name, path: route.path }] : [];
});

/** Answers queries with no records, and approves everything else. */
const gatewayScript: Script = (received, res, req) =>
  received.path === operations.query.path ? sendRecords(res, []) : compliant(received, res, req);

/** A paused relay, and a function that restarts it on the same store. */
async function setUp() {
  const shop = await startReceiver();
  const gateway = await scriptedGateway(gatewayScript);
  const start = (paused: boolean, folder?: string) =>
    startTestRelay({
      gatewayUrl: gateway.url,
      config: { ...withReceiver(shop.url), paused, resolve: { first_ms: 3_600_000, max_ms: 3_600_000 } },
      ...(folder === undefined ? {} : { folder }),
    });
  const changed = () => gateway.received.filter(({ path }) => !reads.has(path));
  return { shop, gateway, start, changed };
}

const reads = new Set<string>([operations.query.path, operations.refund_search.path]);
const refused = { status: 503, body: { code: 'relay_paused' } };
const bodyOf = (name: OperationName): object =>
  name === 'direct_payment' || name === 'apm_payment' ? {} : operationCases[name].least;

it('a paused relay sends no payment, and the session stays open', async () => {
  const { start, changed } = await setUp();
  const relay = await start(true);
  const document = documented();
  const { id, secret } = await relay.session();
  const paid = await relay.pay(secret, card);
  expect(paid).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
  document.check('post', '/checkout/api/pay', paid);
  const byServer = await relay.post('/v1/payments', apiKey, { ...order(), ...card });
  expect(byServer).toMatchObject(refused);
  document.check('post', '/v1/payments', byServer);
  expect(await relay.truth(id)).toMatchObject({ status: 'open', attempts: [] });
  expect(changed()).toEqual([]);
});

it.each(effects)('a paused relay sends no $name until later, under the same key', async ({ name, path }) => {
  const { start, changed } = await setUp();
  const relay = await start(true);
  const headers = { 'idempotency-key': 'k-1' };
  const answer = await relay.post(path, apiKey, bodyOf(name), headers);
  expect(answer).toMatchObject(refused);
  documented().check('post', path, answer);
  expect(changed()).toEqual([]);
  await relay.stop();
  const again = await start(false, relay.folder);
  expect(await again.post(path, apiKey, bodyOf(name), headers)).toMatchObject({ status: 200 });
  expect(changed()).toHaveLength(1);
});

it('a paused relay repeats answers to earlier requests', async () => {
  const { start, changed } = await setUp();
  const relay = await start(false);
  const body = operationCases.refund.least;
  const before = await relay.post('/v1/refund', apiKey, body, { 'idempotency-key': 'k-1' });
  expect(before.status).toBe(200);
  await relay.stop();
  const paused = await start(true, relay.folder);
  expect((await paused.post('/v1/refund', apiKey, body, { 'idempotency-key': 'k-1' })).text).toBe(before.text);
  expect(changed()).toHaveLength(1);
});

it('a paused relay allows all reads, and queries the gateway', async () => {
  const { start, gateway } = await setUp();
  const relay = await start(false);
  const { id, secret, orderNo } = await relay.session();
  await relay.pay(secret, card);
  await relay.stop();
  const paused = await start(true, relay.folder);
  for (const path of [`/v1/sessions/${id}`, '/v1/orders', `/v1/orders/${orderNo}`, '/v1/events', '/v1/stats']) {
    expect((await paused.get(path, apiKey)).status, path).toBe(200);
  }
  for (const [path, body] of [
    ['/v1/query', { orders: [orderNo] }],
    ['/v1/refund/search', operationCases.refund_search.least],
    [`/v1/orders/${orderNo}/reconcile`, {}],
  ] as const) {
    expect((await paused.post(path, apiKey, body)).status, path).toBe(200);
  }
  expect(gateway.queried().length).toBeGreaterThan(0);
  expect((await paused.get('/readyz')).status).toBe(200);
  expect((await paused.get('/metrics')).text).toMatch(/^turnpike_paused 1$/m);
});

it('webhooks wait in the store while the relay is paused', async () => {
  const { start, shop } = await setUp();
  const relay = await start(true);
  const { id } = await relay.session();
  await relay.post(`/v1/sessions/${id}/expire`, apiKey, {});
  const [event] = await relay.context.store.outbox.list({ account: 'demo', limit: 1 });
  expect(event).toMatchObject({ type: 'session.expired', delivery: { status: 'pending', tries: 0 } });
  // This would have triggered the delivery of a relay that is not paused.
  relay.context.wakeUps.delivery('demo', 'default').wake();
  await relay.stop();
  expect(shop.received).toEqual([]);
  const again = await start(false, relay.folder);
  await until('the webhook is delivered', () => shop.types().includes('session.expired'));
  expect((await again.get('/metrics')).text).toMatch(/^turnpike_paused 0$/m);
});

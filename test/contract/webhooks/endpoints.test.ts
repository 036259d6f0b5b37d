import { describe, expect, it } from 'vitest';
import { endpointList } from '../../../shared/api/endpoint.ts';
import { eventAnswer } from '../../../shared/api/event.ts';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { startReceiver, webhookSecret, withReceiver } from '../../support/http/receiver.ts';
import { cli } from '../../support/operators/cli.ts';
import { documented } from '../../support/relays/documented.ts';
import { giveUp, refuse } from '../../support/relays/given-up.ts';
import { apiKey, card, queryOnlyKey, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

/**
 * A relay whose account has these endpoints: `shop` receives every event, `books` the events of operations; or none.
 */
async function setUp(newStore: ReturnType<typeof storesOf>, names = ['shop', 'books']) {
  const health = { isWell: false };
  const shop = await startReceiver((_webhook, res) => (health.isWell ? res.end() : refuse(res)));
  const books = await startReceiver();
  const secrets = [webhookSecret];
  const known = [
    { id: 'shop', url: shop.url, secrets },
    { id: 'books', url: books.url, secrets, events: ['session.approved', 'operation.*'] },
  ];
  const gateway = await scriptedGateway(approving);
  const { accounts, ...config } = withReceiver(shop.url);
  const own = { ...accounts[0], webhook: undefined, webhooks: known.filter(({ id }) => names.includes(id)) };
  const relay = await startTestRelay({
    gatewayUrl: gateway.url,
    config: { ...config, ...(await newStore()), accounts: [own] },
  });
  const reference = documented();
  const get = async (path: string, template = path.replace(/\?.*/, '')) => {
    const answer = await relay.get(path, apiKey);
    reference.check('get', template, answer);
    return answer.body;
  };
  const post = async (path: string, template: string, body: object = {}) => {
    const answer = await relay.post(path, apiKey, body);
    reference.check('post', template, answer);
    return answer;
  };
  const paid = async () => {
    const { id, secret } = await relay.session();
    await relay.pay(secret, card);
    return id;
  };
  return { health, shop, books, relay, reference, get, post, paid };
}

describe.each(stores)('the endpoints of an account, on %s', (kind) => {
  const newStore = storesOf(kind);

  it('each receive their events, independently of each other', async () => {
    const { relay, shop, books, health, get, post, paid } = await setUp(newStore);
    await paid();
    await until('both are sent it', () => shop.received.length === 1 && books.received.length === 1);
    expect(shop.received[0]?.id).toBe(books.received[0]?.id);
    const id = String(books.received[0]?.id);
    const listed = async () => endpointList.parse(await get('/v1/webhooks')).webhooks;
    await until('both tries are written', async () => {
      const [first, second] = await listed();
      return first?.failing !== undefined && second?.delivered_at !== undefined;
    });
    expect(await listed()).toMatchObject([
      { id: 'shop', url: shop.url, waiting: 1, failed: 0, failing: { fault: 'http_410' } },
      {
        id: 'books',
        events: ['session.approved', 'operation.*'],
        waiting: 0,
        failed: 0,
        delivered_at: expect.any(String),
      },
    ]);
    const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey };
    expect((await cli(['webhooks'], { env })).out).toMatch(/^shop\t\S+\tall\t1\t0\thttp_410\t/m);
    await giveUp(relay.context.store, 1);
    expect(await get('/v1/events?status=failed')).toMatchObject({
      events: [{ id, deliveries: [{ endpoint: 'shop', delivery: { status: 'failed' } }, { endpoint: 'books' }] }],
    });
    expect(await get('/v1/webhooks')).toMatchObject({ webhooks: [{ waiting: 0, failed: 1 }, { failed: 0 }] });
    expect(await get('/v1/attention')).toMatchObject({
      groups: expect.arrayContaining([expect.objectContaining({ kind: 'webhook_failed', count: 1 })]),
    });
    health.isWell = true;
    const again = await post(`/v1/events/${id}/redeliver`, '/v1/events/{id}/redeliver');
    expect(again).toMatchObject({ status: 202, body: { delivery: { status: 'pending' } } });
    await until('it is taken', async () => {
      const { delivery } = eventAnswer.parse(await get(`/v1/events/${id}`, '/v1/events/{id}'));
      return delivery.status === 'delivered';
    });
    expect(shop.received).toHaveLength(2);
    expect(books.received).toHaveLength(1);
    // `books` receives no event of an expired session.
    const { id: session } = await relay.session();
    await relay.post(`/v1/sessions/${session}/expire`, apiKey, {});
    await until('the webhook arrives', () => shop.types().includes('session.expired'));
    expect(books.received).toHaveLength(1);
  });

  it('may be empty: events are stored and wait for no endpoint', async () => {
    const { relay, shop, get, post, paid } = await setUp(newStore, []);
    const subject = await paid();
    const { events } = await get('/v1/events?status=kept');
    expect(events).toMatchObject([
      { subject, type: 'session.approved', delivery: { status: 'kept', tries: 0 }, deliveries: [] },
    ]);
    expect(await get('/v1/webhooks')).toEqual({ webhooks: [] });
    expect(JSON.stringify(await get('/v1/attention'))).not.toContain('webhook_failed","count":1');
    expect((await relay.get('/metrics')).text).toMatch(/^turnpike_outbox_depth 0$/m);
    const id = String(Object(events)[0].id);
    const refused = await post(`/v1/events/${id}/redeliver`, '/v1/events/{id}/redeliver');
    expect(refused).toMatchObject({ status: 409, body: { code: 'event_unwanted' } });
    const none = await post('/v1/events/redeliver', '/v1/events/redeliver', { status: 'kept' });
    expect(none.body).toEqual({ redelivered: 0 });
    expect(shop.received).toEqual([]);
  });
});

it('endpoints are shown only to keys with the scope events', async () => {
  const { relay, reference } = await setUp(async () => ({}));
  for (const key of [queryOnlyKey, undefined]) {
    const answer = await relay.get('/v1/webhooks', key);
    expect([401, 403]).toContain(answer.status);
    reference.check('get', '/v1/webhooks', answer);
  }
});

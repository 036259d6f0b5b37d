import { describe, expect, it } from 'vitest';
import { relayWithEvents } from '../../support/relays/events.ts';
import { apiKey, otherAccountKey, queryOnlyKey } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const acknowledge = (id: string): string => `/v1/events/${id}/acknowledge`;

/** A relay with this many webhooks that were given up, oldest first. */
async function givenUp(count: number) {
  const setUp = await relayWithEvents(false);
  await setUp.paid(count);
  await setUp.giveUp(count);
  const { events } = await setUp.list('?status=failed');
  const ids = events.map(({ id }) => id).reverse();
  const post = async (path: string, body: object, key = apiKey) => setUp.relay.post(path, key, body);
  return { ...setUp, ids, post };
}

describe('acknowledging a webhook', () => {
  it('removes it from the failed ones and records by whom', async () => {
    const { list, event, reference, post, ids, relay } = await givenUp(2);
    const [id = '', other = ''] = ids;
    const answer = await post(acknowledge(id), {});
    reference.check('post', '/v1/events/{id}/acknowledge', answer);
    expect(answer).toMatchObject({
      status: 200,
      body: { id, delivery: { status: 'acknowledged', reason: 'http_410' } },
    });
    const seen = await event(id);
    expect(seen).toEqual(answer.body);
    const order = await relay.get(`/v1/orders/${seen.data.order_no}`, apiKey);
    reference.check('get', '/v1/orders/{order_no}', order);
    const { delivery } = seen;
    expect(order.body.timeline).toContainEqual(expect.objectContaining({ type: 'webhook', id, delivery }));
    expect((await list('?status=failed')).events.map((one) => one.id)).toEqual([other]);
    expect((await list('?status=acknowledged')).events.map((one) => one.id)).toEqual([id]);
    expect((await post(acknowledge(id), {})).body).toEqual(answer.body);
  });

  it('needs an abandoned event, its own account and the scope', async () => {
    const { health, paid, list, reference, post, ids, relay } = await givenUp(1);
    const [id = ''] = ids;
    expect((await post(acknowledge(id), {}, otherAccountKey)).status).toBe(404);
    expect((await post(acknowledge(id), {}, queryOnlyKey)).status).toBe(403);
    health.isWell = true;
    await paid(1);
    await until('it is delivered', async () => (await list('?status=delivered')).events.length === 1);
    const [delivered] = (await list('?status=delivered')).events;
    const refused = await post(acknowledge(delivered?.id ?? ''), {});
    reference.check('post', '/v1/events/{id}/acknowledge', refused);
    expect(refused).toMatchObject({ status: 409, body: { code: 'event_not_failed' } });
    const log = await relay.get('/v1/audit', otherAccountKey);
    reference.check('get', '/v1/audit', log);
    expect(log.body.entries).toMatchObject([{ action: 'event.acknowledge', problem: 'not_found' }]);
    expect((await relay.get('/v1/audit', queryOnlyKey)).status).toBe(403);
  });
});

describe('sending webhooks again', () => {
  it('sends the webhooks that were given up, oldest first', async () => {
    const { health, receiver, list, reference, post, ids } = await givenUp(3);
    health.isWell = true;
    await post(acknowledge(ids[1] ?? ''), {});
    const answer = await post('/v1/events/redeliver', { status: 'failed', type: 'session.approved' });
    reference.check('post', '/v1/events/redeliver', answer);
    expect(answer).toMatchObject({ status: 202, body: { redelivered: 2 } });
    await until('they are delivered', async () => (await list('?status=delivered')).events.length === 2);
    expect(new Set(receiver.received.slice(3).map(({ id }) => id))).toEqual(new Set([ids[0], ids[2]]));
    expect((await post('/v1/events/redeliver', { status: 'acknowledged' })).body).toEqual({ redelivered: 1 });
  });

  it('sends all named webhooks, or none', async () => {
    const { list, reference, post, ids } = await givenUp(2);
    const wrong = await post('/v1/events/redeliver', { ids: [ids[0], 'msg_none'] });
    reference.check('post', '/v1/events/redeliver', wrong);
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'ids.1' }] } });
    expect((await post('/v1/events/redeliver', { ids: [ids[0]] }, otherAccountKey)).status).toBe(400);
    expect((await list('?status=failed')).events).toHaveLength(2);
    expect((await post('/v1/events/redeliver', { ids: [ids[0], ids[0]] })).body).toEqual({ redelivered: 1 });
  });

  it.each([
    ['nothing', {}, 'ids', /is missing/],
    ['no ids', { ids: [] }, 'ids', /must name one/],
    ['too many', { ids: Array.from({ length: 101 }, (_, at) => `msg_${at}`) }, 'ids', /100 at the most/],
    ['what was delivered', { status: 'delivered' }, 'status', /one of failed, acknowledged/],
    ['both', { ids: ['msg_1'], status: 'failed' }, '', /not both/],
    ['an invalid time', { status: 'failed', since: 'yesterday' }, 'since', /./],
    ['a wrong cursor', { status: 'failed', after: 'msg_none' }, 'after', /webhook of this account/],
  ])('refuses %s and names it', async (_, body, path, says) => {
    const { relay } = await relayWithEvents();
    expect(await relay.post('/v1/events/redeliver', apiKey, body)).toMatchObject({
      status: 400,
      body: { errors: [{ path, message: expect.stringMatching(says) }] },
    });
  });
});

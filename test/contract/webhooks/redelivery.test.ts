import { describe, expect, it } from 'vitest';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { documented } from '../../support/relays/documented.ts';
import { relayWithEvents } from '../../support/relays/events.ts';
import { mistakes } from '../../support/relays/mistakes.ts';
import { apiKey, card, otherAccountKey, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

describe('sending a webhook again', () => {
  it('uses the same id and the same body', async () => {
    const { receiver, health, paid, giveUp, event, redeliver } = await relayWithEvents(false);
    await paid(1);
    await giveUp(1);
    const id = receiver.received[0]?.id ?? '';
    health.isWell = true;
    const answer = await redeliver(id);
    expect(answer).toMatchObject({ status: 202, body: { id, delivery: { status: 'pending', tries: 0 } } });
    await until('it is delivered', async () => (await event(id)).delivery.status === 'delivered');
    expect(receiver.received.map(({ id, raw }) => [id, raw])).toEqual([
      [id, receiver.received[0]?.raw],
      [id, receiver.received[0]?.raw],
    ]);
    expect(receiver.wrong).toEqual([]);
  });

  it('works for a delivered one, too', async () => {
    const { receiver, paid, list, redeliver } = await relayWithEvents();
    await paid(1);
    await until('it is delivered', async () => (await list('?status=delivered')).events.length === 1);
    expect((await redeliver(receiver.received[0]?.id ?? '')).status).toBe(202);
    await until('it came again', () => receiver.received.length === 2);
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);
  });

  it('happens once under one key', async () => {
    const { receiver, paid, list, redeliver } = await relayWithEvents();
    await paid(1);
    await until('it is delivered', async () => (await list('?status=delivered')).events.length === 1);
    const id = receiver.received[0]?.id ?? '';
    const headers = { 'idempotency-key': 'again-1' };
    const first = await redeliver(id, { headers });
    await until('it came again', async () => (await list('?status=delivered')).events.length === 1);
    const repeated = await redeliver(id, { headers });
    expect(repeated.text).toBe(first.text);
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    await new Promise((done) => setTimeout(done, 300));
    expect(receiver.received).toHaveLength(2);
  });

  it('is refused while it is still being delivered', async () => {
    const receiver = await startReceiver((_webhook, res) => res.writeHead(500).end());
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: withReceiver(receiver.url) });
    const { secret } = await relay.session();
    await relay.pay(secret, card);
    const { id } = await receiver.one('session.approved');
    const answer = await relay.post(`/v1/events/${id}/redeliver`, apiKey, {});
    expect(answer).toMatchObject({ status: 409, body: { code: 'event_pending' } });
    documented().check('post', '/v1/events/{id}/redeliver', answer);
  });

  it('needs the account of the webhook', async () => {
    const { receiver, paid, redeliver } = await relayWithEvents();
    await paid(1);
    const [first] = receiver.received;
    expect(await redeliver(first?.id ?? '', { key: otherAccountKey })).toMatchObject({ status: 404 });
    expect(await redeliver('a%00b')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await redeliver('msg_none')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    await new Promise((done) => setTimeout(done, 300));
    expect(receiver.received).toHaveLength(1);
  });

  it('needs no body, and refuses a non-empty one', async () => {
    const { receiver, relay, reference, paid, list } = await relayWithEvents();
    await paid(1);
    await until('it is delivered', async () => (await list('?status=delivered')).events.length === 1);
    const path = `/v1/events/${receiver.received[0]?.id}/redeliver`;
    await mistakes(relay, reference, '/v1/events/{id}/redeliver', path);
    expect(receiver.received).toHaveLength(1);
    const answer = await relay.send(path, { method: 'POST', headers: { authorization: `Bearer ${apiKey}` } });
    expect(answer.status).toBe(202);
    reference.check('post', '/v1/events/{id}/redeliver', answer);
    await until('it came again', () => receiver.received.length === 2);
  });
});

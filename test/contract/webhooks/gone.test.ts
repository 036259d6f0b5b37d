import { describe, expect, it, onTestFinished } from 'vitest';
import { attention } from '../../../shared/api/attention.ts';
import { eventAnswer, eventList } from '../../../shared/api/event.ts';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { serve } from '../../support/http/http-server.ts';
import { withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card, startTestRelay } from '../../support/relays/relay.ts';

const HOUR_MS = 3_600_000;

describe.each(stores)('a webhook whose receiver answers 410, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A payment whose webhook was refused, at a receiver that answers with `status`. */
  async function start() {
    const receiver = { status: 410, requests: 0 };
    const server = await serve((_req, res) => {
      receiver.requests += 1;
      res.writeHead(receiver.status).end();
    });
    onTestFinished(server.close);
    const gateway = await scriptedGateway(approving);
    const config = { ...withReceiver(server.url), ...(await newStore()) };
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config });
    await relay.pay((await relay.session()).secret, card);
    const listed = async () => eventList.parse((await relay.get('/v1/events', apiKey)).body).events;
    await expect.poll(listed).toMatchObject([{ delivery: { status: 'pending', fault: 'http_410' } }]);
    const [event] = await listed();
    const delivery = async () => eventAnswer.parse((await relay.get(`/v1/events/${event?.id}`, apiKey)).body).delivery;
    const waiting = async () => {
      const { groups } = attention.parse((await relay.get('/v1/attention', apiKey)).body);
      return groups.filter(({ count }) => count > 0);
    };
    return { relay, receiver, delivery, waiting, event };
  }

  it('is delivered if the receiver works an hour later', async () => {
    const { relay, receiver, delivery } = await start();
    receiver.status = 200;
    relay.pass(HOUR_MS);
    await expect.poll(delivery).toMatchObject({ status: 'delivered' });
  });

  it('fails after a day of 410', async () => {
    const { relay, receiver, delivery, waiting, event } = await start();
    relay.pass(23 * HOUR_MS);
    const before = receiver.requests;
    await expect.poll(() => receiver.requests).toBeGreaterThan(before);
    await expect.poll(delivery).toMatchObject({ status: 'pending', fault: 'http_410' });
    expect(await waiting()).toEqual([]);
    relay.pass(HOUR_MS);
    await expect.poll(delivery).toMatchObject({ status: 'failed', reason: 'http_410' });
    expect(await waiting()).toMatchObject([
      {
        ...{ kind: 'webhook_failed', count: 1 },
        cases: [{ why: 'http_410', event_id: event?.id, event: 'session.approved' }],
      },
    ]);
    const metrics = await relay.context.metrics.registry.metrics();
    expect(metrics).toMatch(/^turnpike_webhooks_total\{result="failed"\} 1$/m);
  });
});

import { expect, it } from 'vitest';
import { startReceiver, webhookSecret } from '../../test/support/http/receiver.ts';
import { deliver, numbers, shortly, startOutbox } from '../../test/support/stores/outbox.ts';
import { until } from '../../test/support/time/until.ts';

const secrets = [webhookSecret];

/** An outbox with two endpoints, of which the first takes what `isUp` says. */
async function setUp(events: { a?: string[]; b?: string[] } = {}) {
  const health = { isUp: false };
  const a = await startReceiver((_told, res) => res.writeHead(health.isUp ? 204 : 503).end());
  const b = await startReceiver();
  const webhooks = [
    { id: 'a', url: a.url, secrets, ...(events.a ? { events: events.a } : {}) },
    { id: 'b', url: b.url, secrets, ...(events.b ? { events: events.b } : {}) },
  ];
  const outbox = await startOutbox('', { account: { webhook: undefined, webhooks } });
  return { ...outbox, a, b, health };
}

it('an endpoint that is down delays no other', async () => {
  const { context, write, wait, a, b, health } = await setUp();
  for (const n of [1, 2, 3]) await write('cs_1', { n });
  deliver(context);
  await until('the other has all, in order', () => b.received.length === 3);
  expect(numbers(b.received)).toEqual([1, 2, 3]);
  expect(numbers(a.received)).toEqual([1]);
  const [event] = await context.store.outbox.list({ account: 'demo', limit: 1, oldestFirst: {} });
  expect(event?.deliveries).toMatchObject([
    { endpoint: 'a', delivery: { status: 'pending', tries: 1, fault: 'http_503' } },
    { endpoint: 'b', delivery: { status: 'delivered', tries: 1 } },
  ]);
  expect(a.received[0]?.id).toBe(event?.id);
  expect(b.received[0]?.id).toBe(event?.id);
  health.isUp = true;
  wait(60);
  await until('the first has all, in order', () => a.received.length === 4);
  expect(numbers(a.received)).toEqual([1, 1, 2, 3]);
  expect(numbers(b.received)).toEqual([1, 2, 3]);
});

it('an endpoint gets the types that it names, and others are kept', async () => {
  const { context, write, a, b, log } = await setUp({ a: ['operation.*'], b: ['payout.updated'] });
  await write('cs_1', { n: 1 });
  deliver(context);
  await shortly(300);
  expect([...a.received, ...b.received]).toEqual([]);
  const [event] = await context.store.outbox.list({ account: 'demo', limit: 1 });
  expect(event).toMatchObject({ delivery: { status: 'kept' }, deliveries: [] });
  expect(log('webhook')).toEqual([]);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { startStack } from '../../../sandbox/stack.ts';
import type { OrderSummary } from '../../../shared/api/order.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

type Client = ReturnType<typeof createClient>;

async function ordersOf(client: Client) {
  const found: OrderSummary[] = [];
  for await (const order of client.orders.each({ limit: 100 })) found.push(order);
  return found;
}

/** The sandbox as `npm start` runs it. */
async function start(dataDir: string) {
  const stack = await startStack({
    env: { ...process.env, PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0' },
    root: join(import.meta.dirname, '../../..'),
    relayEntry: 'relay/main.ts',
    dataDir,
    errors: process.stderr,
    hasHistory: true,
  });
  onTestFinished(() => stack.stop());
  return { stack, client: createClient({ url: stack.urls.relay, apiKey: stack.apiKey }) };
}

it('the first start makes a month of orders of every kind, once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'turnpike-history-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { stack, client } = await start(dataDir);
  // The newest are listed a moment after the relay has started.
  await expect.poll(async () => (await ordersOf(client)).length).toBe(300);
  const orders = await ordersOf(client);
  expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['paid', 'open', 'in_progress']));
  const ages = orders.map(({ created_at }) => (Date.now() - Date.parse(created_at)) / DAY_MS);
  expect(Math.max(...ages)).toBeGreaterThan(29);
  expect(new Set(ages.map(Math.floor)).size).toBeGreaterThan(25);
  // Told once the relay has asked the gateway once more.
  await expect.poll(async () => (await client.orders.list({ needs_attention: true })).orders.length).toBeGreaterThan(0);
  const { total } = await client.stats();
  expect(total.approval_rate).toBeGreaterThan(0.6);
  const { entries } = await client.audit.list({ limit: 1000 });
  expect(new Set(entries.map(({ action }) => action))).toEqual(
    new Set(['payment', 'refund', 'capture', 'cancel', 'review', 'session.expire', 'subscription_cancel', 'payout']),
  );
  expect((await client.events.list({ status: 'failed' })).events).not.toEqual([]);

  await stack.stop();
  const again = await start(dataDir);
  await expect.poll(async () => (await ordersOf(again.client)).length).toBe(300);
}, 120_000);

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createClient } from '../../../client/index.ts';
import { type Stack, startStack } from '../../../sandbox/stack.ts';
import { type OrderSummary, orderStatuses } from '../../../shared/api/order.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

type Client = ReturnType<typeof createClient>;

async function ordersOf(client: Client) {
  const found: OrderSummary[] = [];
  for await (const order of client.orders.each({ limit: 100 })) found.push(order);
  return found;
}

/** The orders that the shop created: a later charge of a contract has no session. */
const madeOf = async (client: Client) => (await ordersOf(client)).filter(({ session_id }) => session_id !== undefined);

const books = z.object({
  payments: z.array(z.object({ status: z.string(), cycle: z.int(), payment_status: z.string() })),
});

/** The states of an order's payments at the relay and at the gateway; renewals are marked. */
async function statesOf({ urls }: Stack, client: Client) {
  const relay = new Set<string>();
  for (const { order_no } of await ordersOf(client)) {
    const { payments, sessions } = await client.orders.get(order_no);
    for (const { status } of sessions) relay.add(`session ${status}`);
    if (payments.length > 1) relay.add('paid twice');
    for (const { transaction_id } of payments) {
      const { status, origin } = await client.payments.get(transaction_id);
      relay.add(origin === 'renewal' ? `renewal ${status}` : status);
    }
  }
  const { payments } = books.parse(await (await fetch(`${urls.gateway}/admin/books`)).json());
  const gateway = new Set(payments.map(({ status, cycle }) => (cycle > 1 ? `renewal ${status}` : status)));
  return { relay, gateway };
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

it('the first start creates a month of orders, once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'turnpike-history-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { stack, client } = await start(dataDir);
  // The newest orders are listed a moment after the relay has started.
  await expect.poll(async () => (await madeOf(client)).length).toBe(300);
  const orders = await madeOf(client);
  expect(orders.map(({ status }) => status)).toEqual(
    expect.arrayContaining(orderStatuses.filter((status) => status !== 'open')),
  );
  const ages = orders.map(({ created_at }) => (Date.now() - Date.parse(created_at)) / DAY_MS);
  expect(Math.max(...ages)).toBeGreaterThan(29);
  expect(new Set(ages.map(Math.floor)).size).toBeGreaterThan(25);
  // Reported once the relay has queried the gateway again.
  await expect.poll(async () => (await client.orders.list({ needs_attention: true })).orders.length).toBeGreaterThan(0);
  const { total } = await client.stats();
  expect(total.approval_rate).toBeGreaterThan(0.6);
  const { entries } = await client.audit.list({ limit: 1000 });
  expect(new Set(entries.map(({ action }) => action))).toEqual(
    new Set(['payment', 'refund', 'capture', 'cancel', 'review', 'session.expire', 'subscription_cancel', 'payout']),
  );
  expect((await client.events.list({ status: 'failed' })).events).not.toEqual([]);

  const { relay, gateway } = await statesOf(stack, client);
  for (const state of [
    ...['session failed', 'session expired', 'session pending', 'session redirected'],
    ...[
      'paid',
      'held',
      'reversed',
      'authorised',
      'partially_captured',
      'partially_refunded',
      'refunded',
      'cancelled',
      'rejected',
    ],
    ...['paid twice', 'renewal paid'],
  ]) {
    expect(relay).toContain(state);
  }
  for (const state of ['charged_back', 'pending', 'cancelled', 'renewal approved', 'renewal declined']) {
    expect(gateway).toContain(state);
  }

  const { groups } = await client.attention();
  expect(groups.find(({ kind }) => kind === 'charge_failed')?.count).toBeGreaterThan(0);

  await stack.stop();
  const again = await start(dataDir);
  await expect.poll(async () => (await madeOf(again.client)).length).toBe(300);
});

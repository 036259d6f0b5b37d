import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createClient } from '../../../client/index.ts';
import { type Stack, type StackOptions, startStack } from '../../../sandbox/stack.ts';
import { type OrderSummary, orderStatuses } from '../../../shared/api/order.ts';
import { testCards } from '../../../shared/card-data/test-cards.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

type Client = ReturnType<typeof createClient>;

async function ordersOf(client: Client) {
  const found: OrderSummary[] = [];
  for await (const order of client.orders.each({ limit: 100 })) found.push(order);
  return found;
}

/** The orders that the shop created: a later charge of a contract has no session. */
const madeOf = async (client: Client) =>
  (await ordersOf(client)).filter(
    ({ session_id, order_no }) => session_id !== undefined && order_no.startsWith('DEMO-'),
  );

/** Pays an order while the month is being made. */
const pay = (client: Client, order_no: string) =>
  client.payments.create({
    ...{ order_no, currency: 'BRL', amount: '12.00', card: testCards.approved.number },
    ...{ expiration_month: '12', expiration_year: '2040', security_code: '737' },
  });

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
async function start(dataDir: string, monthFor: StackOptions['monthFor'] = 'new_store') {
  const said: string[] = [];
  const stack = await startStack({
    env: { ...process.env, PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0' },
    root: join(import.meta.dirname, '../../..'),
    relayEntry: 'relay/main.ts',
    dataDir,
    errors: process.stderr,
    monthFor,
    say: (line) => said.push(line),
  });
  onTestFinished(() => stack.stop());
  return { stack, client: createClient({ url: stack.urls.relay, apiKey: stack.apiKey }), said };
}

it('a month of orders is made while people pay, once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'turnpike-history-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const stopped = await start(dataDir);
  expect(await pay(stopped.client, 'EARLY-1')).toMatchObject({ status: 'approved' });
  await stopped.stack.stop();

  const { stack, client, said } = await start(dataDir);
  const { events } = await client.events.list({ limit: 1 });
  expect(await pay(client, 'EARLY-2')).toMatchObject({ status: 'approved' });
  await stack.month;
  expect(said).toEqual([
    ...[60, 120, 180, 240].map((at) => `A month of orders for the console: ${at} of 300`),
    'The console has a month of orders now.',
  ]);
  // The newest orders are listed a moment after the relay has started.
  await expect.poll(async () => (await madeOf(client)).length).toBe(300);
  await expect
    .poll(async () => (await ordersOf(client)).map(({ order_no }) => order_no).slice(0, 2))
    .toEqual(['EARLY-2', 'EARLY-1']);
  for (const order_no of ['EARLY-1', 'EARLY-2']) {
    expect(await client.orders.refund(order_no, { amount: '2.00', reason: 'A cup' })).toMatchObject({
      outcome: 'succeeded',
    });
    const [payment] = (await client.payments.list({ order_no })).payments;
    expect(payment).toMatchObject({ status: 'partially_refunded' });
    const { entries } = await client.audit.list({ order_no });
    expect(entries.map(({ action }) => action)).toEqual(['refund', 'payment']);
  }
  expect((await client.events.list({ limit: 1 })).events[0]?.id).not.toBe(events[0]?.id);
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
  const again = await start(dataDir, 'any_store');
  expect(again.stack.month).toBeUndefined();
  expect(again.said).toEqual(['No month of orders is made: this folder has one.']);
  await expect.poll(async () => (await madeOf(again.client)).length).toBe(300);
});

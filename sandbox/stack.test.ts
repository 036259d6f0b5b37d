import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createClient } from '../client/index.ts';
import { type Stack, startStack } from './stack.ts';

const card = { card: '4111111111111111', expiration_month: '12', expiration_year: '2030', security_code: '737' };
const payer = { first_name: 'Ada', last_name: 'Byron' };

const startIn = (dataDir: string, env: Record<string, string> = {}) =>
  startStack({
    env: { ...process.env, PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0', ...env },
    root: join(import.meta.dirname, '..'),
    relayEntry: 'relay/main.ts',
    dataDir,
    errors: process.stderr,
  });

/** Gateway, shop and the real relay, as `npm start` runs them. */
async function start(env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'turnpike-stack-'));
  const stack = await startIn(dataDir, env);
  onTestFinished(async () => {
    await stack.stop();
    await rm(dataDir, { recursive: true });
  });
  return { ...stack, dataDir };
}

test('the shop sells a subscription, and people may try the API', async () => {
  const { urls, dataDir, apiKey } = await start();
  const shop = await (await fetch(`${urls.shop}/?subscription=month`)).text();
  expect(shop).toContain(`href="${urls.gateway}/cards"`);
  const secret = /session="([^"]+)"/.exec(shop)?.[1] ?? '';
  const thanks = /id="thanks" class="button" href="([^"]+)"/.exec(shop)?.[1] ?? '';
  const paid = await fetch(`${urls.relay}/checkout/api/pay`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', origin: urls.relay },
    body: JSON.stringify({ ...card, ...payer }),
  });
  expect(await paid.json()).toMatchObject({ status: 'approved' });
  const page = async () => (await fetch(`${urls.shop}${thanks}`)).text();
  const line = /<li><code>session\.approved<\/code> with recurring_id <code>\w+<\/code><\/li>/;
  await expect.poll(page).toMatch(line);

  // With the key that is printed.
  const payout = await fetch(`${urls.relay}/v1/payout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      request_id: crypto.randomUUID(),
      payment_amount: '10',
      payment_currency: 'BRL',
      beneficiary_id: 'b-1',
      reference: 'sandbox:fail',
    }),
  });
  expect(await payout.json()).toMatchObject({ status: 'FAILED' });
  const operation = await fetch(`${urls.relay}/v1/operations/${payout.headers.get('x-operation-id')}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect(await operation.json()).toMatchObject({ status: 'answered', items: ['failed'] });

  const written = (await readdir(dataDir)).map((file) => readFile(join(dataDir, file), 'latin1'));
  expect((await Promise.all(written)).join('')).not.toContain('whsec_');
});

test('no books are lost after a start without orders', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'turnpike-stack-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  await (await startIn(dataDir)).stop();
  const again = await startIn(dataDir);
  onTestFinished(() => again.stop());
  expect(again.hasLostBooks).toBe(false);
});

test('the gateway knows the orders of an earlier start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'turnpike-stack-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const clientOf = ({ urls, apiKey }: Stack) => createClient({ url: urls.relay, apiKey });
  const first = await startIn(dataDir);
  expect(first.hasLostBooks).toBe(false);
  const order = { order_no: 'A-1', currency: 'BRL', amount: '12.00' };
  expect(await clientOf(first).payments.create({ ...order, ...card })).toMatchObject({ status: 'approved' });
  await first.stop();

  const again = await startIn(dataDir);
  onTestFinished(() => again.stop());
  expect(again.hasLostBooks).toBe(false);
  const refund = await clientOf(again).orders.refund('A-1', { amount: '2.00', reason: 'A cup was broken' });
  expect(refund).toMatchObject({ outcome: 'succeeded' });
});

test('one’s own shop receives the webhooks, with its key and origins', async () => {
  const heard = Promise.withResolvers<string>();
  const server = createServer(async (req, res) => {
    heard.resolve(await text(req));
    res.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const webhooks = { url: `http://127.0.0.1:${port}/hooks`, secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` };
  const { urls, apiKey, ...printed } = await start({
    TURNPIKE_API_KEY: 'my-own-key',
    TURNPIKE_WEBHOOK_SECRET: webhooks.secret,
    SHOP_ORIGINS: 'http://localhost:5173',
    SHOP_WEBHOOK_URL: webhooks.url,
  });
  expect(printed.webhooks).toEqual(webhooks);
  expect(apiKey).toBe('my-own-key');
  expect(printed.variables).toEqual({ apiKey: 'TURNPIKE_API_KEY', webhookSecret: 'TURNPIKE_WEBHOOK_SECRET' });
  const made = await fetch(`${urls.relay}/v1/sessions`, {
    method: 'POST',
    headers: { authorization: 'Bearer my-own-key', 'content-type': 'application/json' },
    body: JSON.stringify({
      order: { order_no: 'own-1', currency: 'BRL', amount: '10.00' },
      return_url: 'http://127.0.0.1:5173/thanks',
    }),
  });
  expect(made.status).toBe(201);
  const { id, client_secret } = z.object({ id: z.string(), client_secret: z.string() }).parse(await made.json());
  const policy = (await fetch(`${urls.relay}/checkout/${id}`)).headers.get('content-security-policy');
  for (const name of ['localhost', '127.0.0.1']) expect(policy).toContain(`http://${name}:5173`);
  await fetch(`${urls.relay}/checkout/api/pay`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client_secret}`, 'content-type': 'application/json', origin: urls.relay },
    body: JSON.stringify({ ...card, ...payer }),
  });
  expect(JSON.parse(await heard.promise)).toMatchObject({ type: 'session.approved' });
});

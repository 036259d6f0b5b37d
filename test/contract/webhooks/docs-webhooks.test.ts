import { spawn } from 'node:child_process';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { checkConfig } from '../../../relay/config/load.ts';
import { eventTypes } from '../../../shared/api/webhook.ts';
import { bodyOf, serve } from '../../support/http/http-server.ts';
import { withReceiver } from '../../support/http/receiver.ts';
import { giveUp, refuse } from '../../support/relays/given-up.ts';
import { account, apiKey, card } from '../../support/relays/relay.ts';
import {
  blocks,
  page,
  shopEnv,
  shopOfThePage,
  startRelayAndGateway,
  webhookSecret,
} from '../../support/relays/server-page.ts';
import { until } from '../../support/time/until.ts';

/** Serves the page's receiver and prints its port, then the result of each event. */
const receiver = `import express from 'express';
import { deliver, webhooks, workOn } from './payments.js';

const print = (printed) => console.log(JSON.stringify(printed));
const rows = new Map();
const orders = {
  find: async () => ({ total: '129.90', currency: 'BRL' }),
  deliver: async (order_no, transaction_id) => ({ delivered: order_no, transaction_id }),
};
const inbox = {
  async add(webhook) {
    if (rows.has(webhook.id)) return;
    rows.set(webhook.id, webhook);
    print({ type: webhook.type, known: webhook.known, found: (await deliver(webhook, orders)) ?? (await workOn(webhook)) });
  },
};
const server = express()
  .use(webhooks(inbox), express.json())
  .listen(0, '127.0.0.1', () => print({ port: server.address().port }));
`;

/** A line that the receiver prints for an event. */
const printed = z.object({ type: z.string(), known: z.literal(true), found: z.record(z.string(), z.unknown()) });

/** Resends the webhooks that were given up since a given time, and prints them. */
const sender = `import { sendAgain } from './payments.js';

console.log(JSON.stringify(await sendAgain(process.env.SINCE)));
`;

/** Prints what the page's code delivers for webhooks that are not or not correctly ready. */
const unready = `import { deliver } from './payments.js';

const payment = { transaction_id: 'T1', amount: '129.90', currency: 'BRL' };
const ready = { known: true, type: 'payment.ready', data: { order_no: 'A-1', payment, confirmed: true } };
const given = [
  [{ ...ready, type: 'payment.held' }, { total: '129.90', currency: 'BRL' }],
  [{ ...ready, known: false }, { total: '129.90', currency: 'BRL' }],
  [ready, undefined],
  [ready, { total: '129.91', currency: 'BRL' }],
  [ready, { total: '129.90', currency: 'USD' }],
];
for (const [webhook, order] of given) {
  const orders = { find: async () => order, deliver: async () => 'delivered' };
  console.log(await deliver(webhook, orders).catch(({ message }) => message));
}
`;

let shop: Awaited<ReturnType<typeof shopOfThePage>>;
beforeAll(async () => {
  shop = await shopOfThePage();
  shop.write('receiver.js', receiver);
  shop.write('sender.js', sender);
  shop.write('unready.js', unready);
});

/** Runs the page's receiver for one test. */
async function startReceiver(relayUrl: string) {
  const child = spawn(process.execPath, ['receiver.js'], {
    cwd: shop.folder,
    env: { PATH: process.env.PATH, ...shopEnv(relayUrl) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  const lines = () => output.split('\n').slice(0, -1);
  await until('the receiver listens', () => lines().length > 0);
  const { port } = z.object({ port: z.number() }).parse(JSON.parse(lines()[0] ?? ''));
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    printedEvents: () =>
      lines()
        .slice(1)
        .map((line) => printed.parse(JSON.parse(line))),
  };
}

/** A relay whose webhooks reach the page's receiver three times: modified, unchanged, and repeated. */
async function start() {
  const answers: number[][] = [];
  const between = await serve(async (req, res) => {
    const body = await bodyOf(req);
    const sent = Object.entries(req.headers).filter(([name]) => name.startsWith('webhook-'));
    const headers = Object.fromEntries(sent.map(([name, value]) => [name, String(value)]));
    const pass = async (text: string) => (await fetch(url, { method: 'POST', headers, body: text })).status;
    answers.push([await pass(`${body} `), await pass(body), await pass(body)]);
    res.end();
  });
  onTestFinished(between.close);
  const relay = await startRelayAndGateway(withReceiver(`${between.url}/webhooks`, { secrets: [webhookSecret] }));
  const { url, printedEvents } = await startReceiver(relay.url);
  return { relay, printedEvents, answers };
}

describe('the webhooks of the page for shops’ servers', () => {
  it('report once, unforgeably, that a checkout is paid and ready', async () => {
    const { relay, printedEvents, answers } = await start();
    const { secret, id } = await relay.session();
    await relay.pay(secret, card);
    await until('the receiver got both webhooks', () => answers.length === 2 && printedEvents().length === 2);
    const { transaction_id, order_no } = await relay.truth(id);
    expect(printedEvents()).toEqual([
      { type: 'session.approved', known: true, found: { paid: true, transactionId: transaction_id } },
      { type: 'payment.ready', known: true, found: { delivered: order_no, transaction_id } },
    ]);
    expect(answers).toEqual([
      [400, 204, 204],
      [400, 204, 204],
    ]);
  });

  it('deliver no other order and no other amount', async () => {
    const { output, errors } = await shop.run('unready.js', shopEnv('http://127.0.0.1:9'));
    expect(errors).toBe('');
    expect(output.trim().split('\n')).toEqual(['undefined', 'undefined', ...Array(3).fill('look at A-1')]);
  });

  it('report a refund of unknown outcome, then its outcome', async () => {
    const { relay, printedEvents, answers } = await start();
    const paid = { order_no: 'D-fault:refund.reset', currency: 'BRL', amount: '129.90' };
    const { transaction_id } = (await relay.post('/v1/payments', apiKey, { ...paid, token_id: 'tok_1' })).body;
    const refund_orders = [{ ...paid, transaction_id, refund_amount: '9.90' }];
    const { operation_id } = (await relay.post('/v1/refund', apiKey, { refund_orders })).body;
    await relay.post(`/v1/operations/${operation_id}/settle`, apiKey, { outcome: 'succeeded' });
    await until('the receiver got all webhooks', () => answers.length === 7 && printedEvents().length === 7);
    // The session's own events may arrive between those of the operation.
    const kinds = [/^session\./, /^operation\./, /^notification\./, /^payment\./];
    const [ofSession, ofOperation, ofGateway, ofPayment] = kinds.map((kind) =>
      printedEvents().filter(({ type }) => kind.test(type)),
    );
    expect(ofSession).toMatchObject([{ type: 'session.approved' }]);
    // The gateway notifies about a refund, which the payment's own session does not report.
    expect(ofGateway).toMatchObject([{ found: { verified: true, fields: { refund_amount: '9.90' } } }]);
    expect(new Set(ofPayment?.map(({ type }) => type))).toEqual(new Set(['payment.ready', 'payment.refunded']));
    expect(ofOperation).toMatchObject([
      { type: 'operation.unknown', found: { id: operation_id } },
      { type: 'operation.settled', found: { id: operation_id, status: 'settled', items: ['succeeded'] } },
      { type: 'operation.completed', found: { id: operation_id, items: ['succeeded'] } },
    ]);
  });

  it('are sent again when the receiver works again', async () => {
    let isWell = false;
    const ids: string[] = [];
    const server = await serve((req, res) => {
      ids.push(String(req.headers['webhook-id']));
      if (isWell) res.writeHead(204).end();
      else refuse(res);
    });
    onTestFinished(server.close);
    const relay = await startRelayAndGateway(
      withReceiver(server.url, { secrets: [webhookSecret], events: ['session.*'] }),
    );
    for (const times of [1, 2, 3]) {
      await relay.pay((await relay.session()).secret, card);
      await until('it was sent', () => ids.length === times);
    }
    await giveUp(relay.context.store, 3);
    isWell = true;
    const listed = async (status: string) =>
      z
        .object({ events: z.array(z.object({ id: z.string(), created_at: z.string() })) })
        .parse((await relay.get(`/v1/events?status=${status}`, apiKey)).body).events;
    const [, second] = await listed('failed');
    const ran = await shop.run('sender.js', { ...shopEnv(relay.url), SINCE: second?.created_at ?? '' });
    expect(ran.errors).toBe('');
    const failed = { status: 'failed', tries: 1, reason: 'http_410', failed_at: expect.any(String) };
    expect(JSON.parse(ran.output)).toEqual(
      ids.slice(1, 3).map((id) => ({ id, type: 'session.approved', delivery: failed })),
    );
    await until('both are delivered', async () => (await listed('delivered')).length === 2);
    expect(ids.slice(3).toSorted()).toEqual(ids.slice(1, 3).toSorted());
  });

  it('are configured with settings that the relay accepts', () => {
    const isSetting = ({ language, code }: (typeof blocks)[number]) =>
      language === 'json' && code.includes('"webhook"');
    const fragments = blocks.filter(isSetting).map(({ code }) => JSON.parse(code));
    const shopAccount = {
      id: 'shop',
      merchant_id: account.merchant_id,
      account_id: account.account_id,
      signing_secret: account.signingSecret,
      allowed_origins: ['https://shop.example'],
      api_keys: [{ name: 'server', sha256: 'a'.repeat(64), scopes: ['*'] }],
    };
    const file = { public_url: 'https://pay.example', gateway: { base_url: 'http://127.0.0.1:8081' } };
    const config = { ...file, accounts: [Object.assign(shopAccount, ...fragments)] };
    const { accounts } = checkConfig(config, { TURNPIKE_WEBHOOK_SECRET: webhookSecret });
    expect(accounts[0]?.webhooks).toEqual([
      { id: 'default', url: 'https://shop.example/webhooks', secrets: [webhookSecret] },
    ]);
  });

  it('are all named, and no others', () => {
    const named = [
      ...page.matchAll(/^\| `((?:session|saved_card|notification|operation|payment|subscription|payout)\.\w+)` \|/gm),
    ].map(([, type]) => type);
    expect(named).toEqual(eventTypes);
  });
});

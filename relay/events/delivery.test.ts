import { describe, expect, it, onTestFinished } from 'vitest';
import { testContext } from '../../test/support/context.ts';
import { startReceiver, type Told, webhookSecret } from '../../test/support/receiver.ts';
import { until } from '../../test/support/until.ts';
import type { Context } from '../context.ts';
import { StoreError } from '../errors.ts';
import { startDelivery } from './delivery.ts';
import { newEvent } from './new-event.ts';

/** A relay's outbox with a clock that the test sets. */
async function setUp(url: string, change: { account?: object; config?: object } = {}) {
  const clock = { now: new Date() };
  const context = await testContext({
    account: { webhook: { url, secrets: [webhookSecret] }, ...change.account },
    config: { webhooks: { allow_private: true }, ...change.config },
    now: () => clock.now,
  });
  const write = (subject: string, data: object = {}, account = 'demo') =>
    context.store.addEvents(newEvent(context, { account, id: subject }, 'session.unknown', data));
  const log = (message: string) => context.logLines.filter((line) => line.includes(message));
  return {
    context,
    write,
    log,
    wait: (seconds: number) => {
      clock.now = new Date(clock.now.getTime() + seconds * 1000);
    },
  };
}

function deliver(context: Context, options: Parameters<typeof startDelivery>[1] = {}) {
  const delivery = startDelivery(context, { random: () => 0, ...options });
  onTestFinished(() => delivery.stop());
  return delivery;
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const numbers = (told: readonly Told[]): unknown[] => told.map(({ data }) => data.n);

describe('delivering webhooks', () => {
  it('sends the exact body, signed, until it is taken, and then no more', async () => {
    const receiver = await startReceiver();
    const { context, write, log } = await setUp(receiver.url);
    await write('cs_1', { n: 1, name: 'Zoë' });
    deliver(context);
    await until('delivered', () => log('webhook delivered').length === 1);
    await pause(500);
    expect(receiver.told).toHaveLength(1);
    expect(receiver.wrong).toEqual([]);
    expect(receiver.told[0]).toMatchObject({ type: 'session.unknown', data: { n: 1, name: 'Zoë' } });
    expect(receiver.told[0]?.headers['content-type']).toBe('application/json');
  });

  it('keeps the order of a subject: what comes later waits until the one before it is taken', async () => {
    const receiver = await startReceiver((_told, res) => res.writeHead(receiver.told.length <= 2 ? 500 : 204).end());
    const { context, write, wait, log } = await setUp(receiver.url);
    for (const n of [1, 2, 3]) await write('cs_1', { n });
    deliver(context);
    for (const tries of [1, 2]) {
      await until('refused', () => log('webhook not taken').length === tries);
      await pause(300);
      expect(numbers(receiver.told)).toEqual(Array(tries).fill(1));
      wait(2);
    }
    await until('all delivered', () => log('webhook delivered').length === 3);
    expect(numbers(receiver.told)).toEqual([1, 1, 1, 2, 3]);
    expect(new Set(receiver.told.slice(0, 3).map(({ id }) => id)).size).toBe(1);
  });

  it('does not let a subject that is not answered hold up the others', async () => {
    const receiver = await startReceiver(({ data }, res) => void (data.n === 'slow' || res.end()));
    const { context, write, log } = await setUp(receiver.url);
    await write('cs_slow', { n: 'slow' });
    for (let n = 0; n < 20; n++) await write(`cs_${n}`, { n });
    deliver(context);
    await until('the others are delivered', () => log('webhook delivered').length === 20);
  });

  it('has eight in flight to one receiver at the most, and a silent one does not hold up another account', async () => {
    const silent = await startReceiver(() => undefined);
    const quick = await startReceiver();
    const accounts = [
      { id: 'demo', account_id: '1', url: silent.url, key: 'a' },
      { id: 'other', account_id: '2', url: quick.url, key: 'b' },
    ].map(({ id, account_id, url, key }) => ({
      id,
      merchant_id: 'm',
      account_id,
      signing_secret: 'secret',
      allowed_origins: ['https://shop.example'],
      api_keys: [{ name: 'k', sha256: key.repeat(64), scopes: ['*'] }],
      webhook: { url, secrets: [webhookSecret] },
    }));
    const { context, write } = await setUp(silent.url, { config: { accounts, webhooks: { allow_private: true } } });
    for (let n = 0; n < 30; n++) await write(`cs_${n}`, { n });
    for (let n = 0; n < 30; n++) await write(`cs_other_${n}`, { n }, 'other');
    deliver(context);
    await until('the other account has its webhooks', () => quick.told.length === 30);
    await pause(500);
    expect(silent.told).toHaveLength(8);
  });

  it('takes a receiver that does not answer in time for one that did not take it', async () => {
    const receiver = await startReceiver(({ data }, res) => void (data.n === 1 || res.end()));
    const { context, write, log } = await setUp(receiver.url);
    await write('cs_1', { n: 1 });
    deliver(context, { tryMs: 200 });
    await until('given up', () => log('"fault":"timeout"').length === 1);
  });

  it('comes back no sooner than Retry-After asks', async () => {
    const receiver = await startReceiver((_told, res) => {
      if (receiver.told.length === 1) res.writeHead(503, { 'retry-after': '120' }).end();
      else res.end();
    });
    const { context, write, wait, log } = await setUp(receiver.url);
    await write('cs_1');
    deliver(context);
    await until('refused', () => log('webhook not taken').length === 1);
    wait(119);
    await pause(500);
    expect(receiver.told).toHaveLength(1);
    wait(1);
    await until('delivered', () => log('webhook delivered').length === 1);
  });

  it('gives an event up at 410, says so, and goes on with the next', async () => {
    const receiver = await startReceiver(({ data }, res) => res.writeHead(data.n === 1 ? 410 : 200).end());
    const { context, write, log, wait } = await setUp(receiver.url);
    await write('cs_1', { n: 1 });
    await write('cs_1', { n: 2 });
    deliver(context);
    await until('the second is delivered', () => log('webhook delivered').length === 1);
    wait(250);
    await pause(500);
    expect(numbers(receiver.told)).toEqual([1, 2]);
    expect(log('the receiver wants no webhook any more')).toHaveLength(1);
  });

  it('sends again, under the same id, what was sent but not marked before a crash', async () => {
    const receiver = await startReceiver();
    const { context, write, wait, log } = await setUp(receiver.url);
    await write('cs_1', { n: 1 });
    const broken = { ...context.store, updateEvent: () => Promise.reject(new StoreError('gone')) };
    const crashed = startDelivery({ ...context, store: broken });
    await until('sent', () => receiver.told.length === 1);
    await crashed.stop();

    deliver(context);
    await pause(500);
    expect(receiver.told).toHaveLength(1);
    wait(61);
    await until('delivered', () => log('webhook delivered').length === 1);
    expect(receiver.told.map(({ id, raw }) => [id, raw])).toEqual(
      Array(2).fill([receiver.told[0]?.id, receiver.told[0]?.raw]),
    );
  });

  it('cuts a silent receiver off when the relay stops, and sends it the webhook again at the next start', async () => {
    const receiver = await startReceiver((_told, res) => void (receiver.told.length === 1 || res.end()));
    const { context, write, log } = await setUp(receiver.url);
    await write('cs_1');
    const first = startDelivery(context);
    await until('sent', () => receiver.told.length === 1);
    await first.stop();
    deliver(context);
    await until('delivered', () => log('webhook delivered').length === 1);
    expect(receiver.told[1]?.id).toBe(receiver.told[0]?.id);
    expect(log('"tries":1')).toHaveLength(1);
  });

  it('logs neither body nor address', async () => {
    const receiver = await startReceiver(({ data }, res) => res.writeHead(data.n === 1 ? 500 : 200).end('a secret'));
    const { context, write, log } = await setUp(receiver.url);
    await write('cs_1', { n: 1, secret: 'ada@example.com' });
    await write('cs_2', { n: 2, secret: 'ada@example.com' });
    deliver(context);
    await until('both tried', () => log('webhook').length === 2);
    expect(context.logLines.join('')).not.toMatch(/ada@|a secret|webhooks"|127\.0\.0\.1|whsec_/);
  });
});

import { describe, expect, it } from 'vitest';
import { startReceiver, webhookSecret } from '../../test/support/http/receiver.ts';
import { deliver, numbers, shortly, startOutbox } from '../../test/support/stores/outbox.ts';
import { until } from '../../test/support/time/until.ts';
import { StoreError } from '../base/errors.ts';
import { wakeDelivery } from '../commit/commit.ts';
import { newEvent } from '../commit/new-event.ts';
import { startDelivery } from './delivery.ts';

describe('delivering webhooks', () => {
  it('sends the exact signed body until it is accepted', async () => {
    const receiver = await startReceiver();
    const { context, write, log } = await startOutbox(receiver.url);
    await write('cs_1', { n: 1, name: 'Zoë' });
    deliver(context);
    await until('delivered', () => log('webhook delivered').length === 1);
    await shortly(500);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.wrong).toEqual([]);
    expect(receiver.received[0]).toMatchObject({ type: 'session.unknown', data: { n: 1, name: 'Zoë' } });
    expect(receiver.received[0]?.headers['content-type']).toBe('application/json');
  });

  it('delivers a subject’s events in order, each after the previous one', async () => {
    const receiver = await startReceiver((_told, res) =>
      res.writeHead(receiver.received.length <= 2 ? 500 : 204).end(),
    );
    const { context, write, wait, log } = await startOutbox(receiver.url);
    for (const n of [1, 2, 3]) await write('cs_1', { n });
    deliver(context);
    for (const tries of [1, 2]) {
      await until('refused', () => log('webhook delivery failed').length === tries);
      await shortly(300);
      expect(numbers(receiver.received)).toEqual(Array(tries).fill(1));
      wait(2);
    }
    await until('all delivered', () => log('webhook delivered').length === 3);
    expect(numbers(receiver.received)).toEqual([1, 1, 1, 2, 3]);
    expect(new Set(receiver.received.slice(0, 3).map(({ id }) => id)).size).toBe(1);
  });

  it('does not delay other subjects by an unanswered one', async () => {
    const receiver = await startReceiver(({ data }, res) => void (data.n === 'slow' || res.end()));
    const { context, write, log } = await startOutbox(receiver.url);
    await write('cs_slow', { n: 'slow' });
    for (let n = 0; n < 20; n++) await write(`cs_${n}`, { n });
    deliver(context);
    await until('the others are delivered', () => log('webhook delivered').length === 20);
  });

  it('sends at most eight at once to one receiver, without delaying others', async () => {
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
    const { context, write } = await startOutbox(silent.url, {
      config: { accounts, webhooks: { allow_private: true } },
    });
    for (let n = 0; n < 30; n++) await write(`cs_${n}`, { n });
    for (let n = 0; n < 30; n++) await write(`cs_other_${n}`, { n }, 'other');
    deliver(context);
    await until('the other account has its webhooks', () => quick.received.length === 30);
    await shortly(500);
    expect(silent.received).toHaveLength(8);
  });

  it('treats a missing answer as a failed try', async () => {
    const receiver = await startReceiver(({ data }, res) => void (data.n === 1 || res.end()));
    const { context, write, log } = await startOutbox(receiver.url);
    await write('cs_1', { n: 1 });
    deliver(context, { tryMs: 200 });
    await until('given up', () => log('"fault":"timeout"').length === 1);
  });

  it('comes back no sooner than Retry-After asks', async () => {
    const receiver = await startReceiver((_told, res) => {
      if (receiver.received.length === 1) res.writeHead(503, { 'retry-after': '120' }).end();
      else res.end();
    });
    const { context, write, wait, log } = await startOutbox(receiver.url);
    await write('cs_1');
    deliver(context);
    await until('refused', () => log('webhook delivery failed').length === 1);
    wait(119);
    await shortly(500);
    expect(receiver.received).toHaveLength(1);
    wait(1);
    await until('delivered', () => log('webhook delivered').length === 1);
  });

  it('sends an unmarked event again under its id after a crash', async () => {
    const receiver = await startReceiver();
    const { context, write, wait, log } = await startOutbox(receiver.url);
    await write('cs_1', { n: 1 });
    const writeDelivery = () => Promise.reject(new StoreError('gone'));
    const broken = { ...context.store, outbox: { ...context.store.outbox, writeDelivery } };
    const crashed = startDelivery({ ...context, store: broken });
    await until('sent', () => receiver.received.length === 1);
    await crashed.stop();

    deliver(context);
    await shortly(500);
    expect(receiver.received).toHaveLength(1);
    wait(61);
    await until('delivered', () => log('webhook delivered').length === 1);
    expect(receiver.received.map(({ id, raw }) => [id, raw])).toEqual(
      Array(2).fill([receiver.received[0]?.id, receiver.received[0]?.raw]),
    );
  });

  it('disconnects a silent receiver at stop, and sends again after restart', async () => {
    const receiver = await startReceiver((_told, res) => void (receiver.received.length === 1 || res.end()));
    const { context, write, log } = await startOutbox(receiver.url);
    await write('cs_1');
    const first = startDelivery(context);
    await until('sent', () => receiver.received.length === 1);
    await first.stop();
    deliver(context);
    await until('delivered', () => log('webhook delivered').length === 1);
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);
    expect(log('"tries":1')).toHaveLength(1);
  });

  it('logs neither body nor address', async () => {
    const receiver = await startReceiver(({ data }, res) => res.writeHead(data.n === 1 ? 500 : 200).end('a secret'));
    const { context, write, log } = await startOutbox(receiver.url);
    await write('cs_1', { n: 1, secret: 'ada@example.com' });
    await write('cs_2', { n: 2, secret: 'ada@example.com' });
    deliver(context);
    await until('both tried', () => log('webhook').length === 2);
    expect(context.logLines.join('')).not.toMatch(/ada@|a secret|webhooks"|127\.0\.0\.1|whsec_/);
  });

  it('sends a new event at once, without waiting for its poll', async () => {
    const receiver = await startReceiver();
    const { context, log } = await startOutbox(receiver.url);
    deliver(context, { pauseMs: 60_000 });
    await shortly(100);
    const written = newEvent(context, { account: 'demo', id: 'cs_1' }, 'session.unknown', {});
    await context.store.outbox.add(written);
    wakeDelivery(context, written);
    await until('delivered', () => log('webhook delivered').length === 1, 2000);
  });

  it('counts the result of each try except those that the relay aborted', async () => {
    const receiver = await startReceiver(({ data: { n } }, res) => {
      if (typeof n === 'number') res.writeHead(n).end();
    });
    const { context, write, tries } = await startOutbox(receiver.url);
    for (const n of [200, 204, 500, 'silent']) await write(`cs_${n}`, { n });
    const delivery = deliver(context);
    await until('all are sent', () => receiver.received.length === 4);
    await delivery.stop();
    expect([await tries('delivered'), await tries('refused'), await tries('failed')]).toEqual([2, 1, 0]);
  });

  it('sends each webhook once and in order with several relays', async () => {
    const receiver = await startReceiver((_told, res) => void setTimeout(() => res.end(), 5));
    const { context, write } = await startOutbox(receiver.url);
    for (let n = 0; n < 10; n++) for (const subject of ['a', 'b', 'c', 'd']) await write(subject, { n, subject });
    for (let relays = 0; relays < 3; relays++) deliver(context);
    await until('all are delivered', () => receiver.received.length >= 40);
    await shortly(200);
    for (const subject of ['a', 'b', 'c', 'd']) {
      const told = receiver.received.filter(({ data }) => data.subject === subject);
      expect(numbers(told)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
  });
});

import type { RequestListener } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { toDefault } from '../../test/store/fixtures.ts';
import { bodyOf, serve } from '../../test/support/http/http-server.ts';
import { startReceiver, webhookSecret } from '../../test/support/http/receiver.ts';
import { deliver, numbers, shortly, startOutbox } from '../../test/support/stores/outbox.ts';
import { keepTimers } from '../../test/support/time/timers.ts';
import { until } from '../../test/support/time/until.ts';
import { GIVE_UP_MS } from './after-try.ts';
import { PAUSE_AFTER_FAILURE_MS } from './delivery.ts';

const hour = 3600;

/** A receiver that does not look at signatures, and takes nothing before `open()`. */
async function startClosedReceiver() {
  const tries: { raw: string; headers: Record<string, string> }[] = [];
  let isOpen = false;
  const server = await serve(async (req, res) => {
    const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
    tries.push({ raw: await bodyOf(req), headers });
    res.writeHead(isOpen ? 204 : 500).end();
  });
  onTestFinished(server.close);
  return {
    url: `${server.url}/webhooks`,
    tries,
    open: () => {
      isOpen = true;
    },
  };
}

describe('a webhook that is sent again', () => {
  it('has the same id and bytes each time, signed anew', async () => {
    const receiver = await startClosedReceiver();
    const { context, clock, write, wait, log } = await startOutbox(receiver.url);
    await write('cs_1', { name: 'Zoë', amount: '129.90' });
    const sentAt: number[] = [];
    deliver(context);
    for (const tries of [1, 2, 3, 4]) {
      sentAt.push(Math.floor(clock.now.getTime() / 1000));
      await until(`try ${tries}`, () => log('webhook delivery failed').length === tries);
      if (tries === 4) receiver.open();
      wait(hour);
    }
    sentAt.push(Math.floor(clock.now.getTime() / 1000));
    await until('delivered', () => log('webhook delivered').length === 1);

    expect(receiver.tries).toHaveLength(5);
    expect(new Set(receiver.tries.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(receiver.tries.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.tries.map(({ headers }) => Number(headers['webhook-timestamp']))).toEqual(sentAt);
    // The library refuses what was not signed within five minutes.
    onTestFinished(() => void vi.useRealTimers());
    for (const { raw, headers } of receiver.tries) {
      vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1000 + 60_000 });
      expect(new Webhook(webhookSecret).verify(raw, headers)).toMatchObject({ data: { name: 'Zoë' } });
    }
  });

  it('is accepted with the old secret, the new one, or both', async () => {
    const [before, after] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
    const receiver = await startClosedReceiver();
    receiver.open();
    const account = { webhook: { url: receiver.url, secrets: [after, before] } };
    const { context, write, log } = await startOutbox(receiver.url, { account });
    await write('cs_1', { n: 1 });
    deliver(context);
    await until('delivered', () => log('webhook delivered').length === 1);
    const { raw = '', headers = {} } = receiver.tries[0] ?? {};
    for (const secret of [before, after]) {
      expect(new Webhook(secret ?? '').verify(raw, headers)).toMatchObject({ data: { n: 1 } });
    }
    expect(() => new Webhook(webhookSecret).verify(raw, headers)).toThrow();
  });

  it('is abandoned after three days, and can be resent by hand', async () => {
    let isOpen = false;
    const receiver = await startReceiver(({ data }, res) => res.writeHead(data.n === 2 || isOpen ? 204 : 503).end());
    const { context, clock, write, wait, log, tries } = await startOutbox(receiver.url);
    await write('cs_1', { n: 1 });
    await write('cs_1', { n: 2 });
    deliver(context);
    await until('tried', () => log('webhook delivery failed').length === 1);
    const first = receiver.received[0]?.id ?? '';
    // The receiver's library would find later signatures too new, so the last try is made in one step.
    await context.store.outbox.writeDelivery(
      { id: first, subject: 'cs_1', endpoint: 'default' },
      {
        status: 'pending',
        tries: 40,
        next_try_at: clock.now.toISOString(),
        first_try_at: new Date(clock.now.getTime() - GIVE_UP_MS).toISOString(),
      },
    );
    wait(1);
    await until('given up', () => log('webhook given up').length === 1);
    await until('the next one is delivered', () => numbers(receiver.received).includes(2));
    expect(await tries('failed')).toBe(1);
    const failed = { status: 'failed', reason: 'http_503' };
    expect((await context.store.outbox.get('demo', first))?.delivery).toMatchObject(failed);

    isOpen = true;
    const again = await context.store.outbox.redeliver('demo', first, clock.now.toISOString(), toDefault);
    expect(again).toMatchObject({
      kind: 'redelivered',
      event: { id: first, delivery: { status: 'pending', tries: 0 } },
    });
    await until('delivered', () => log('webhook delivered').length === 2);
    expect(receiver.received.at(-1)).toMatchObject({ id: first, raw: receiver.received[0]?.raw });
  });
});

describe('a receiver that is down', () => {
  /** An outbox with so many webhooks to a receiver that closes each connection, until `open()`. */
  async function backlog(events: number) {
    let answer: RequestListener | undefined;
    // No other process can get its port while it is down.
    const receiver = await serve((req, res) => (answer ? answer(req, res) : req.socket.destroy()));
    onTestFinished(receiver.close);
    const outbox = await startOutbox(`${receiver.url}/webhooks`);
    const { context } = outbox;
    const written = Array.from({ length: events }, (_, n) => ({
      id: `msg_${n}`,
      account: 'demo',
      subject: `cs_${n}`,
      type: 'session.unknown' as const,
      created_at: context.now().toISOString(),
      body: JSON.stringify({ type: 'session.unknown', timestamp: context.now().toISOString(), data: { n } }),
      endpoints: ['default'],
    }));
    await context.store.outbox.add(written);
    const open = (listener: RequestListener): void => {
      answer = listener;
    };
    return { ...outbox, open };
  }

  it('costs eight tries and then a pause, however many webhooks wait', async () => {
    const { context, tries } = await backlog(10_000);
    const { store } = context;
    const { leaseDue: claimEvents } = store.outbox;
    let looks = 0;
    store.outbox.leaseDue = (...asked) => {
      looks += 1;
      return claimEvents(...asked);
    };
    const rests = keepTimers(PAUSE_AFTER_FAILURE_MS);
    // Looks that nothing asks for are made all the time, and find that eight are at rest.
    deliver(context, { pauseMs: 1 });
    await until('eight were tried', async () => (await tries('refused')) === 8);
    await shortly(100);
    expect([looks, await tries('refused')]).toEqual([1, 8]);
    rests.release();
    await until('more are tried after that', async () => (await tries('refused')) >= 16);
  });

  it('receives everything when it recovers, at most eight webhooks at once', async () => {
    const { context, wait, open, tries } = await backlog(500);
    deliver(context, { random: Math.random });
    await until('it was tried', async () => (await tries('refused')) >= 8);
    const [ids, atOnce] = [new Set<unknown>(), { now: 0, most: 0 }];
    open(async (req, res) => {
      atOnce.now += 1;
      atOnce.most = Math.max(atOnce.most, atOnce.now);
      ids.add(req.headers['webhook-id']);
      await bodyOf(req);
      setTimeout(() => {
        atOnce.now -= 1;
        res.end();
      }, 2);
    });
    wait(10);
    await until('everything is delivered', async () => (await tries('delivered')) === 500);
    expect(ids.size).toBe(500);
    expect(atOnce.most).toBeLessThanOrEqual(8);
  });
});

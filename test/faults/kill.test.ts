import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startReceiver, withReceiver } from '../support/receiver.ts';
import { startTestRelay, testConfig } from '../support/relay.ts';
import type { Plan } from './killable-relay.ts';
import { startKillableRelay } from './killed-relay.ts';
import { type Books, type Story, stories } from './stories.ts';
import { type Phase, startBooks, startWire } from './watched-gateway.ts';

/** Where a relay dies: at one of its own writes, or in one phase of a call of the gateway. */
type Death = { writes: Exclude<Plan['when'], 'never'> } | { call: Phase };

const deaths: Death[] = [
  { writes: 'before' },
  { writes: 'amid' },
  { writes: 'after' },
  { call: 'received' },
  { call: 'booked' },
  { call: 'answered' },
];

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A dead relay's work is taken over once its time is over: the next one starts a minute later. */
const MINUTE_MS = 60_000;

/** What a relay still does after the answer, webhooks above all, is over then. */
const AFTERWORK_MS = 400;

describe.each(Object.entries(stories))('when a relay is killed while %s', (_name, storyOf) => {
  it('nothing is lost, nothing is done twice, wherever it dies', { timeout: 180_000 }, async () => {
    const books = await startBooks();
    const receiver = await startReceiver();
    const lanes = deaths.map(async (death) => {
      let at = 1;
      while (await diesAt(death, at, storyOf(books), books, receiver)) at += 1;
      return at - 1;
    });
    const points = await Promise.all(lanes);
    // Every lane has met at least one death, or it proves nothing.
    for (const [lane, count] of points.entries()) expect(count, JSON.stringify(deaths[lane])).toBeGreaterThan(0);
  });
});

describe('when a relay is killed while many pay, refund and pay out at once', () => {
  it('nothing is lost, nothing is done twice, whenever it dies', { timeout: 180_000 }, async () => {
    const books = await startBooks();
    const receiver = await startReceiver();
    const options = optionsOf(books.url, receiver);
    const all = Array.from({ length: 6 }, () => Object.values(stories).map((storyOf) => storyOf(books))).flat();
    for (const afterMs of [0, 20, 40, 80, 160, 320]) {
      const relay = await startKillableRelay({ config: testConfig(options), at: 0, when: 'never' });
      if (afterMs === 0) await Promise.all(all.map((story) => story.prepare(relay.url)));
      const running = all.map((story) => story.run(relay.url).catch(() => undefined));
      await pause(afterMs);
      relay.kill();
      await Promise.all([relay.exited, ...running]);
    }
    const last = await startTestRelay({ ...options, now: () => new Date(Date.now() + MINUTE_MS) });
    await Promise.all(all.map((story) => story.run(last.url)));
    await Promise.all(all.map((story) => story.check(last.url, receiver.told)));
  });
});

/** Plays a story against a relay that dies at one point, then against its successor. False when there is no such point. */
async function diesAt(death: Death, at: number, story: Story, books: Books, receiver: Receiver): Promise<boolean> {
  let isCounting = false;
  let calls = 0;
  const wire = await startWire(books.url, (_call, phase) => {
    if (!isCounting) return;
    if (phase === 'received') calls += 1;
    if ('call' in death && death.call === phase && calls === at) first.kill();
  });
  const options = optionsOf(wire.url, receiver);
  const when = 'writes' in death ? death.writes : 'never';
  const first = await startKillableRelay({ config: testConfig(options), at, when });
  await story.prepare(first.url);
  first.count();
  isCounting = true;
  await story.run(first.url).catch(() => undefined);
  if (!first.isDead()) await Promise.race([first.exited, pause(AFTERWORK_MS)]);
  const died = first.isDead();
  first.kill();
  await first.exited;
  isCounting = false;

  const next = await startTestRelay({ ...options, now: () => new Date(Date.now() + MINUTE_MS) });
  await story.run(next.url);
  await story.check(next.url, receiver.told);
  await next.stop();
  await wire.close();
  return died;
}

function optionsOf(gatewayUrl: string, receiver: Receiver) {
  const config = { resolve: { first_ms: 20, max_ms: 50, absent_ms: 150 }, ...withReceiver(receiver.url) };
  return { gatewayUrl, folder: mkdtempSync(join(tmpdir(), 'turnpike-')), timeoutMs: 2000, config };
}

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { startTestRelay, testConfig } from '../../support/relays/relay.ts';
import type { Place } from './killable-relay.ts';
import { startKillableRelay } from './killed-relay.ts';
import type { Books, Story } from './stories.ts';
import { type Phase, startBooks, startWire } from './watched-gateway.ts';

/**
 * Where a relay is killed: once for each combination of what its store and the gateway can contain then. The
 * simulation tries every place of every write; this test kills a real process with real files.
 */
const deaths = {
  /** The store and the gateway contain nothing. */
  'within its first write': { write: 'amid' },
  /** The store contains the intention, the gateway nothing. */
  'as it sends': { call: 'received' },
  /** The store contains the intention, the gateway the payment or refund. */
  'before the answer': { call: 'booked' },
  /** The same, with the outcome in an open transaction. */
  'within the write of the outcome': { call: 'booked', write: 'amid' },
  /** Both contain it, and no answer or webhook was sent. */
  'after the write of the outcome': { call: 'booked', write: 'after' },
} satisfies Record<string, { call?: Phase; write?: Place }>;

type Death = { call?: Phase; write?: Place };

/** Another relay takes over once the lease has expired: the next relay starts a minute later. */
export const MINUTE_MS = 60_000;

/**
 * Runs a story once for each place at which its relay is killed, and compares the gateway's records with the answers
 * of the next relay. `path` is the gateway's path of the message that moves money; `store` creates an empty store;
 * `config` contains further settings.
 */
export async function survivesDeaths(
  storyOf: (books: Books) => Story,
  { path, store, config = {} }: { path: string; store: () => Promise<string>; config?: object },
): Promise<void> {
  const [books, receiver] = await Promise.all([startBooks(), startReceiver()]);
  for (const [where, death] of Object.entries<Death>(deaths)) {
    const story = storyOf(books);
    let passes = async (_path: string, _phase: Phase): Promise<boolean> => true;
    const wire = await startWire(books.url, (...call) => passes(...call));
    const defaults = relayOptions(wire.url, receiver.url, await store());
    const options = { ...defaults, config: { ...defaults.config, ...config } };
    const before = await startTestRelay(options);
    await story.prepare(before.url);
    await before.stop();

    const relay = await startKillableRelay({ config: testConfig(options) });
    passes = async (called, phase) => {
      if (called !== path || phase !== death.call) return true;
      if (death.write) await relay.dieIn(death.write);
      else await relay.kill();
      return !relay.isDead();
    };
    if (!death.call && death.write) await relay.dieIn(death.write);
    await Promise.race([relay.exited, story.run(relay.url).catch(() => relay.exited)]);
    expect(relay.isDead(), `dead ${where}`).toBe(true);

    passes = async () => true;
    const next = await startTestRelay({ ...options, now: () => new Date(Date.now() + MINUTE_MS) });
    await story.run(next.url);
    await story.check(next.url, receiver.received);
    await next.stop();
    await wire.close();
  }
}

/** Options of a relay that queries unknown outcomes at once. */
export function relayOptions(gatewayUrl: string, receiverUrl: string, store = newFile()) {
  const resolve = { first_ms: 20, max_ms: 50, absent_ms: 150 };
  return { gatewayUrl, folder: '', timeoutMs: 10_000, config: { resolve, store, ...withReceiver(receiverUrl) } };
}

/** The address of an SQLite file that does not exist yet. */
export function newFile(): string {
  return `sqlite:${join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db')}`;
}

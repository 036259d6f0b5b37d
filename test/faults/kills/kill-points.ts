import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { startTestRelay, testConfig } from '../../support/relays/relay.ts';
import type { Place } from './killable-relay.ts';
import { startKillableRelay } from './killed-relay.ts';
import type { Books, Story } from './stories.ts';
import { type Phase, startBooks, startWire } from './watched-gateway.ts';

/** Where a relay dies: at one place of one of its own writes, or in one phase of one of its calls of the gateway. */
type Death = ({ place: Place } | { phase: Phase }) & { at: number };

/** The shop, its gateway, and where an empty store is for each relay. */
type Around = { books: Books; receiver: Awaited<ReturnType<typeof startReceiver>>; store: () => Promise<string> };

/** A dead relay's work is taken over once its time is over: the next one starts a minute later. */
export const MINUTE_MS = 60_000;

/** What a relay still does after the answer, webhooks above all, is over then. */
const AFTERWORK_MS = 400;

/** Relays that live and die at the same time. */
const LANES = 4;

/**
 * Counts the writes and calls of a story that goes well, then plays it once for some of the places where its relay can die,
 * of every kind, and compares the gateway's books with what the next relay says. Every place is the simulation's to try; here
 * a real process dies over a real store.
 */
export async function survivesDeaths(
  storyOf: (books: Books) => Story,
  store: () => Promise<string> = async () => newFile(),
): Promise<void> {
  const around: Around = { books: await startBooks(), receiver: await startReceiver(), store };
  const points = await deathsOf(storyOf(around.books), around);
  const left = [...points];
  const died: Death[] = [];
  const lane = async (): Promise<void> => {
    for (let death = left.shift(); death; death = left.shift()) {
      if (await diesAt(death, storyOf(around.books), around)) died.push(death);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  // Whether a poll of the relay falls into a story is chance; what the story itself does is not.
  for (const kind of ['before', 'amid', 'after', 'received', 'booked', 'answered']) {
    const [all, met] = [points, died].map((deaths) => deaths.filter((death) => kindOf(death) === kind).length);
    expect(met, `deaths: ${kind}`).toBeGreaterThanOrEqual(Math.max(1, Math.ceil((all ?? 0) / 2)));
  }
}

function kindOf(death: Death): Place | Phase {
  return 'place' in death ? death.place : death.phase;
}

/** Places at which a relay can die while it plays a story: two of each kind, a third and two thirds through. */
async function deathsOf(story: Story, around: Around): Promise<Death[]> {
  const played = await play(story, around);
  const writes = await played.relay.counted();
  await played.end();
  const someOf = (most: number) => [...new Set([Math.ceil(most / 3), Math.ceil((2 * most) / 3)])];
  const places: Place[] = ['before', 'amid', 'after'];
  const phases: Phase[] = ['received', 'booked', 'answered'];
  return [
    ...places.flatMap((place) => someOf(writes[place]).map((at) => ({ place, at }))),
    ...phases.flatMap((phase) => someOf(played.calls()).map((at) => ({ phase, at }))),
  ];
}

/** Plays a story against a relay that dies, then against its successor. False when it did not come to that. */
async function diesAt(death: Death, story: Story, around: Around): Promise<boolean> {
  const { relay, options, end } = await play(story, around, death);
  const died = relay.isDead();
  relay.kill();
  await relay.exited;
  const next = await startTestRelay({ ...options, now: () => new Date(Date.now() + MINUTE_MS) });
  await story.run(next.url);
  await story.check(next.url, around.receiver.told);
  await next.stop();
  await end();
  return died;
}

/** A story with a relay that may die in it, until it is dead or has nothing more to do. */
async function play(story: Story, { books, receiver, store }: Around, death?: Death) {
  let calls = 0;
  let before = Number.POSITIVE_INFINITY;
  const wire = await startWire(books.url, (call, phase) => {
    calls = call;
    if (death && 'phase' in death && death.phase === phase && death.at === call - before) relay.kill();
  });
  const options = relayOptions(wire.url, receiver.url, await store());
  const dies = death && 'place' in death ? death : undefined;
  const relay = await startKillableRelay({ config: testConfig(options), ...(dies ? { dies } : {}) });
  await story.prepare(relay.url);
  relay.count();
  before = calls;
  await story.run(relay.url).catch(() => undefined);
  if (!relay.isDead()) await Promise.race([relay.exited, pause(AFTERWORK_MS)]);
  const end = async (): Promise<void> => {
    relay.kill();
    await relay.exited;
    await wire.close();
  };
  return { relay, options, calls: () => calls - before, end };
}

/** A relay's options that make it ask about what is unknown at once. */
export function relayOptions(gatewayUrl: string, receiverUrl: string, store = newFile()) {
  const resolve = { first_ms: 20, max_ms: 50, absent_ms: 150 };
  return { gatewayUrl, folder: '', timeoutMs: 2000, config: { resolve, store, ...withReceiver(receiverUrl) } };
}

function newFile(): string {
  return `sqlite:${join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db')}`;
}

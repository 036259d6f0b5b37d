import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { startReceiver } from '../../support/http/receiver.ts';
import { startTestRelay, testConfig } from '../../support/relays/relay.ts';
import { MINUTE_MS, relayOptions, survivesDeaths } from './kill-points.ts';
import { startKillableRelay } from './killed-relay.ts';
import { stories } from './stories.ts';
import { startBooks } from './watched-gateway.ts';

describe('when a relay is killed while it refunds', () => {
  it('nothing is lost, nothing is done twice', { timeout: 180_000 }, () => survivesDeaths(stories['a refund']));
});

describe('when a relay is killed while many pay, refund and pay out at once', () => {
  it('nothing is lost, nothing is done twice', { timeout: 180_000 }, async () => {
    const books = await startBooks();
    const receiver = await startReceiver();
    const options = relayOptions(books.url, receiver.url);
    const all = Array.from({ length: 6 }, () => Object.values(stories).map((storyOf) => storyOf(books))).flat();
    for (const afterMs of [0, 40, 160]) {
      const relay = await startKillableRelay({ config: testConfig(options) });
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

import { describe, it } from 'vitest';
import { operations } from '../../../shared/gateway/operations.ts';
import { startReceiver } from '../../support/http/receiver.ts';
import { startTestRelay, testConfig } from '../../support/relays/relay.ts';
import { sharedPostgres } from '../../support/stores/postgres.ts';
import { testsAll } from '../../support/tests-all.ts';
import { MINUTE_MS, newFile, relayOptions, survivesDeaths } from './deaths.ts';
import { startKillableRelay } from './killed-relay.ts';
import { stories } from './stories.ts';
import { startBooks, startWire } from './watched-gateway.ts';

/** The story of a payment with every place of a kill; `npm run test:all` adds a refund on the other store. */
describe('a killed relay loses nothing, and repeats nothing', () => {
  it('while a shopper pays, on SQLite', () =>
    survivesDeaths(stories['a shopper pays'], { path: operations.direct_payment.path, store: async () => newFile() }));

  it.runIf(testsAll)('while it refunds, on PostgreSQL', async () => {
    const postgres = await sharedPostgres();
    await survivesDeaths(stories['a refund'], { path: operations.refund.path, store: () => postgres.database() });
  });
});

it('a relay killed during many payments, refunds and payouts loses none', async () => {
  const [books, receiver] = await Promise.all([startBooks(), startReceiver()]);
  let booked = async (): Promise<void> => undefined;
  const wire = await startWire(books.url, async (_path, phase) => {
    if (phase === 'booked') await booked();
    return true;
  });
  const options = relayOptions(wire.url, receiver.url);
  const all = Array.from({ length: 4 }, () => Object.values(stories).map((storyOf) => storyOf(books))).flat();
  const before = await startTestRelay(options);
  await Promise.all(all.map((story) => story.prepare(before.url)));
  await before.stop();
  for (const calls of [3, 6]) {
    const relay = await startKillableRelay({ config: testConfig(options) });
    let left = calls;
    booked = async () => {
      left -= 1;
      if (left === 0) await relay.kill();
    };
    await Promise.all([relay.exited, ...all.map((story) => story.run(relay.url).catch(() => undefined))]);
  }
  booked = async () => undefined;
  const last = await startTestRelay({ ...options, now: () => new Date(Date.now() + MINUTE_MS) });
  await Promise.all(all.map((story) => story.run(last.url)));
  await Promise.all(all.map((story) => story.check(last.url, receiver.received)));
});

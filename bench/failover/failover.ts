import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../test/support/http/free-port.ts';
import { startPostgresPair } from '../../test/support/postgres-pair.ts';
import { until } from '../../test/support/time/until.ts';
import { atMost, type Benchmark } from '../harness/report.ts';
import { relaySettings } from '../harness/settings.ts';
import { compareBooks } from './books.ts';
import { startGatewayAndShop } from './gateway-and-shop.ts';
import { hasNginx, startNginx } from './nginx.ts';
import { gapOf, hasFailed, isOtherFailure, type Phase, phaseRow, requestsIn } from './phases.ts';
import { relayProcess } from './relay-process.ts';
import { startShoppers } from './shoppers.ts';

const SHOPPERS = 8;
const STEADY_MS = 4000;

/** The time between a failure and the reaction of the operator, who promotes the standby or starts the relay again. */
const REACTION_MS = 3000;

/** The time without the standby. */
const STANDBY_AWAY_MS = 8000;

/** The gateway's time limit, after which the relay queries the outcomes of a killed relay's requests. */
const GATEWAY_MS = 3000;

/**
 * Two relays behind nginx on a primary with a synchronous standby, under load: what clients see of restarts and failures, and
 * whether the gateway, the relay and the shop agree in the end.
 */
export const failover: Benchmark = async (say) => {
  if (!hasNginx()) return { rows: [], aims: [], notes: ['Not measured: nginx or openssl is not installed.'] };
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-failover-'));
  const pair = await startPostgresPair({ fsync: true });
  const { gateway, port: gatewayPort, received, close } = await startGatewayAndShop();

  const [port, otherPort] = [await freePort(), await freePort()];
  const nginx = await startNginx([port, otherPort]);
  const settings = {
    ...relaySettings({ store: await pair.database(), gatewayPort, webhooks: 'delivered', timeoutMs: GATEWAY_MS }),
    public_url: nginx.url,
    resolve: { first_ms: 500, max_ms: 2000, absent_ms: 10_000 },
  };
  const relays = [
    relayProcess('one', port, settings, folder),
    relayProcess('other', otherPort, settings, folder),
  ] as const;
  const [one] = relays;
  for (const relay of relays) await relay.start();
  const shoppers = startShoppers(nginx.url, SHOPPERS);
  const phases: Phase[] = [];
  const phase = async (what: string, work: () => Promise<void>): Promise<Phase> => {
    say(what);
    const from = performance.now();
    // Waits for requests of the phase before, because a failure caused by this event would count there.
    await shoppers.answered(from);
    await work();
    await setTimeout(STEADY_MS);
    const ended = { what, from, to: performance.now() };
    phases.push(ended);
    return ended;
  };

  try {
    await phase('nothing happens', async () => {});
    const restarts = await phase('rolling restart (SIGTERM), three times', async () => {
      for (let time = 0; time < 3; time++) {
        for (const relay of relays) {
          await relay.stop();
          await relay.start();
        }
      }
    });
    await phase('kill -9 of a relay', async () => {
      await one.kill();
      await setTimeout(REACTION_MS);
      await one.start();
    });
    await phase(`the standby is away for ${STANDBY_AWAY_MS / 1000} s`, async () => {
      await pair.standby.stop();
      await setTimeout(STANDBY_AWAY_MS);
      await pair.standby.start();
    });
    const promotion = await phase(`kill -9 of the primary, promotion after ${REACTION_MS / 1000} s`, async () => {
      pair.primary.crash();
      await setTimeout(REACTION_MS);
      await pair.promote();
      await until('a relay is ready', async () => (await fetch(`${one.url}/readyz`)).status === 200);
    });
    say('waiting for the last visits');
    await shoppers.stop();
    say('comparing the books');
    const differences = await compareBooks(gateway, shoppers.visits, received, shoppers.send);
    const { lost, twice, waiting, webhooks, replays, unsettled } = differences;
    for (const line of [...lost, ...twice, ...waiting, ...webhooks, ...replays]) say(line);
    const { requests } = shoppers;
    return {
      rows: phases.map((phase) => phaseRow(phase, requests)),
      aims: [
        atMost('payments and refunds lost', lost.length, 0),
        atMost('payments and refunds made twice', twice.length, 0),
        atMost('sessions that are not settled in the end', unsettled, 0),
        atMost('refunds that are not settled in the end', waiting.length, 0),
        atMost('webhooks missing, or repeated by another event', webhooks.length, 0),
        atMost('repetitions answered otherwise', replays.length, 0),
        atMost('requests that failed in rolling restarts', requestsIn(restarts, requests).filter(hasFailed).length, 0),
        atMost('failures but 503 with Retry-After', requests.filter(isOtherFailure).length, 0),
        atMost('gap of the promotion', gapOf(promotion, requests) / 1000, 15, ' s'),
        atMost(
          'slowest answer meanwhile',
          Math.max(...requestsIn(promotion, requests).map(({ ms }) => ms)) / 1000,
          6,
          ' s',
        ),
      ],
      notes: [
        `${shoppers.visits.length} visits by ${SHOPPERS} shoppers at once: a session, its payment, a refund, and each request once more with its Idempotency-Key; ${gateway.payments.list().length} payments and ${gateway.books.refunds.list().length} refunds at the gateway, ${received.length} webhooks delivered.`,
        `An operator promotes the standby ${REACTION_MS / 1000} s after the primary was killed; that is part of the gap.`,
        'The gap is the longest time in which no payment was approved. PostgreSQL with fsync; each commit waits for the standby while there is one.',
      ],
    };
  } finally {
    await shoppers.stop();
    await shoppers.close();
    await nginx.stop();
    await Promise.all(relays.map((relay) => relay.kill()));
    close();
    await pair.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

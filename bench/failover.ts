import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { createGateway } from '../sandbox/gateway/gateway.ts';
import { freePort } from '../test/support/http/free-port.ts';
import { startPostgresPair } from '../test/support/postgres-pair.ts';
import { until } from '../test/support/time/until.ts';
import { compareBooks } from './failover/books.ts';
import { hasNginx, startNginx } from './failover/nginx.ts';
import { askedIn, gapOf, hasFailed, isWrong, type Phase, row } from './failover/phases.ts';
import { relayProcess } from './failover/relays.ts';
import { startShoppers } from './failover/shoppers.ts';
import type { ReceivedWebhook } from './failover/webhooks.ts';
import { atMost, type Benchmark } from './harness/report.ts';
import { benchAccount, relaySettings } from './harness/settings.ts';

const SHOPPERS = 8;
const STEADY_MS = 4000;

/** How long whoever watches the primary takes until he promotes the standby. */
const NOTICED_MS = 3000;

/** How long the standby is away. */
const AWAY_MS = 8000;

/** The gateway's time limit: what a relay had sent when it was killed is looked for after that. */
const GATEWAY_MS = 3000;

const webhook = z.object({ type: z.string(), data: z.object({ id: z.string().default('') }) });

/**
 * Two relays behind nginx on a primary with a synchronous standby, under load: what clients see of restarts and failures,
 * and whether the gateway's books and the relay's agree after all of them.
 */
export const failover: Benchmark = async (say) => {
  if (!hasNginx()) return { rows: [], targets: [], notes: ['Not measured: nginx or openssl is not installed.'] };
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-failover-'));
  const pair = await startPostgresPair({ fsync: true });
  const told: ReceivedWebhook[] = [];
  const gateway = createGateway({ merchants: [benchAccount], publicUrl: () => `http://127.0.0.1:${gatewayPort}` });
  const server = createServer((req, res) => {
    if (req.url !== '/webhooks') return gateway.app(req, res);
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { type, data } = webhook.parse(JSON.parse(body));
      told.push({ id: String(req.headers['webhook-id']), type, subject: data.id, body });
      res.end();
    });
  });
  const gatewayPort = await freePort();
  await new Promise<void>((done) => server.listen(gatewayPort, '127.0.0.1', done));

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
    // A request that began before is not cut by this event: its failure would count in the phase before.
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
      await setTimeout(NOTICED_MS);
      await one.start();
    });
    await phase(`the standby is away for ${AWAY_MS / 1000} s`, async () => {
      await pair.standby.stop();
      await setTimeout(AWAY_MS);
      await pair.standby.start();
    });
    const promotion = await phase(`kill -9 of the primary, promotion after ${NOTICED_MS / 1000} s`, async () => {
      pair.primary.crash();
      await setTimeout(NOTICED_MS);
      await pair.promote();
      await until('a relay is ready', async () => (await fetch(`${one.url}/readyz`)).status === 200);
    });
    say('every visit comes to its end');
    await shoppers.stop();
    say('the books are compared');
    const differences = await compareBooks(gateway, shoppers.visits, told, shoppers.send);
    const { lost, twice, waiting, webhooks, replays, unsettled } = differences;
    for (const line of [...lost, ...twice, ...waiting, ...webhooks, ...replays]) say(line);
    const { seen } = shoppers;
    return {
      rows: phases.map((phase) => row(phase, seen)),
      targets: [
        atMost('payments and refunds lost', lost.length, 0),
        atMost('payments and refunds made twice', twice.length, 0),
        atMost('sessions that are not settled in the end', unsettled, 0),
        atMost('refunds that are not settled in the end', waiting.length, 0),
        atMost('webhooks missing, or told by another event again', webhooks.length, 0),
        atMost('repetitions answered otherwise', replays.length, 0),
        atMost('requests that failed in rolling restarts', askedIn(restarts, seen).filter(hasFailed).length, 0),
        atMost('failures but 503 with Retry-After', seen.filter(isWrong).length, 0),
        atMost('gap of the promotion', gapOf(promotion, seen) / 1000, 15, ' s'),
        atMost('slowest answer meanwhile', Math.max(...askedIn(promotion, seen).map(({ ms }) => ms)) / 1000, 6, ' s'),
      ],
      notes: [
        `${shoppers.visits.length} visits by ${SHOPPERS} shoppers at once: a session, its payment, a refund, and each request once more with its Idempotency-Key; ${gateway.payments.list().length} payments and ${gateway.books.refunds.list().length} refunds at the gateway, ${told.length} webhooks delivered.`,
        `Whoever watches the primary promotes the standby ${NOTICED_MS / 1000} s after the primary was killed; that is part of the gap.`,
        'The gap is the longest time in which no payment was approved. PostgreSQL with fsync; each commit waits for the standby while there is one.',
      ],
    };
  } finally {
    await shoppers.stop();
    await shoppers.close();
    await nginx.stop();
    await Promise.all(relays.map((relay) => relay.kill()));
    server.close();
    server.closeAllConnections();
    await pair.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

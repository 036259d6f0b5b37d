import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { compareBooks } from '../../bench/failover/books.ts';
import { startGatewayAndShop } from '../../bench/failover/gateway-and-shop.ts';
import { startNginx } from '../../bench/failover/nginx.ts';
import { gapOf, hasFailed, isOtherFailure, type Phase, requestsIn } from '../../bench/failover/phases.ts';
import { startShoppers } from '../../bench/failover/shoppers.ts';
import { relaySettings } from '../../bench/harness/settings.ts';
import { freePort } from '../support/http/free-port.ts';
import { until } from '../support/time/until.ts';
import { hasPatroni, startCluster } from './patroni-cluster.ts';

/**
 * `node test/rehearsals/patroni.ts`: shoppers pay and refund at two relays behind nginx, the primary is killed with its Patroni, and no person
 * does anything. Prints what clients saw, and compares the books of the gateway, the relays and the shop. Ends with 1 unless payments are
 * approved again within 30 s, and nothing is lost or made twice.
 */
const SHOPPERS = 4;
const STEADY_MS = 10_000;
const AGAIN_MS = 30_000;

/** The gateway's time limit, after which the relay queries outcomes that the store did not take. */
const GATEWAY_MS = 10_000;

const say = (line: string): void => console.log(line);

async function rehearse(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-patroni-relays-'));
  say('starting etcd and two servers with Patroni');
  const cluster = await startCluster();
  const { gateway, port: gatewayPort, received, close } = await startGatewayAndShop();
  const ports = [await freePort(), await freePort()] as const;
  const nginx = await startNginx(ports);
  const relaySettingsHere = {
    ...relaySettings({ store: cluster.address, gatewayPort, webhooks: 'delivered', timeoutMs: GATEWAY_MS }),
    public_url: nginx.url,
    resolve: { first_ms: 500, max_ms: 2000, absent_ms: 10_000 },
  };
  const relays = ports.map((port) => supervised(port, relaySettingsHere, folder));
  for (const port of ports) {
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('a relay is ready', isReady, 10 * 60_000);
  }
  const shoppers = startShoppers(nginx.url, SHOPPERS);
  try {
    say('shoppers pay');
    await setTimeout(STEADY_MS);
    const from = performance.now();
    const killed = await cluster.killPrimary();
    say(`killed the primary (${killed}) with its Patroni`);
    const approvedSince = () => shoppers.requests.some(({ paid, at }) => paid === 'approved' && at > from);
    while (!approvedSince() && performance.now() - from < 4 * AGAIN_MS) await setTimeout(100);
    await setTimeout(STEADY_MS);
    const lost: Phase = { what: 'primary lost', from, to: performance.now() };
    say(`starting ${killed} again, which follows the new primary`);
    await cluster.start(killed);
    await cluster.isWhole();
    say('both servers are whole again');
    await shoppers.stop();
    const differences = await compareBooks(gateway, shoppers.visits, received, shoppers.send);
    const requests = requestsIn(lost, shoppers.requests);
    const gap = gapOf(lost, shoppers.requests);
    const { lost: missing, twice, waiting, webhooks, replays, unsettled } = differences;
    say(`${shoppers.visits.length} visits, ${received.length} webhooks`);
    say(
      `after the kill: ${requests.length} requests, ${requests.filter((one) => hasFailed(one) && !isOtherFailure(one)).length} answered with 503 and`,
    );
    say(
      `  Retry-After, ${requests.filter(isOtherFailure).length} failed otherwise; no payment was approved for ${(gap / 1000).toFixed(1)} s`,
    );
    for (const [what, lines] of Object.entries({ missing, twice, waiting, webhooks, replays })) {
      say(`${what}: ${lines.length}`);
      for (const line of lines) say(`  ${line}`);
    }
    say(`unsettled: ${unsettled}`);
    return gap <= AGAIN_MS && missing.length + twice.length + webhooks.length + replays.length + unsettled === 0;
  } finally {
    await shoppers.stop();
    await shoppers.close();
    await nginx.stop();
    for (const relay of relays) relay.end();
    close();
    cluster.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A relay that is started again whenever it ends, as systemd does. */
function supervised(port: number, settings: object, folder: string): { end(): void } {
  const path = join(folder, `${port}.json`);
  writeFileSync(path, JSON.stringify({ ...settings, listen: { port } }), { mode: 0o600 });
  const log = openSync(join(folder, `${port}.log`), 'a');
  const [cwd, env] = [join(import.meta.dirname, '../..'), { ...process.env, TURNPIKE_CONFIG: path }];
  let isEnding = false;
  let child: ChildProcess | undefined;
  const start = (): void => {
    if (isEnding) return;
    child = spawn(process.execPath, ['relay/main.ts'], { cwd, env, stdio: ['ignore', log, log] });
    child.once('exit', start);
  };
  const end = (): void => {
    isEnding = true;
    child?.kill('SIGKILL');
  };
  process.once('exit', end);
  start();
  return { end };
}

// What it started ends with it.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
if (!hasPatroni()) {
  say('Not rehearsed: install Debian’s packages patroni, etcd-server and postgresql.');
} else {
  const isMet = await rehearse();
  say(isMet ? 'met' : 'NOT met');
  process.exit(isMet ? 0 : 1);
}

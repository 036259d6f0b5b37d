import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { hasNginx, startNginx } from '../../../bench/failover/nginx.ts';
import { type RelayOptions, type RelayProcess, relayProcess } from '../../../bench/failover/relay-process.ts';
import type { ReceivedWebhook } from '../../../bench/failover/webhooks.ts';
import { createGateway, type Gateway } from '../../../sandbox/gateway/gateway.ts';
import { createVerifier } from '../../../webhooks/index.ts';
import { freePort } from '../../support/http/free-port.ts';
import { bodyOf, serve, type TestServer } from '../../support/http/http-server.ts';
import { type PostgresPair, startPostgresPair } from '../../support/postgres-pair.ts';
import { startPostgres, type TestPostgres } from '../../support/stores/postgres.ts';
import { type Cluster, startCluster } from './patroni-cluster.ts';

/** The set-up of a rehearsal. Two relays are behind nginx; a single one gets its requests directly. */
export type StageOptions = {
  store: 'sqlite' | 'postgres' | 'pair' | 'patroni';
  relays: 1 | 2;
  /** Runs before the relays start, and returns a function that cleans up. */
  prepare?: () => Promise<() => Promise<void>>;
  /** Wraps the gateway, such as to lose its answers. */
  gateway?: (app: RequestListener) => RequestListener;
  /** Further settings of the relays. */
  settings?: (gatewayPort: number) => Record<string, unknown>;
  /** Options of each relay's process; `folder` is the folder of the rehearsal. */
  relay?: (folder: string) => RelayOptions;
};

/** A server that can be stopped (`away`) and started again at the same port (`back`). */
type Away = { port: number; away(): Promise<void>; back(): Promise<void> };

/** The running relays, and the servers that they use. */
export type Stage = {
  folder: string;
  /** The address for clients: of nginx or of the single relay. */
  url: string;
  /** The relays' configuration without their ports, and the account in it. */
  settings: Record<string, unknown>;
  account: ReturnType<typeof accountOf>;
  relays: readonly [RelayProcess, ...RelayProcess[]];
  gateway: Gateway & Away & { signWith(secret: string): void };
  shop: Shop & Away;
  postgres?: TestPostgres;
  pair?: PostgresPair;
  cluster?: Cluster;
  /** The address of the store, and the file with this address that the relays read. */
  store: string;
  storeFile: string;
  close(): Promise<void>;
};

/** The shop's receiver of webhooks. */
type Shop = {
  received: readonly ReceivedWebhook[];
  /** The number of webhooks without a signature of an accepted secret. */
  refused(): number;
  /** Replaces the secrets that the shop accepts. */
  accept(...secrets: string[]): void;
};

/** The API key of the clients at the start, and the hash of a key for the relays' settings. */
export const FIRST_KEY = 'first-key-of-a-rehearsal';
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** The secrets of the account: the one that signs messages to the gateway, and the one that signs webhooks. */
export const SIGNING_SECRET = 'a signing secret of the rehearsals';
export const webhookSecret = (text: string): string => `whsec_${Buffer.from(text.padEnd(32, '.')).toString('base64')}`;
export const FIRST_WEBHOOK_SECRET = webhookSecret('first');

/** The time limit of the gateway: shorter than the default of 30 s to shorten rehearsals, but long enough for a busy machine. */
const GATEWAY_MS = 10_000;

const MERCHANT = { merchant_id: '100001', account_id: '200001' };

/** Starts all servers and relays, and waits until the relays are ready. */
export async function startStage({
  store,
  relays,
  prepare,
  gateway: before = (app) => app,
  settings: more,
  relay,
}: StageOptions): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-rehearsal-'));
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const one of closing.toReversed()) await one();
  };
  try {
    if (prepare) closing.push(await prepare());
    const merchants = [{ ...MERCHANT, signing_secret: SIGNING_SECRET }];
    const gateway = createGateway({ merchants, publicUrl: () => `http://127.0.0.1:${gatewayServer.port}` });
    const gatewayServer = await canGoAway(before(gateway.app));
    const shop = createShop();
    const shopServer = await canGoAway(shop.app);
    closing.push(gatewayServer.away, shopServer.away);

    const pair = store === 'pair' ? await startPostgresPair() : undefined;
    const postgres = store === 'postgres' ? await startPostgres() : pair?.primary;
    const cluster = store === 'patroni' ? await startCluster() : undefined;
    closing.push(() => (cluster ?? pair ?? postgres)?.close());
    const sqlite = `sqlite:${join(folder, 'store', 'turnpike.db')}`;
    const address = cluster?.address ?? (await (pair ?? postgres)?.database()) ?? sqlite;

    const ports = await Promise.all(Array.from({ length: relays }, freePort));
    const [port = 0, otherPort = 0] = ports;
    const nginx = relays === 2 ? await behindNginx([port, otherPort]) : undefined;
    if (nginx) closing.push(nginx.stop);
    const url = nginx?.url ?? `http://127.0.0.1:${port}`;
    const storeFile = join(folder, 'store-address');
    writeFileSync(storeFile, address);
    const settings = {
      ...settingsOf(url, storeFile, gatewayServer.port, shopServer.port),
      ...more?.(gatewayServer.port),
    };
    const started = ports.map((own, at) => relayProcess(`relay-${at + 1}`, own, settings, folder, relay?.(folder)));
    const [first, ...others] = started;
    if (!first) throw new Error('there is no relay');
    closing.push(() => Promise.all(started.map((one) => one.kill())));
    // The first relay creates the tables of the store.
    await first.start();
    await Promise.all(others.map((one) => one.start()));
    return {
      ...{
        folder,
        url,
        settings,
        account: accountOf(`http://127.0.0.1:${shopServer.port}`),
        relays: [first, ...others],
        store: address,
        storeFile,
        close,
      },
      gateway: {
        ...gateway,
        ...gatewayServer,
        signWith: (secret) => void merchants.splice(0, 1, { ...MERCHANT, signing_secret: secret }),
      },
      shop: { ...shop, ...shopServer },
      ...(postgres && { postgres }),
      ...(pair && { pair }),
      ...(cluster && { cluster }),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function behindNginx(ports: readonly [number, number]): ReturnType<typeof startNginx> {
  if (!hasNginx()) throw new Error('needs nginx and openssl: apt-get install nginx openssl');
  return startNginx(ports);
}

function settingsOf(url: string, storeFile: string, gatewayPort: number, shopPort: number): Record<string, unknown> {
  const shop = `http://127.0.0.1:${shopPort}`;
  return {
    public_url: url,
    trust_proxy: ['127.0.0.1'],
    store: { file: storeFile },
    gateway: { base_url: `http://127.0.0.1:${gatewayPort}`, timeout_ms: GATEWAY_MS },
    webhooks: { allow_private: true },
    resolve: { first_ms: 500, max_ms: 2000, absent_ms: 10_000 },
    limits: {
      attempts_per_ip_per_hour: 1_000_000,
      attempts_per_card_per_hour: 1_000_000,
      attempts_per_account_per_minute: 10_000_000,
    },
    accounts: [accountOf(shop)],
  };
}

/** The account with its secrets at the start; `shop` is the address of the shop. */
function accountOf(shop: string) {
  return {
    ...{ id: 'shop', name: 'Rehearsal', ...MERCHANT, signing_secret: SIGNING_SECRET },
    allowed_origins: [shop],
    api_keys: [{ name: 'first', sha256: hashOf(FIRST_KEY), scopes: ['*'] }],
    webhook: { url: `${shop}/webhooks`, secrets: [FIRST_WEBHOOK_SECRET] },
  };
}

/** A server that can be stopped and started again. A stop also closes its open connections. */
async function canGoAway(listener: RequestListener): Promise<Away> {
  let server: TestServer | undefined = await serve(listener, await freePort());
  const { port } = server;
  return {
    port,
    async away() {
      await server?.close();
      server = undefined;
    },
    async back() {
      server ??= await serve(listener, port);
    },
  };
}

const webhook = z.object({ type: z.string(), data: z.object({ id: z.string().default('') }) });

function createShop(): Shop & { app: RequestListener } {
  const received: ReceivedWebhook[] = [];
  let refused = 0;
  let verify = createVerifier({ secrets: [FIRST_WEBHOOK_SECRET] });
  return {
    received,
    refused: () => refused,
    accept(...secrets) {
      verify = createVerifier({ secrets });
    },
    async app(req, res) {
      const body = await bodyOf(req);
      const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
      try {
        await verify(body, headers);
      } catch {
        refused += 1;
        res.writeHead(401).end();
        return;
      }
      const { type, data } = webhook.parse(JSON.parse(body));
      received.push({ id: String(req.headers['webhook-id']), type, subject: data.id, body });
      res.end();
    },
  };
}

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import { BOOKS_FILE, demoMerchant, type Part, parts } from './demo.ts';
import { createGateway } from './gateway/gateway.ts';
import { HISTORY_MS, makeHistory } from './history/history.ts';
import { checkFree, HOST, type Listening, listen, portOf } from './listen.ts';
import { relayConfig, SECRET_VARIABLE, WEBHOOK_SECRET_VARIABLE } from './relay-config.ts';
import { type RelayProcess, startRelay } from './relay-process.ts';
import { createShop } from './shop/shop.ts';

export type StackOptions = {
  env: NodeJS.ProcessEnv;
  /** The checkout's folder; the two paths below are relative to it. */
  root: string;
  relayEntry: string;
  dataDir: string;
  errors: NodeJS.WritableStream;
  beside?: Beside | undefined;
  /** Whether a relay with a console and without a store has a month of orders to begin with. */
  hasHistory?: boolean;
  /** Tells people what takes a while. */
  say?: (line: string) => void;
};

/** Another server of the shop's, which may hold the checkout too. */
export type Beside = {
  part: Part;
  /** What it is, for people. */
  title: string;
  /** True for a server that receives the webhooks, at `/webhooks`, instead of the shop. */
  hearsWebhooks?: boolean;
  createApp(relay: Surroundings): { app: RequestListener };
};

/** What a server of the shop's needs; addresses are asked for at each request. */
type Surroundings = { relayUrl: () => string; ownUrl: () => string; apiKey: string; webhookSecret: string };

export type Stack = {
  urls: { shop: string; gateway: string; relay: string; beside?: string | undefined };
  /** The shop's API key for people who want to try the API themselves: `TURNPIKE_API_KEY`, or a new one with each start. */
  apiKey: string;
  /** Where the relay sends webhooks, and the secret that signs them: `TURNPIKE_WEBHOOK_SECRET`, or a new one with each start. */
  webhooks: { url: string; secret: string };
  /** Of the demo person at the relay's console, new with each start; undefined if the console is not built. */
  password: string | undefined;
  /** Whether the relay's store is an earlier start's, whose orders this gateway does not know. */
  hasLostBooks: boolean;
  /** Settles when the relay ends, with how it ended. */
  relayEnded: Promise<string>;
  stop(): Promise<void>;
};

/**
 * Starts the gateway, the example shop and the relay, on loopback. What was started is stopped again when a part cannot
 * start. Throws CannotStart.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { beside } = options;
  const ports = {
    relay: portOf(parts.relay, options.env),
    gateway: portOf(parts.gateway, options.env),
    shop: portOf(parts.shop, options.env),
    beside: beside ? portOf(beside.part, options.env) : 0,
  };
  await checkFree(ports.relay, parts.relay);
  await using started = new AsyncDisposableStack();

  const { dataDir } = options;
  const hasConsole = existsSync(join(options.root, 'dist/console/manifest.json'));
  const isNew = !existsSync(resolve(options.root, dataDir, 'turnpike.db'));
  const startedAgoMs = options.hasHistory && hasConsole && isNew ? HISTORY_MS : 0;
  const booksFile = resolve(options.root, dataDir, BOOKS_FILE);
  // A new relay uses order numbers that older books may hold.
  if (isNew) await rm(booksFile, { force: true });
  const hasLostBooks = !isNew && !existsSync(booksFile);
  const {
    app: gatewayApp,
    clock,
    closeBooks,
  } = createGateway({
    merchants: [demoMerchant],
    publicUrl: () => gateway.url,
    now: () => new Date(Date.now() - startedAgoMs),
    answers: { payment_codes: 'each_state' },
    booksFile,
  });
  started.defer(closeBooks);
  const gateway: Listening = await listen(gatewayApp, ports.gateway, parts.gateway);
  started.defer(() => gateway.close());

  // Those from outside are for people whose own shop uses them, and whose tests sign webhooks too.
  const apiKey = options.env.TURNPIKE_API_KEY || randomBytes(32).toString('base64url');
  const webhookSecret = options.env.TURNPIKE_WEBHOOK_SECRET || `whsec_${randomBytes(32).toString('base64')}`;
  const password = hasConsole ? randomBytes(9).toString('base64url') : undefined;
  let relay: RelayProcess | undefined;
  const relayUrl = () => relay?.url ?? `http://${HOST}:${ports.relay}`;
  const { app: shopApp } = createShop({
    relayUrl,
    shopUrl: () => shop.url,
    apiKey,
    webhookSecret,
    testCardsUrl: () => `${gateway.url}/cards`,
  });
  const shop: Listening = await listen(shopApp, ports.shop, parts.shop);
  started.defer(() => shop.close());
  const ownUrl = () => other?.url ?? '';
  const otherApp = beside?.createApp({ relayUrl, ownUrl, apiKey, webhookSecret }).app;
  const other: Listening | undefined = beside && otherApp && (await listen(otherApp, ports.beside, beside.part));
  started.defer(async () => other?.close());

  const webhookUrl =
    options.env.SHOP_WEBHOOK_URL || `${(beside?.hearsWebhooks ? other : undefined)?.url ?? shop.url}/webhooks`;
  const config = relayConfig({
    port: ports.relay,
    gatewayUrl: gateway.url,
    shopPort: shop.port,
    besidePort: other?.port,
    webhookUrl,
    apiKey,
    password,
    dataDir,
    origins: originsIn(options.env),
  });
  const secrets = {
    [SECRET_VARIABLE]: demoMerchant.signing_secret,
    [WEBHOOK_SECRET_VARIABLE]: webhookSecret,
  };
  if (startedAgoMs > 0) {
    const start = (webhookUrl: string, preload: string): Promise<RelayProcess> =>
      configuredRelay(options, withWebhooksTo(webhookUrl, config), secrets, preload);
    options.say?.('Making a month of orders for the console, this once …');
    // A console with fewer orders is better than none.
    await makeHistory({ start, apiKey, gatewayUrl: gateway.url, clock }).catch(() => undefined);
  }
  relay = await configuredRelay(options, config, secrets);
  const { url, ended, stop } = relay;
  started.defer(stop);

  const running = started.move();
  return {
    urls: { shop: shop.url, gateway: gateway.url, relay: url, beside: other?.url },
    apiKey,
    webhooks: { url: webhookUrl, secret: webhookSecret },
    password,
    hasLostBooks,
    relayEnded: ended,
    stop: () => running.disposeAsync(),
  };
}

/** The origins that the environment names beside the shop's own. The relay refuses to start, and says why, where one is none. */
function originsIn({ SHOP_ORIGINS = '' }: NodeJS.ProcessEnv): string[] {
  return SHOP_ORIGINS.split(/\s+/).flatMap((origin) => (origin ? [origin.replace(/\/$/, '')] : []));
}

type RelayConfig = ReturnType<typeof relayConfig>;

function withWebhooksTo(url: string, config: RelayConfig): RelayConfig {
  return {
    ...config,
    accounts: config.accounts.map((account) => ({ ...account, webhook: { ...account.webhook, url } })),
  };
}

async function configuredRelay(
  options: StackOptions,
  config: RelayConfig,
  secrets: Record<string, string>,
  preload?: string,
): Promise<RelayProcess> {
  const { env, root, relayEntry, errors } = options;
  const dataDir = resolve(root, options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, 'relay.json');
  await writeFile(file, `${JSON.stringify(config, undefined, 2)}\n`);
  return startRelay({
    entry: relayEntry,
    preload,
    root,
    env: { ...env, TURNPIKE_CONFIG: file, ...secrets },
    logFile: join(dataDir, 'relay.log'),
    errors,
  });
}

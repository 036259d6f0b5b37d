import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import { BOOKS_FILE, demoMerchant, type Part, parts } from './demo.ts';
import { lockFolder } from './folder-lock.ts';
import { createGateway } from './gateway/gateway.ts';
import { addMonth, needsMonth, STORE_FILE } from './history/month.ts';
import { checkFree, HOST, type Listening, listen, portOf } from './listen.ts';
import { relayConfig, SECRET_VARIABLE, WEBHOOK_SECRET_VARIABLE } from './relay-config.ts';
import { type RelayProcess, startRelay } from './relay-process.ts';
import { createShop } from './shop/shop.ts';

export type StackOptions = {
  env: NodeJS.ProcessEnv;
  /** The folder of the checkout. The two paths below are relative to it. */
  root: string;
  relayEntry: string;
  dataDir: string;
  errors: NodeJS.WritableStream;
  beside?: Beside | undefined;
  /**
   * Which relay with a console gets a month of orders, which is made in the background: one without a store, or any one
   * without a month.
   */
  monthFor?: 'new_store' | 'any_store' | undefined;
  /** The API key, if the environment has none. */
  apiKey?: string;
  /** Reports the progress of the month. */
  say?: (line: string) => void;
};

/** A further server of the shop, which may contain the checkout. */
export type Beside = {
  part: Part;
  /** Its name for people. */
  title: string;
  /** True for a server that receives the webhooks, at `/webhooks`, in place of the shop. */
  hearsWebhooks?: boolean;
  createApp(relay: Surroundings): { app: RequestListener };
};

/** The addresses and secrets for a server of the shop, which reads the addresses at each request. */
type Surroundings = { relayUrl: () => string; ownUrl: () => string; apiKey: string; webhookSecret: string };

export type Stack = {
  urls: { shop: string; gateway: string; relay: string; beside?: string | undefined };
  /** The shop's API key for developers who try the API, from the environment or new with each start. */
  apiKey: string;
  /**
   * The address of the webhooks' receiver, and the secret that signs them, from the environment or new with each start.
   */
  webhooks: { url: string; secret: string };
  /** The variables with the key and the secret. Their values are never printed. */
  variables: { apiKey: string | undefined; webhookSecret: string | undefined };
  /** The password of the demo person at the console, new with each start; undefined if the console is not built. */
  password: string | undefined;
  /** Whether the relay's store is from an earlier start, whose orders this gateway does not know. */
  hasLostBooks: boolean;
  /** Settles when the month of orders is complete, or could not be made; undefined without a month. */
  month: Promise<void> | undefined;
  /** Settles when the relay ends, with the reason. */
  relayEnded: Promise<string>;
  stop(): Promise<void>;
};

/**
 * Starts the gateway, the example shop and the relay on loopback. If a part cannot start, the others are stopped again.
 * Throws CannotStart.
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

  const { dataDir, say = () => undefined } = options;
  const hasConsole = existsSync(join(options.root, 'dist/console/manifest.json'));
  const folder = resolve(options.root, dataDir);
  await mkdir(folder, { recursive: true });
  started.use(lockFolder(folder));
  const isNew = !existsSync(join(folder, STORE_FILE));
  const isMonthWanted = options.monthFor !== undefined && hasConsole && needsMonth(folder, options.monthFor);
  if (options.monthFor === 'any_store' && !isMonthWanted) say(whyNoMonth(hasConsole));
  const booksFile = join(folder, BOOKS_FILE);
  // The order numbers of a new relay may already be in older records.
  if (isNew) await rm(booksFile, { force: true });
  const hasLostBooks = !isNew && !existsSync(booksFile);
  const {
    app: gatewayApp,
    closeBooks,
    saveBooks,
    addBooks,
  } = createGateway({
    merchants: [demoMerchant],
    publicUrl: () => gateway.url,
    answers: { payment_codes: 'each_state' },
    booksFile,
  });
  started.defer(closeBooks);
  // A store without records of the gateway has lost them: a new store begins with empty records.
  if (isNew) saveBooks();
  const gateway: Listening = await listen(gatewayApp, ports.gateway, parts.gateway);
  started.defer(() => gateway.close());

  // Those from the environment are for developers whose own shop uses them, and whose tests sign webhooks, too.
  const key = givenIn(options.env, 'API_KEY');
  const secret = givenIn(options.env, 'WEBHOOK_SECRET');
  const apiKey = key?.value ?? options.apiKey ?? randomBytes(32).toString('base64url');
  const webhookSecret = secret?.value ?? `whsec_${randomBytes(32).toString('base64')}`;
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
  const config = {
    port: ports.relay,
    gatewayUrl: gateway.url,
    shopPort: shop.port,
    besidePort: other?.port,
    webhookUrl,
    apiKey,
    password,
    dataDir,
    origins: originsIn(options.env),
  };
  const secrets = {
    [SECRET_VARIABLE]: demoMerchant.signing_secret,
    [WEBHOOK_SECRET_VARIABLE]: webhookSecret,
  };
  const relayEnded = Promise.withResolvers<string>();
  const run = async (settings: typeof config): Promise<RelayProcess> => {
    const one = await configuredRelay(options, settings, secrets);
    relay = one;
    void one.ended.then((how) => relay === one && relayEnded.resolve(how));
    return one;
  };
  const { url } = await run(config);
  started.defer(async () => relay?.stop());
  const stopping = new AbortController();
  const month = isMonthWanted
    ? addMonth({
        ...{ dataDir: folder, apiKey, url, addBooks, say, signal: stopping.signal },
        start: (own, preload) => configuredRelay(options, { ...config, ...own, port: 0 }, secrets, preload),
        withoutRelay: async (work) => {
          const one = relay;
          relay = undefined;
          await one?.stop();
          try {
            work();
          } finally {
            // The same address, also if any free port was requested.
            await run({ ...config, port: Number(new URL(url).port) }).catch(() => relayEnded.resolve('no start'));
          }
        },
      })
    : undefined;
  started.defer(async () => {
    stopping.abort();
    await month;
  });

  const running = started.move();
  return {
    urls: { shop: shop.url, gateway: gateway.url, relay: url, beside: other?.url },
    apiKey,
    webhooks: { url: webhookUrl, secret: webhookSecret },
    variables: { apiKey: key?.variable, webhookSecret: secret?.variable },
    password,
    hasLostBooks,
    month,
    relayEnded: relayEnded.promise,
    stop: () => running.disposeAsync(),
  };
}

/** A key or secret from the environment, and its variable: the sandbox's own one, or that of clients and receivers. */
function givenIn(env: NodeJS.ProcessEnv, name: string): { variable: string; value: string } | undefined {
  for (const variable of [`SANDBOX_${name}`, `TURNPIKE_${name}`]) {
    const value = env[variable];
    if (value) return { variable, value };
  }
  return undefined;
}

function whyNoMonth(hasConsole: boolean): string {
  return `No month of orders is made: ${hasConsole ? 'this folder has one' : 'the console is not built'}.`;
}

/** The further origins of the shop from the environment. If one is invalid, the relay refuses to start and says why. */
function originsIn({ SHOP_ORIGINS = '' }: NodeJS.ProcessEnv): string[] {
  return SHOP_ORIGINS.split(/\s+/).flatMap((origin) => (origin ? [origin.replace(/\/$/, '')] : []));
}

/** Starts a relay with its own data folder. A relay that preloads a module works in the background. */
async function configuredRelay(
  { env, root, relayEntry, errors }: StackOptions,
  settings: Parameters<typeof relayConfig>[0],
  secrets: Record<string, string>,
  preload?: string,
): Promise<RelayProcess> {
  const dataDir = resolve(root, settings.dataDir);
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, 'relay.json');
  await writeFile(file, `${JSON.stringify(relayConfig(settings), undefined, 2)}\n`, { mode: 0o600 });
  // A file of an earlier start keeps its mode.
  await chmod(file, 0o600);
  return startRelay({
    entry: relayEntry,
    preload,
    isInBackground: preload !== undefined,
    root,
    env: { ...env, [parts.relay.variable]: String(settings.port), TURNPIKE_CONFIG: file, ...secrets },
    logFile: join(dataDir, 'relay.log'),
    errors,
  });
}

import { copyFileSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { createLog } from '../../../relay/base/log.ts';
import { checkConfig } from '../../../relay/config/load.ts';
import type { ConsolePage } from '../../../relay/console/page.ts';
import { type Assets, loadAssets } from '../../../relay/pages/assets.ts';
import { startRelay } from '../../../relay/server.ts';
import { openStore } from '../../../relay/store/open.ts';
import type { Clock } from '../../../relay/store/postgres/server/database.ts';
import type { Store } from '../../../relay/store/store.ts';
import { until } from '../time/until.ts';

export const account = { merchant_id: '100001', account_id: '200001', signingSecret: 'k3y-for-tests' };
export const apiKey = 'test-key-with-every-scope';
export const queryOnlyKey = 'test-key-that-may-only-query';
export const otherAccountKey = 'test-key-of-another-account';
export const shopOrigin = 'http://127.0.0.1:8082';

/** The options of a test's relay; everything else is the same for all. */
export type Options = {
  /** Further settings of the account `demo`. */
  account?: Record<string, unknown>;
  gatewayUrl: string;
  /** Settings that replace the defaults, by their top-level name. */
  config?: Record<string, unknown>;
  /** The time limit for the gateway's answers; tests of timeouts use a short one. */
  timeoutMs?: number;
  profile?: Record<string, unknown>;
  folder?: string;
  now?: () => Date;
  /** Its monotonic clock, if it does not follow `now`. */
  monotonic?: () => number;
  /**
   * The clock that decides what is due and leased in PostgreSQL: in production, the server's. With `callers`, a test
   * can move it.
   */
  decides?: Clock;
  /** The browser parts; the default is those in `dist`. */
  assets?: Assets;
  consolePage?: ConsolePage;
};

/** Tests pay repeatedly with one card from one address. */
export const manyAttempts = {
  attempts_per_ip_per_hour: 1_000_000,
  attempts_per_card_per_hour: 1_000_000,
  attempts_per_account_per_minute: 1_000_000,
};

/** A JSON answer of the relay. */
export type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string };

/** The configuration of a test's relay, as in a file. Its store is an SQLite file in `folder`. */
export function testConfig(options: Options & { folder: string }): Record<string, unknown> {
  return {
    listen: { port: 0 },
    // A busy client may send a request just when the server closes its idle connection.
    server: { idle_ms: 600_000 },
    public_url: 'http://127.0.0.1:0',
    store: `sqlite:${join(options.folder, 'turnpike.db')}`,
    gateway: { base_url: options.gatewayUrl, timeout_ms: options.timeoutMs ?? 20_000, profile: options.profile ?? {} },
    issuer: { allow_private: true, timeout_ms: 2000 },
    limits: manyAttempts,
    accounts: [
      {
        id: 'demo',
        merchant_id: account.merchant_id,
        account_id: account.account_id,
        signing_secret: account.signingSecret,
        name: 'Demo Shop',
        allowed_origins: [shopOrigin],
        return_urls: [`${shopOrigin}/`, 'demoapp://paid'],
        api_keys: [
          { name: 'all', sha256: sha256(apiKey), scopes: ['*'] },
          { name: 'query', sha256: sha256(queryOnlyKey), scopes: ['query'] },
        ],
        ...options.account,
      },
      {
        id: 'other',
        merchant_id: '100002',
        account_id: '200002',
        signing_secret: 'another secret',
        allowed_origins: ['https://other.example'],
        api_keys: [{ name: 'all', sha256: sha256(otherAccountKey), scopes: ['*'] }],
      },
    ],
    ...options.config,
    // Approvals are confirmed after a week, and paid orders are not queried later: most tests cover neither.
    resolve: { confirm_ms: 604_800_000, paid_days: [], ...(options.config?.resolve ?? { first_ms: 100, max_ms: 500 }) },
  };
}

/** The open store of each address, and the number of relays of this process that use it. */
const stores = new Map<string, { store: Store; relays: number }>();

/** A store that relays of one test share, as relays in production share a PostgreSQL: an SQLite file has one owner. */
async function sharedStore(address: string, decides?: Clock): Promise<Store> {
  const shared = stores.get(address) ?? { store: await openStore(address, undefined, decides), relays: 0 };
  stores.set(address, shared);
  shared.relays += 1;
  let isClosed = false;
  return {
    ...ownFacets(shared.store),
    async close() {
      if (isClosed) return;
      isClosed = true;
      shared.relays -= 1;
      if (shared.relays > 0) return;
      stores.delete(address);
      await shared.store.close();
    },
  };
}

/** The store with separate facet objects: other relays do not see methods that a test replaces. */
function ownFacets(store: Store): Store {
  return {
    ...store,
    orders: { ...store.orders },
    sessions: { ...store.sessions },
    operations: { ...store.operations },
    approvals: { ...store.approvals },
    outbox: { ...store.outbox },
    keys: { ...store.keys },
    notifications: { ...store.notifications },
    quotas: { ...store.quotas },
    people: { ...store.people },
    credentials: { ...store.credentials },
    listing: { ...store.listing },
    stats: { ...store.stats },
  };
}

let empty: Promise<string> | undefined;

/** A folder with the SQLite file of a new store, with its tables: copying a file takes less time than creating one. */
async function newFolder(): Promise<string> {
  const make = async (): Promise<string> => {
    const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'empty.db');
    await (await openStore(`sqlite:${path}`)).close();
    return path;
  };
  empty ??= make();
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
  copyFileSync(await empty, join(folder, 'turnpike.db'));
  return folder;
}

let built: Promise<Assets> | undefined;

/** The browser parts of `dist`, which relays of this process share. */
function builtAssets(): Promise<Assets> {
  built ??= loadAssets(join(import.meta.dirname, '../../../dist'));
  return built;
}

/** Starts a relay with a real SQLite file on a free port, for one test. */
export async function startTestRelay(options: Options) {
  const hasOwnStore = options.config?.store !== undefined;
  const folder = options.folder ?? (hasOwnStore ? mkdtempSync(join(tmpdir(), 'turnpike-')) : await newFolder());
  const config = checkConfig(testConfig({ ...options, folder }), {});
  const logLines: string[] = [];
  const log = createLog('trace', { write: (line: string) => void logLines.push(line) });
  const assets = options.assets ?? (await builtAssets());
  const store = await sharedStore(config.store, options.decides);
  let ahead = 0;
  const now = options.now ?? (() => new Date(Date.now() + ahead));
  const monotonic = options.monotonic ?? (() => now().getTime());
  const relay = await startRelay({ config, store, assets, consolePage: options.consolePage, log, now, monotonic });
  onTestFinished(async () => void (await relay.stop()));

  const answers: string[] = [];
  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`${relay.url}${path}`, { redirect: 'manual', ...init });
    const text = await response.text();
    answers.push(JSON.stringify([...response.headers]), text);
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : {}, text };
  };
  const sending =
    (method: 'POST' | 'PATCH') =>
    (path: string, bearer: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
      send(path, {
        method,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
  const post = sending('POST');
  const get = (path: string, bearer?: string): Promise<Answer> =>
    send(path, bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } });

  return {
    ...relay,
    folder,
    logLines,
    /** Every header and body that the relay sent. */
    answers,
    /** The bytes of every file that the relay wrote. */
    files: () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1')),
    send,
    post,
    patch: sending('PATCH'),
    get,
    /** Creates a session and returns its answer's body. */
    async session(body: object = {}) {
      const answer = await post('/v1/sessions', apiKey, { order: { ...order(), ...orderIn(body) }, ...without(body) });
      if (answer.status !== 201) throw new Error(`no session: ${answer.text}`);
      return {
        id: String(answer.body.id),
        secret: String(answer.body.client_secret),
        checkoutUrl: String(answer.body.checkout_url),
        orderNo: String(answer.body.order_no),
      };
    },
    pay: (secret: string, body: object) => post('/checkout/api/pay', secret, body),
    /** Advances the relay's clock, if the test has no clock of its own. */
    pass: (ms: number) => {
      ahead += ms;
    },
    /**
     * Returns the shopper from the issuer's page and returns the relay's answer. Without a decisive record the relay
     * queries for a minute; its clock is advanced between its queries.
     */
    async comeBack(id: string): Promise<Answer> {
      let isBack = false;
      const back = get(`/return/${id}`).finally(() => {
        isBack = true;
      });
      const queriesSinceReturn = async (): Promise<number> => {
        const session = await store.sessions.get(id);
        const order = session && (await store.orders.get(session.account, session.order_no));
        const attempt = order?.attempts.findLast(({ session_id }) => session_id === id);
        const isNoted = attempt?.state.status === 'redirected' && attempt.state.returned_at !== undefined;
        return isNoted ? (attempt.clear?.queries ?? 0) : 0;
      };
      for (const [queries, ms] of [
        [1, 2000],
        [2, 58_000],
      ] as const) {
        await until('the relay queried', async () => isBack || (await queriesSinceReturn()) >= queries);
        if (!isBack) ahead += ms;
      }
      return back;
    },
    truth: async (id: string) => (await get(`/v1/sessions/${id}`, apiKey)).body,
    /** Waits until the status in the shop's view of a session is none of these. */
    async settled(id: string, ...waiting: string[]) {
      let body: Answer['body'] = {};
      await until(`session ${id} settled`, async () => {
        body = (await get(`/v1/sessions/${id}`, apiKey)).body;
        return !waiting.includes(String(body.status));
      });
      return body;
    },
  };
}

export type TestRelay = Awaited<ReturnType<typeof startTestRelay>>;

let orders = 0;

/** A minimal order with a unique number. */
export function order(): { order_no: string; currency: string; amount: string } {
  orders += 1;
  return { order_no: `T-${process.pid}-${orders}`, currency: 'BRL', amount: '129.90' };
}

/** A published test card, as the form sends it. */
export const card = {
  card: '4111111111111111',
  expiration_month: '12',
  expiration_year: '2030',
  security_code: '737',
  first_name: 'Ada',
  last_name: 'Byron',
};

function orderIn(body: object): object {
  return 'order' in body && typeof body.order === 'object' && body.order ? body.order : {};
}

function without(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'order'));
}

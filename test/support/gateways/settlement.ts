import { beforeAll, expect } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { openStore } from '../../../relay/store/open.ts';
import type { Clock } from '../../../relay/store/postgres/server/database.ts';
import { startReceiver, withReceiver } from '../http/receiver.ts';
import { apiKey, card, order, otherAccountKey, queryOnlyKey, startTestRelay } from '../relays/relay.ts';
import { sharedPostgres } from '../stores/postgres.ts';
import { testsAll } from '../tests-all.ts';
import { until } from '../time/until.ts';
import { methods, pix, redirection } from './issuer.ts';
import { notifyPath } from './notified.ts';
import {
  approval,
  type Received,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from './scripted-gateway.ts';

type StoreKind = 'SQLite' | 'PostgreSQL';

/**
 * The stores of tests of concurrency, and of what a store finds and counts: PostgreSQL, and with `npm run test:all` SQLite, too. That
 * both behave alike is tested in `test/store`, with generated histories.
 */
export const stores: readonly StoreKind[] = testsAll ? ['SQLite', 'PostgreSQL'] : ['PostgreSQL'];

/** The store of all other tests. */
export const oneStore = ['SQLite'] as const;

/** The setting of a new, empty store. Without one a relay has a separate SQLite file. */
type NewStore = () => Promise<{ store?: string }>;

let madeStore: Promise<string> | undefined;

/** The address of a new store on the PostgreSQL of this process, with its tables. */
async function newPostgresStore(): Promise<string> {
  const postgres = await sharedPostgres();
  const make = async (): Promise<string> => {
    const address = await postgres.database();
    await (await openStore(address)).close();
    return address;
  };
  madeStore ??= make();
  return postgres.database(await madeStore);
}

/** Starts what a kind of store needs, for the tests of one `describe`. */
export function storesOf(kind: StoreKind): NewStore {
  if (kind === 'SQLite') return async () => ({});
  beforeAll(async () => void (await sharedPostgres()));
  return async () => ({ store: await newPostgresStore() });
}

/** The poller queries every tenth of a second. */
export const quick = { first_ms: 20, max_ms: 100 };

/** The poller queries nothing for an hour: any result comes from another query. */
export const patient = { first_ms: 3_600_000, max_ms: 3_600_000 };

export const YEAR_MS = 31_536_000_000;

/** A time in the format of the gateway's records: YYYYMMDDHHMMSS in UTC. */
export function bookDate(agoMs = 0): string {
  return new Date(Date.now() - agoMs).toISOString().replace(/\D/g, '').slice(0, 14);
}

/** The gateway's records. A payment_status means: 3000 approved, 4100 declined, 2000 pending, any other nothing. */
class Books {
  records: Record<string, unknown>[] = [];

  /** Writes the record of a transaction, dated now, replacing an earlier one. */
  write(order_no: string, transaction_id: string, payment_status: string, more: Record<string, unknown> = {}): void {
    const defaults = { amount: '129.90', currency: 'BRL', transaction_date: bookDate() };
    this.records = this.records.filter((one) => one.order_no !== order_no || one.transaction_id !== transaction_id);
    this.records.push({ order_no, transaction_id, payment_status, ...defaults, ...more });
  }

  of(orderNos: readonly string[]): Record<string, unknown>[] {
    return this.records.filter((record) => orderNos.includes(String(record.order_no)));
  }
}

/** What the gateway does with a payment. */
export const paymentAnswers = {
  lost: (_received, res) => void res.destroy(),
  redirected: (received, res) => sendXml(res, signedXml(redirection(received, 'http://127.0.0.1:9/'))),
  declined: (received, res) =>
    sendXml(res, signedXml({ ...approval(received), transaction_id: 'T1', order_status: '0', result_info: '2001:no' })),
} satisfies Record<string, Script>;

export const approvedAs =
  (transaction_id: string): Script =>
  (received, res) =>
    sendXml(res, signedXml({ ...approval(received), transaction_id }));

export const refusedWith =
  (status: number): Script =>
  (_received, res) =>
    void res.writeHead(status).end('Invalid input');

/** The orders that a query names. */
export function ordersOf({ message }: Received): string[] {
  return String(message.orders).split(',');
}

/** A relay on a store, with a gateway whose records the test writes and a shop that receives its webhooks. */
export async function setUpSettlement(newStore: NewStore, options: SettlementOptions = {}) {
  const shop = await startReceiver();
  const books = new Books();
  const gateway = await scriptedGateway((received, res, req) => {
    if (received.path === '/v1/authorise') scripts.pay(received, res, req);
    else scripts.query(received, res, req);
  });
  const scripts: { pay: Script; query: Script } = {
    pay: (received, res, req) => {
      const script: Script = received.message.payment_method ? paymentAnswers.redirected : paymentAnswers.lost;
      script(received, res, req);
    },
    query: (received, res) => sendRecords(res, books.of(ordersOf(received))),
  };
  const { accounts, ...config } = withReceiver(shop.url);
  const keys = accounts.map((account) => ({
    ...account,
    return_urls: [...account.return_urls, 'demoapp://paid'],
    api_keys: [...account.api_keys, { name: 'query', sha256: sha256(queryOnlyKey), scopes: ['query'] }],
  }));
  const other = {
    ...{ id: 'other', merchant_id: '100002', account_id: '200002', signing_secret: 'another secret' },
    allowed_origins: ['https://other.example'],
    api_keys: [{ name: 'all', sha256: sha256(otherAccountKey), scopes: ['*'] }],
  };
  const settings = {
    ...config,
    ...(await newStore()),
    accounts: [...keys, other],
    resolve: { ...quick, ...options.resolve },
    ...options.config,
  };
  const start = (more: { timeoutMs?: number; folder?: string; now?: () => Date } = {}) =>
    startTestRelay({
      gatewayUrl: gateway.url,
      config: settings,
      profile: {
        codes: { payment_status: { approved: ['3000'], declined: ['4100'], pending: ['2000'] } },
        ...options.profile,
      },
      timeoutMs: options.timeoutMs ?? 20_000,
      ...(options.now ? { now: options.now } : {}),
      ...(options.monotonic ? { monotonic: options.monotonic } : {}),
      ...(options.decides ? { decides: options.decides } : {}),
      ...more,
    });
  const relay = await start();
  const queriesOf = (orderNo: string) => gateway.queried().filter((received) => ordersOf(received).includes(orderNo));

  return {
    shop,
    books,
    gateway,
    /** What the gateway does with payments and queries. A test may change it. */
    scripts,
    relay,
    /** Starts another relay on the same PostgreSQL, or, with `folder`, on the same SQLite file. */
    start,
    queriesOf,
    /** A session that accepts cards and Pix. */
    session: (body: object = {}) => relay.session({ ...methods, return_url: 'demoapp://paid', ...body }),
    /** Another session of an order, or a problem. */
    sessionOf: (order_no: string, more: object = {}) =>
      relay.post('/v1/sessions', apiKey, { order: { ...order(), order_no, ...more } }),
    byCard: (secret: string, more: object = {}) => relay.pay(secret, { ...card, ...more }),
    byPix: (secret: string) => relay.pay(secret, pix),
    view: async (secret: string) => (await relay.get('/checkout/api/session', secret)).body,
    /**
     * The shopper returns from the issuer and waits; returns the status in the address to which they are redirected.
     */
    async comeBack(id: string) {
      const { headers } = await relay.comeBack(id);
      return new URL(String(headers.get('location'))).searchParams.get('status');
    },
    /** The gateway notifies about a session's payment. Throws if the relay does not acknowledge it. */
    async notify(id: string) {
      const { status, text } = await relay.send(notifyPath(relay, id), { method: 'POST' });
      if (status !== 200) throw new Error(`not acknowledged: ${status} ${text}`);
    },
    settle: (id: string, body: object, key = apiKey) => relay.post(`/v1/sessions/${id}/settle`, key, body),
    reconcile: (orderNo: string, key = apiKey) => relay.post(`/v1/orders/${orderNo}/reconcile`, key, {}),
    /** Waits until this many queries about an order that begin after this call are applied. */
    async waitForQueries(orderNo: string, queries = 2) {
      const before = queriesOf(orderNo).length;
      await until(`order ${orderNo} is queried`, () => queriesOf(orderNo).length > before + queries);
    },
    /** Waits until the shop's view of a session matches, and returns it. */
    async becomes(id: string, expected: object) {
      await expect.poll(() => relay.truth(id), { interval: 20 }).toMatchObject(expected);
      return relay.truth(id);
    },
    /** Waits until the shop has received this many webhooks of a session, and returns their types. */
    async webhooksOf(id: string, count: number) {
      const of = () => shop.received.filter(({ data }) => data.id === id);
      await until(`${count} webhooks of ${id}`, () => of().length >= count);
      return of().map(({ type }) => type);
    },
  };
}

type SettlementOptions = {
  resolve?: object;
  config?: Record<string, unknown>;
  profile?: Record<string, unknown>;
  timeoutMs?: number;
  now?: () => Date;
  /** The relay's monotonic clock, if it does not follow `now`. */
  monotonic?: () => number;
  /** The clock that PostgreSQL uses: `callers` if the test lets time pass. */
  decides?: Clock;
};

export type Settlement = Awaited<ReturnType<typeof setUpSettlement>>;

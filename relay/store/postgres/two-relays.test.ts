import { Client } from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  at,
  delivered,
  event,
  ids,
  operation,
  processing,
  refund,
  sent,
  session,
  starting,
} from '../../../test/store/fixtures.ts';
import { testContext } from '../../../test/support/stores/context.ts';
import { sharedPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import { findOrders } from '../../orders/find.ts';
import type { Quota } from '../../payments/attempt.ts';
import type { OrderPayment } from '../../payments/order.ts';
import type { Describe } from '../facets/listing.ts';
import type { Begun } from '../facets/operations.ts';
import type { OrderWritten } from '../facets/orders.ts';
import { listing } from '../sql/listing.ts';
import type { Store } from '../store.ts';
import { postgresSql } from './driver.ts';
import { LIST_LOCK, listParts } from './listing.ts';
import { openPostgres } from './open.ts';
import { CALL_MS } from './server/connections.ts';
import { openDatabase } from './server/database.ts';

const quota = (name: Quota['name'], key: string, max: number): Quota => ({ name, key, max, window_ms: 60_000 });

/** So many things of each kind of answer. */
function counts(answers: readonly (OrderWritten | Begun)[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { kind } of answers) found[kind] = (found[kind] ?? 0) + 1;
  return found;
}

type Work = (store: Store, transactionId: string) => Promise<OrderWritten | Begun>;

/** Says for a person that a transaction paid an order of its own. */
async function settle(store: Store, transaction_id: string): Promise<OrderWritten> {
  const before = await store.orders.get('demo', `paid by ${transaction_id}`);
  const payments: OrderPayment[] = [{ transaction_id, amount: '10.00', currency: 'BRL', proof: 'person', date: at(0) }];
  return store.orders.write({ before, after: { ...before, payments }, events: [] });
}

/** Refunds a transaction. */
function refundOf(store: Store, transaction_id: string): Promise<Begun> {
  operations += 1;
  return store.operations.begin(operation(`op_${operations}`), [refund(1000n, 1000n, 'BRL', transaction_id)]);
}

/** Who waits for a lock of an application's own. */
const WAITING = `SELECT 1 FROM pg_locks JOIN pg_database ON oid = database
  WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`;

/** A connection that updates the list of orders, until it commits. */
async function lockList(address: string): Promise<Client> {
  const other = new Client({ connectionString: address });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('BEGIN');
  await other.query('SELECT pg_advisory_xact_lock($1)', [LIST_LOCK]);
  return other;
}

let payments = 0;
let operations = 0;

/** Starts an attempt of an order of its own. */
async function start(store: Store, counted: readonly Quota[], second = 0): Promise<OrderWritten> {
  payments += 1;
  const id = `${payments}`;
  const one = session(`cs_${id}`, `order ${id}`);
  const before = await store.orders.get('demo', one.order_no);
  return store.orders.write({
    ...starting(before, one, `at_${id}`, at(second)),
    quotas: { counted, at: at(second) },
  });
}

describe('two relays on one PostgreSQL, at the same moment,', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });

  /** Two stores on a database whose own settings would not do. */
  const openBoth = async (): Promise<Store[]> => {
    const address = await postgres.database();
    const name = new URL(address).pathname.slice(1);
    await postgres.query(address, `ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`);
    const stores = await Promise.all([openPostgres(address), openPostgres(address)]);
    for (const store of stores) onTestFinished(() => store.close());
    return stores;
  };
  const onBoth = <Result>(stores: Store[], times: number, work: (store: Store, i: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: times }, (_, i) => stores.map((store) => work(store, i))).flat());

  it('count the attempts with one card together', async () => {
    const stores = await openBoth();
    for (const second of [0, 60, 120]) {
      const quotas = [quota('card', 'a card', 10), quota('account', 'account', 1000)];
      const answers = await onBoth(stores, 40, (store) => start(store, quotas, second));
      expect(counts(answers)).toEqual({ written: 10, limited: 70 });
    }
  });

  it('give a reference to one operation', async () => {
    const stores = await openBoth();
    for (let round = 0; round < 5; round++) {
      const references = (i: number) => (i % 2 ? [`a${round}`, `b${round}`] : [`b${round}`, `a${round}`]);
      const answers = await onBoth(stores, 10, (store, i) => {
        operations += 1;
        return store.operations.begin(operation(`op_ref_${operations}`, { references: references(i) }), []);
      });
      expect(counts(answers)).toEqual({ begun: 1, reference_used: 19 });
    }
  });

  it('count the attempts of one account together, whatever pays', async () => {
    const stores = await openBoth();
    const quotas = (i: number) => [quota('card', `card ${i % 7}`, 9), quota('account', 'account', 25)];
    expect(counts(await onBoth(stores, 40, (store, i) => start(store, quotas(i))))).toEqual({
      written: 25,
      limited: 55,
    });
  });

  it('let one attempt of each order begin, and count that alone', async () => {
    const stores = await openBoth();
    const sessions = Array.from({ length: 8 }, (_, i) => session(`cs_o${i}`, `held ${i}`));
    for (const one of sessions) await stores[0]?.sessions.create(one);
    const counted = [quota('card', 'a card', 9)];
    const answers = await onBoth(stores, 40, async (store, i) => {
      const one = sessions[i % sessions.length] ?? session('none');
      const before = { ...(await store.orders.get('demo', one.order_no)), version: 0, attempts: [], sessions: [one] };
      payments += 1;
      return store.orders.write({ ...starting(before, one, `at_${payments}`), quotas: { counted, at: at(0) } });
    });
    const { written, changed = 0, limited = 0 } = counts(answers);
    expect({ written, refused: changed + limited }).toEqual({ written: 8, refused: 72 });
    for (const { order_no } of sessions) {
      const orders = await Promise.all(stores.map((store) => store.orders.get('demo', order_no)));
      for (const order of orders) expect(order).toMatchObject({ version: 1, hold: 'held', attempts: [{ order_no }] });
    }
    for (const store of stores) {
      expect(await store.quotas.check([quota('card', 'a card', 9)], at(1))).toBeUndefined();
      expect(await store.quotas.check([quota('card', 'a card', 8)], at(1))).toMatchObject({ kind: 'limited' });
    }
  });

  it('refund no payment beyond what was paid', async () => {
    const stores = await openBoth();
    const answers = await onBoth(stores, 20, (store, i) => {
      operations += 1;
      const refunds = ['S', `P${i % 3}`].map((id) => refund(70n, 1000n, 'BRL', id));
      return store.operations.begin(operation(`op_${operations}`), refunds);
    });
    expect(counts(answers)).toEqual({ begun: 14, refund_exceeds_payment: 26 });
    expect(await stores[0]?.operations.refundsOf('demo', ['S'])).toHaveLength(14);
  });

  it.each<[string, Work, Work]>([
    ['refunds', refundOf, refundOf],
    ['settlements', settle, settle],
    ['a settlement and a refund', settle, refundOf],
  ])('know a transaction under one spelling, by %s', async (_, one, other) => {
    const [first, second] = await openBoth();
    if (!first || !second) throw new Error('there are no two stores');
    for (let round = 0; round < 24; round++) {
      // As many as race in different ways: one by itself, and more in a batch.
      const numbers = Array.from({ length: 1 + (round % 8) }, (_, n) => `${round}-${n}`);
      const pairs = numbers.map((n) => Promise.all([one(first, `TX-${n}`), other(second, `tx-${n}`)]));
      for (const answers of await Promise.all(pairs)) {
        const { begun = 0, written = 0, other_form } = counts(answers);
        expect([begun + written, other_form]).toEqual([1, 1]);
      }
    }
  });

  it('leave the list of orders to the one that updates it', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    onTestFinished(() => store.close());
    await store.sessions.create(session('cs_list', 'listed'));
    const describe: Describe = { order: () => undefined, operation: () => [] };
    const other = await lockList(address);
    expect(await store.listing.refresh(10, describe, 'skip')).toBe(0);
    const waiting = store.listing.refresh(10, describe, 'wait');
    await expect.poll(() => postgres.query(address, WAITING)).toHaveLength(1);
    await other.query('COMMIT');
    expect(await waiting).toBe(1);
    await store.sessions.create(session('cs_next', 'next'));
    expect(await store.listing.refresh(10, describe, 'skip')).toBe(1);
  });

  it('get the list back from one that hangs as it reads', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const db = openDatabase(address);
    onTestFinished(async () => void (await Promise.all([store.close(), db.close()])));
    await store.sessions.create(session('cs_hung', 'hung'));
    const settings: unknown[] = [];
    const setting = { name: 'setting', text: "SELECT current_setting('tcp_user_timeout') AS ms" };
    const transactionLossy: typeof db.transactionLossy = (work) =>
      db.transactionLossy(async (run) => {
        const result = await work(run);
        settings.push(...(await run([setting])));
        return result;
      });
    const sql = postgresSql({ ...db, transactionLossy });
    expect(await listing(sql, listParts()).refresh(10, { order: () => undefined, operation: () => [] })).toBe(1);
    expect(settings).toEqual([[{ ms: `${CALL_MS}` }]]);
  });

  it('show in a page of orders what the other one just changed', async () => {
    const address = await postgres.database();
    const { store: unused, ...context } = await testContext();
    await unused.close();
    const store = await openPostgres(address);
    onTestFinished(() => store.close());
    await processing(store, 'cs_new', 'new');
    const other = await lockList(address);
    const page = findOrders({ ...context, store }, { account: 'demo', groups: [['all']], limit: 10 });
    await expect.poll(() => postgres.query(address, WAITING)).toHaveLength(1);
    await other.query('COMMIT');
    expect((await page).orders.map(({ order_no }) => order_no)).toEqual(['new']);
  });

  it('deliver each order’s webhooks once and in order of its changes', async () => {
    const stores = await openBoth();
    const orders = Array.from({ length: 5 }, (_, i) => `told ${i}`);
    const changes = 12;
    const tell = async (store: Store, order_no: string): Promise<void> => {
      for (;;) {
        const before = await store.orders.get('demo', order_no);
        if (before.version >= changes) return;
        const id = `${order_no}: ${String(before.version).padStart(2, '0')}`;
        await store.orders.write({ before, after: before, events: [event(id, order_no)] });
      }
    };
    const told = new Map<string, string[]>();
    const isDone = (): boolean => [...told.values()].flat().length >= orders.length * changes;
    const deliver = async (store: Store): Promise<void> => {
      while (!isDone()) {
        for (const claimed of await store.outbox.leaseDue('demo', 'default', at(60), at(120), 3)) {
          told.set(claimed.subject, [...(told.get(claimed.subject) ?? []), claimed.id]);
          await store.outbox.writeDelivery(sent(claimed), delivered);
        }
      }
    };
    await Promise.all(stores.flatMap((store) => [...orders.map((order) => tell(store, order)), deliver(store)]));
    for (const order of orders) {
      const all = Array.from({ length: changes }, (_, i) => `${order}: ${String(i).padStart(2, '0')}`);
      expect(told.get(order)).toEqual(all);
    }
    expect(ids((await stores[0]?.outbox.leaseDue('demo', 'default', at(60), at(120), 9)) ?? [])).toEqual([]);
  });
});

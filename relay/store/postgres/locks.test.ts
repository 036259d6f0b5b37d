import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { at, dueAt, lease, moved, notification, processing, session, starting } from '../../../test/store/fixtures.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import { until } from '../../../test/support/time/until.ts';
import { StoreError } from '../../base/errors.ts';
import { emptyOrder } from '../../payments/order.ts';
import { openPostgres } from './open.ts';

describe('a relay on PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  /** A store, and another relay's transaction that is under way on it. */
  const open = async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const other = new Client({ connectionString: address });
    await other.connect();
    onTestFinished(async () => {
      await other.end();
      await store.close();
    });
    const isWaiting = async (): Promise<boolean> => {
      const text = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      return (await postgres.query(address, text)).length > 0;
    };
    return { store, other, isWaiting };
  };

  it.each([
    ['the order', "UPDATE turnpike.orders SET version = version + 1 WHERE order_no = 'A'"],
    ['a session', "UPDATE turnpike.sessions SET version = version + 1, revision = 9 WHERE id = 'cs_1'"],
  ])('waits for another one that writes %s, and loses', async (_, text) => {
    const { store, other, isWaiting } = await open();
    const started = await processing(store, 'cs_1', 'A');
    const one = await moved(store, started, { status: 'open' }, () => ({ hold: 'free' }));
    const before = await store.orders.get('demo', 'A');
    await other.query('BEGIN');
    await other.query(text);
    const writing = store.orders.write(starting(before, one, 'at_2'));
    await until('the write waits', isWaiting);
    await other.query('COMMIT');
    expect(await writing).toEqual({ kind: 'changed' });
    expect((await store.orders.get('demo', 'A')).attempts).toEqual(before.attempts);
    expect((await store.sessions.get('cs_1'))?.state).toEqual({ status: 'open' });
  });

  it('waits for another one that makes the order, and loses', async () => {
    const { store, other, isWaiting } = await open();
    await store.sessions.create(session('cs_1'));
    const before = await store.orders.get('demo', 'A');
    await other.query('BEGIN');
    await other.query("INSERT INTO turnpike.orders (account, order_no, hold, version) VALUES ('demo', 'A', 'held', 1)");
    const writing = store.orders.write(starting(before, session('cs_1'), 'at_1'));
    await until('the write waits', isWaiting);
    await other.query('COMMIT');
    expect(await writing).toEqual({ kind: 'changed' });
    expect(await store.orders.get('demo', 'A')).toMatchObject({ version: 1, hold: 'held', attempts: [] });
  });

  it('gives up waiting after five seconds, on the server too', async () => {
    const { store, other, isWaiting } = await open();
    await processing(store, 'cs_1', 'A');
    const before = await store.orders.get('demo', 'A');
    await other.query('BEGIN');
    await other.query("SELECT 1 FROM turnpike.orders WHERE order_no = 'A' FOR UPDATE");
    const writing = store.orders.write({ before, after: before, events: [] });
    await expect(writing).rejects.toBeInstanceOf(StoreError);
    await until('no transaction waits any more', async () => !(await isWaiting()));
    await other.query('COMMIT');
    expect(await store.orders.get('demo', 'A')).toEqual(before);
  });

  it('delays no other orders while a transaction locks a few', async () => {
    const { store, other } = await open();
    const locked = ['A', 'B', 'C', 'D'];
    for (const name of locked) await processing(store, `cs_${name}`, name);
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM turnpike.orders FOR UPDATE');
    const before = await Promise.all(locked.map((name) => store.orders.get('demo', name)));
    const others = Array.from({ length: 40 }, (_, i) => session(`cs_${i}`, `${i}`));
    const orders = await Promise.all(others.map(({ order_no }) => store.orders.get('demo', order_no)));
    let ended = 0;
    const waiting = before.map((order) => store.orders.write({ before: order, after: order, events: [] }));
    for (const one of waiting)
      one.then(
        () => ended++,
        () => ended++,
      );
    const starts = others.map((one, i) =>
      store.orders.write(starting(orders[i] ?? emptyOrder('demo', one.order_no), one, `at_${i}`)),
    );
    for (const started of await Promise.all(starts)) expect(started).toEqual({ kind: 'written' });
    expect(ended).toBe(0);
    await other.query('COMMIT');
    for (const written of await Promise.all(waiting)) expect(written).toEqual({ kind: 'written' });
  });

  it('leases what no other one is taking, without waiting', async () => {
    const { store, other } = await open();
    await dueAt(store, 1, 2);
    await other.query('BEGIN');
    await other.query("SELECT 1 FROM turnpike.orders WHERE order_no = 'u1' FOR UPDATE");
    const due = await store.orders.leaseDue(lease(9, 60), ['demo'], at(9));
    expect(due).toEqual([{ account: 'demo', order_no: 'u2' }]);
    await other.query('COMMIT');
    expect(await store.orders.leaseDue(lease(9, 60), ['demo'], at(9))).toHaveLength(1);
  });

  it('locks the orders of notifications that name each other’s once', async () => {
    const address = await postgres.database();
    const stores = await Promise.all([openPostgres(address), openPostgres(address)]);
    const [first] = stores;
    if (!first) throw new Error('no store');
    await processing(first, 'cs_A', 'A');
    await processing(first, 'cs_B', 'B');
    const named = (own: string, order: string, body: string) => {
      const waiting = { due_at: at(0), notice: { verified: true, fields: {}, orders: [order], trades: [] } };
      return { ...notification(`cs_${own}`, 0, body), waiting };
    };
    const rounds = 100;
    for (let round = 0; round < rounds; round += 1) {
      const bodies = stores.flatMap((store, i) => {
        const body = `${round} ${i}`;
        return [store.notifications.add(named('A', 'B', body)), store.notifications.add(named('B', 'A', body))];
      });
      await Promise.all(bodies);
    }
    expect((await first.orders.get('demo', 'A')).notices).toBe(rounds * 4);
    // The server counts what a connection did once that ends.
    await Promise.all(stores.map((store) => store.close()));
    const text = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';
    await expect.poll(() => postgres.query(address, text)).toEqual([{ deadlocks: 0 }]);
  });
});

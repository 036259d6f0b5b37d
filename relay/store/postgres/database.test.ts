import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  at,
  delivered,
  earlierEvents,
  earlierListed,
  earlierOnPayments,
  earlierOperations,
  earlierOrders,
  earlierPlanned,
  event,
  facts,
  ids,
  laterRows,
  laterStep,
  next,
  operation,
  plannedOf,
  processing,
  refund,
  sendAll,
  session,
  stepsBefore,
  waiting,
} from '../../../test/store/fixtures.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import { StoreError } from '../../base/errors.ts';
import type { Session } from '../../payments/session.ts';
import { earlierPayments } from '../schema/earlier-payments.ts';
import { endpoints } from '../schema/endpoints.ts';
import { paymentOperations } from '../schema/payment-operations.ts';
import { newestVersion } from '../schema/schema.ts';
import { searchedOrders } from '../schema/searched-orders.ts';
import type { Step } from '../sql/plan.ts';
import { lock } from './driver.ts';
import { openMigrated, openPostgres } from './open.ts';
import { postgresSchema, postgresWords } from './schema/schema.ts';
import { openDatabase } from './server/database.ts';
import { serversOf } from './server/servers.ts';

describe('a PostgreSQL database', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  const open = async (address: string) => {
    const store = await openPostgres(address);
    onTestFinished(() => store.close());
    return store;
  };
  const connect = async () => {
    const address = await postgres.database();
    const db = openDatabase(address);
    onTestFinished(() => db.close());
    return { address, db };
  };

  it('is created once when several relays start at once', async () => {
    const address = await postgres.database();
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(address)));
    for (const [i, store] of stores.entries()) {
      expect(await store.sessions.create(session(`cs_${i}`, `${i}`))).toEqual({ kind: 'created' });
    }
    expect(await postgres.query(address, 'SELECT version FROM turnpike.migrations')).toEqual([
      { version: newestVersion(postgresSchema) },
    ]);
  });

  it('keeps everything after a restart of the relay and of the server', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const started = await processing(store, 'cs_1', 'A');
    await store.operations.begin(operation('op_1'), [refund(1000n)]);
    await store.outbox.add([event('a1', 'a'), event('a2', 'a')]);
    await store.close();
    await postgres.stop();
    await postgres.start();
    const again = await open(address);
    expect(await again.sessions.get('cs_1')).toEqual(started);
    expect(await again.sessions.create(session('cs_2'))).toEqual({ kind: 'order_in_progress' });
    expect(await again.operations.begin(operation('op_2'), [refund(1n)])).toMatchObject({ left: 0n });
    expect(ids(await again.outbox.leaseDue('demo', 'default', at(60), at(120), 10))).toEqual(['a1']);
  });

  it.each([
    [99, /newer version of Turnpike$/],
    [1, /development version .* set store to an empty one$/],
  ])('of version %i is refused, and told why', async (version, reason) => {
    const address = await postgres.database();
    await (await openPostgres(address)).close();
    await postgres.query(address, `UPDATE turnpike.migrations SET version = ${version}`);
    await expect(openPostgres(address)).rejects.toMatchObject({
      code: 'store_unavailable',
      cause: { message: expect.stringMatching(reason) },
    });
  });

  it('of the first version takes each later step once', async () => {
    const address = await postgres.database();
    await (await openMigrated(serversOf(address), 'callers', { ...postgresSchema, steps: [] })).close();
    const schema = { ...postgresSchema, steps: [...postgresSchema.steps, laterStep(postgresWords)] };
    for (const _ of ['the first start', 'the second']) {
      await (await openMigrated(serversOf(address), 'callers', schema)).close();
      const text = laterRows.text.replace('later', 'turnpike.later').replace('seq,', 'seq::int,');
      expect(await postgres.query(address, text)).toEqual(laterRows.rows);
      expect(await postgres.query(address, 'SELECT planned_at FROM turnpike.orders')).toEqual([]);
      expect(await postgres.query(address, 'SELECT version FROM turnpike.migrations')).toEqual([
        { version: newestVersion(schema) },
      ]);
    }
  });

  it('of an earlier version knows what operations did to payments', async () => {
    const address = await postgres.database();
    const before = { ...postgresSchema, steps: stepsBefore(postgresSchema, paymentOperations(postgresWords)) };
    await (await openMigrated(serversOf(address), 'callers', before)).close();
    for (const one of earlierOperations) {
      const values = [one.id, one.account, one.created_at, one.state.status, JSON.stringify(one)].map(
        (text) => `'${text}'`,
      );
      await postgres.query(
        address,
        `INSERT INTO turnpike.operations (id, account, created_at, status, data, version) VALUES (${values.join(', ')}, 1)`,
      );
    }
    const store = await open(address);
    expect(await store.operations.onPayments('demo', ['T'])).toEqual(earlierOnPayments);
  });

  it('of an earlier version sends what waits to the one endpoint', async () => {
    const address = await postgres.database();
    const before = { ...postgresSchema, steps: stepsBefore(postgresSchema, endpoints(postgresWords)) };
    await (await openMigrated(serversOf(address), 'callers', before)).close();
    for (const { columns, values } of earlierEvents) {
      const given = values.map((value) => (value === null ? 'NULL' : `'${value}'`));
      await postgres.query(address, `INSERT INTO turnpike.events (${columns.join(', ')}) VALUES (${given.join(', ')})`);
    }
    const store = await open(address);
    expect(await sendAll(store)).toEqual(['e1', 'e2']);
    const deliveries = [{ endpoint: 'default', delivery: delivered }];
    for (const id of ['e1', 'e2', 'e3']) {
      expect(await store.outbox.get('demo', id)).toEqual({ ...facts(id, 's'), delivery: delivered, deliveries });
    }
    // A relay of the version before names no endpoint.
    const row = { ...facts('old'), delivery: JSON.stringify({ status: 'pending', tries: 0, next_try_at: at(0) }) };
    await postgres.query(address, `SELECT turnpike.add_events('${JSON.stringify([row])}')`);
    expect(await sendAll(store)).toEqual(['old']);
  });

  it('of an earlier version has its payments queried, in turn', async () => {
    const address = await postgres.database();
    const before = { ...postgresSchema, steps: stepsBefore(postgresSchema, earlierPayments(postgresWords)) };
    await (await openMigrated(serversOf(address), 'callers', before)).close();
    const rows = earlierOrders.map(({ values }) => `('${values.join("', '")}')`);
    await postgres.query(address, `INSERT INTO turnpike.orders (account, order_no, hold) VALUES ${rows.join(', ')}`);
    expect(await plannedOf(await open(address))).toEqual(earlierPlanned);
  });

  it('of an earlier version lists its orders again, each once', async () => {
    const address = await postgres.database();
    const before = { ...postgresSchema, steps: stepsBefore(postgresSchema, searchedOrders(postgresWords)) };
    await (await openMigrated(serversOf(address), 'callers', before)).close();
    await postgres.query(address, earlierListed('turnpike.'));
    const store = await open(address);
    expect([await waiting(store), await waiting(store)]).toEqual([2, 0]);
  });

  it('that is made already needs no right to change tables', async () => {
    const address = await postgres.database();
    await (await openPostgres(address)).close();
    await postgres.query(
      address,
      `CREATE ROLE runner LOGIN PASSWORD 'runner'; GRANT USAGE ON SCHEMA turnpike TO runner;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA turnpike TO runner`,
    );
    const url = new URL(address);
    [url.username, url.password] = ['runner', 'runner'];
    const store = await open(url.href);
    await processing(store, 'cs_1');
    await store.outbox.add([event('e1')]);
    await expect(store.check()).resolves.toBeUndefined();
  });

  it('has its commits on disk and sees others’, whatever the server’s settings', async () => {
    const { address, db } = await connect();
    for (const setting of ["synchronous_commit = 'off'", "default_transaction_isolation = 'serializable'"]) {
      await postgres.query(address, `ALTER DATABASE ${new URL(address).pathname.slice(1)} SET ${setting}`);
    }
    const settings: Step = [
      {
        name: 'settings',
        text: `SELECT current_setting('synchronous_commit') AS commit, current_setting('transaction_isolation') AS isolation`,
      },
    ];
    expect(await db.read(...settings)).toEqual([{ commit: 'off', isolation: 'serializable' }]);
    expect(await db.write(settings)).toEqual([{ commit: 'on', isolation: 'read committed' }]);
    expect(await db.writeLossy([settings])).toEqual([{ commit: 'off', isolation: 'read committed' }]);
    const [found] = await db.transactionLossy((run) => run(settings));
    expect(found).toEqual([{ commit: 'off', isolation: 'read committed' }]);
  });

  it('lets both transactions through when it aborts one in a deadlock', async () => {
    const { db } = await connect();
    let locks = 0;
    const bothLocked = Promise.withResolvers<void>();
    const crossing = (first: string, second: string) =>
      db.transaction(async (run) => {
        await run([lock, [first]]);
        locks += 1;
        if (locks === 2) bothLocked.resolve();
        await bothLocked.promise;
        await run([lock, [second]]);
        return first;
      });
    expect(await Promise.all([crossing('a', 'b'), crossing('b', 'a')])).toEqual(['a', 'b']);
  });

  it('writes nothing of a transaction that fails half way', async () => {
    const address = await postgres.database();
    const store = await open(address);
    const db = openDatabase(address);
    onTestFinished(() => db.close());
    const insert: Step = [
      { name: 'insert', text: "INSERT INTO turnpike.orders (account, order_no, hold) VALUES ('demo', 'A', $1)" },
      'held',
    ];
    const error: unknown = await db.write(insert, [insert[0], 'secret-value']).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ cause: { message: 'SQLSTATE 23514' } });
    expect(await store.sessions.create(session('cs_1'))).toEqual({ kind: 'created' });
  });

  it('refuses an operation before which others always begin', async () => {
    const address = await postgres.database();
    const store = await open(address);
    await postgres.query(
      address,
      `CREATE FUNCTION turnpike.overtake() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE 'changed' USING ERRCODE = 'TP001'; END $$;
      CREATE TRIGGER overtake BEFORE INSERT ON turnpike.operations FOR EACH ROW EXECUTE FUNCTION turnpike.overtake()`,
    );
    await expect(store.operations.begin(operation('op_1'), [refund(1n)])).rejects.toMatchObject({ wroteNothing: true });
  });

  it('keeps its connections where the server has no more', async () => {
    const address = await postgres.database();
    const store = await open(address);
    await store.sessions.create(session('cs_1'));
    const others = await Promise.all(Array.from({ length: 60 }, () => connectionTo(address)));
    onTestFinished(async () => void (await Promise.all(others.map((other) => other?.end()))));
    // On a busy machine the server may take longer to refuse a connection than a call may take: such a call is repeated.
    const create = async (one: Session): Promise<unknown> => {
      try {
        return await store.sessions.create(one);
      } catch (error) {
        if (error instanceof StoreError && error.wroteNothing) return create(one);
        throw error;
      }
    };
    const all = Array.from({ length: 30 }, (_, i) => create(session(`cs_${i}_`, `${i}`)));
    for (const created of await Promise.all(all)) expect(created).toEqual({ kind: 'created' });
    const late = openDatabase(address);
    onTestFinished(() => late.close());
    await expect(late.read({ name: 'one', text: 'SELECT 1' })).rejects.toMatchObject({
      code: 'store_unavailable',
      cause: { message: expect.stringContaining('53300') },
    });
    await Promise.all(others.map((other) => other?.end()));
    await expect(late.read({ name: 'one', text: 'SELECT 1' })).resolves.toHaveLength(1);
  });

  it('fails at most one call when connections drop, never the process', async () => {
    const address = await postgres.database();
    const store = await open(address);
    const one = session('cs_1');
    await store.sessions.create(one);
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    const calls = Array.from({ length: 10 }, (_, i) => store.sessions.create(session(`cs_${i}_`, `${i}`)));
    const settled = Promise.allSettled(calls);
    await postgres.query(address, cut);
    for (const result of await settled) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StoreError);
    }
    await postgres.query(address, cut);
    // Each of the pool's connections may be found cut by one call.
    const works = () =>
      store.check().then(
        () => true,
        () => false,
      );
    await expect.poll(works).toBe(true);
    expect(await store.sessions.change(next(one, { status: 'open' }))).toBe(true);
  });
});

/** A connection that another client keeps; undefined if none is left. */
async function connectionTo(address: string): Promise<Client | undefined> {
  const client = new Client({ connectionString: address });
  client.on('error', () => undefined);
  return client.connect().then(
    () => client,
    () => undefined,
  );
}

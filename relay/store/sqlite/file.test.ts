import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  at,
  attempt,
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
import { until } from '../../../test/support/time/until.ts';
import { StoreError } from '../../base/errors.ts';
import { earlierPayments } from '../schema/earlier-payments.ts';
import { endpoints } from '../schema/endpoints.ts';
import { paymentOperations } from '../schema/payment-operations.ts';
import { newestVersion } from '../schema/schema.ts';
import { searchedOrders } from '../schema/searched-orders.ts';
import type { Disk } from './file/log-syncs.ts';
import { openFile, openSqlite, sqliteStore } from './open.ts';
import { sqliteSchema, sqliteWords } from './schema.ts';

const file = (): string => join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'sub', 'turnpike.db');

describe('the file of an SQLite store', () => {
  it('has everything again after a restart', async () => {
    const path = file();
    const store = openSqlite(path);
    const started = await processing(store, 'cs_1', 'A');
    await store.operations.begin(operation('op_1'), [refund(1000n)]);
    await store.outbox.add([event('a1', 'a'), event('a2', 'a')]);
    await store.outbox.leaseDue('demo', 'default', at(1), at(60), 10);
    await store.close();

    const again = openSqlite(path);
    onTestFinished(() => again.close());
    expect(await again.sessions.get('cs_1')).toEqual(started);
    expect(await again.orders.get('demo', 'A')).toMatchObject({
      hold: 'held',
      sessions: [started],
      attempts: [attempt('at_cs_1', started)],
    });
    expect(await again.sessions.create(session('cs_2'))).toEqual({ kind: 'order_in_progress' });
    expect(await again.operations.begin(operation('op_2'), [refund(1n)])).toMatchObject({ left: 0n });
    expect(await again.outbox.leaseDue('demo', 'default', at(59), at(120), 10)).toEqual([]);
    expect(ids(await again.outbox.leaseDue('demo', 'default', at(60), at(120), 10))).toEqual(['a1']);
  });

  it('is opened by one relay alone, until that has ended', async () => {
    const path = file();
    const store = openSqlite(path);
    expect(() => openSqlite(path)).toThrow(
      expect.objectContaining({
        code: 'store_unavailable',
        cause: expect.objectContaining({ message: expect.stringMatching(/^another relay/) }),
      }),
    );
    expect(await store.sessions.create(session('cs_1'))).toEqual({ kind: 'created' });
    await store.close();
    const next = openSqlite(path);
    expect(await next.sessions.get('cs_1')).toEqual(session('cs_1'));
    await next.close();
  });

  it('is readable by its owner alone, as are the files beside it', async () => {
    const path = file();
    const store = openSqlite(path);
    onTestFinished(() => store.close());
    await store.sessions.create(session('cs_1'));
    for (const name of ['', '-wal', '-shm', '-lock']) expect(statSync(path + name).mode & 0o077).toBe(0);
    expect(statSync(join(path, '..')).mode & 0o077).toBe(0);
  });

  it('on a disk that hangs still has figures', async () => {
    const { promise: hanging, resolve: end } = Promise.withResolvers<null>();
    let syncs = 0;
    const sync: Disk['sync'] = (done) => {
      syncs += 1;
      hanging.then(done);
    };
    const store = sqliteStore(openFile(':memory:'), {
      disk: { sync, broken: () => undefined, close: async () => undefined },
    });
    onTestFinished(() => {
      end(null);
      return store.close();
    });
    let isWritten = false;
    const writing = Promise.all([
      store.outbox.add([event('e1')]),
      store.sessions.create(session('cs_1')),
      store.operations.begin(operation('op_1'), []),
    ]).then(() => {
      isWritten = true;
    });
    await until('the disk hangs', () => syncs > 0);
    expect((await store.stats.figures(at(1), ['demo'])).pending_events).toBe(1);
    expect(await store.stats.openBeside([])).toEqual([]);
    expect(isWritten).toBe(false);
    end(null);
    await writing;
  });

  it('that is no database throws StoreError', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');
    writeFileSync(path, 'this is not a database, and never was one; it is only text of some length.');
    expect(() => openSqlite(path)).toThrow(StoreError);
  });

  it.each([
    [99, /newer version of Turnpike$/],
    [1, /development version .* set store to an empty one$/],
  ])('of version %i is refused, and told why', async (version, reason) => {
    const path = file();
    await openSqlite(path).close();
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
    expect(() => openSqlite(path)).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ message: expect.stringMatching(reason) }) }),
    );
  });

  it('of the first version takes each later step once', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');
    openFile(path, { ...sqliteSchema, steps: [] }).close();
    const schema = { ...sqliteSchema, steps: [...sqliteSchema.steps, laterStep(sqliteWords)] };
    for (const _ of ['the first start', 'the second']) {
      const db = openFile(path, schema);
      expect(db.prepare(laterRows.text).all()).toEqual(laterRows.rows);
      expect(db.prepare('SELECT planned_at FROM orders').all()).toEqual([]);
      expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: newestVersion(schema) });
      db.close();
    }
  });

  it('of an earlier version knows what operations did to payments', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');
    const steps = stepsBefore(sqliteSchema, paymentOperations(sqliteWords));
    const db = openFile(path, { ...sqliteSchema, steps });
    const insert = db.prepare(`INSERT INTO operations (id, account, name, created_at, version, status, data)
      VALUES (?, ?, ?, ?, 1, ?, ?)`);
    for (const one of earlierOperations)
      insert.run(one.id, one.account, one.name, one.created_at, one.state.status, JSON.stringify(one));
    db.close();
    const store = openSqlite(path);
    expect(await store.operations.onPayments('demo', ['T'])).toEqual(earlierOnPayments);
    await store.close();
  });

  it('of an earlier version sends what waits to the one endpoint', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');
    const db = openFile(path, { ...sqliteSchema, steps: stepsBefore(sqliteSchema, endpoints(sqliteWords)) });
    for (const { columns, values } of earlierEvents) {
      const places = values.map(() => '?');
      db.prepare(`INSERT INTO events (${columns.join(', ')}) VALUES (${places.join(', ')})`).run(...values);
    }
    db.close();
    const store = openSqlite(path);
    expect(await sendAll(store)).toEqual(['e1', 'e2']);
    const deliveries = [{ endpoint: 'default', delivery: delivered }];
    for (const id of ['e1', 'e2', 'e3']) {
      expect(await store.outbox.get('demo', id)).toEqual({ ...facts(id, 's'), delivery: delivered, deliveries });
    }
    await store.close();
  });

  it('of an earlier version has its payments queried, in turn', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');
    const db = openFile(path, { ...sqliteSchema, steps: stepsBefore(sqliteSchema, earlierPayments(sqliteWords)) });
    for (const { columns, values } of earlierOrders)
      db.prepare(`INSERT INTO orders (${columns.join(', ')}) VALUES (?, ?, ?)`).run(...values);
    db.close();
    const store = openSqlite(path);
    expect(await plannedOf(store)).toEqual(earlierPlanned);
    await store.close();
  });

  it('of an earlier version lists its orders again, each once', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');
    const db = openFile(path, { ...sqliteSchema, steps: stepsBefore(sqliteSchema, searchedOrders(sqliteWords)) });
    db.exec(earlierListed());
    db.close();
    const store = openSqlite(path);
    expect([await waiting(store), await waiting(store)]).toEqual([2, 0]);
    await store.close();
  });

  it('that another process locks is awaited without blocking the event loop', async () => {
    const path = file();
    const store = openSqlite(path);
    const other = new DatabaseSync(path);
    onTestFinished(async () => {
      other.close();
      await store.close();
    });
    await store.sessions.create(session('cs_1'));
    other.exec('BEGIN IMMEDIATE');
    let turns = 0;
    const ticking = setInterval(() => turns++, 5);
    onTestFinished(() => clearInterval(ticking));
    const one = session('cs_1');
    const writing = store.sessions.change(next(one, { status: 'open' }));
    await until('the event loop goes on', () => turns > 10);
    // What is stored can still be read, as it was.
    expect(await store.sessions.get('cs_1')).toEqual(one);
    other.exec('COMMIT');
    expect(await writing).toBe(true);
  });

  it('that stays locked throws StoreError and writes nothing', async () => {
    const path = file();
    const store = openSqlite(path);
    const other = new DatabaseSync(path);
    onTestFinished(async () => {
      other.close();
      await store.close();
    });
    other.exec('BEGIN IMMEDIATE');
    await expect(store.sessions.create(session('cs_1'))).rejects.toBeInstanceOf(StoreError);
    other.exec('COMMIT');
    expect(await store.sessions.get('cs_1')).toBeUndefined();
    expect(await store.sessions.create(session('cs_1'))).toEqual({ kind: 'created' });
  });
});

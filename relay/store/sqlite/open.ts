import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createOrderCache } from '../order-cache.ts';
import type { Store } from '../store.ts';
import { guardedDatabase } from './database.ts';
import { guarded, isBusy, storeError } from './errors.ts';
import { sqliteEvents } from './events.ts';
import { sqliteFigures } from './figures.ts';
import { transaction } from './group.ts';
import { sqliteKeys } from './keys.ts';
import { migrations } from './migrations.ts';
import { sqliteNotifications } from './notifications.ts';
import { sqliteOperations } from './operations.ts';
import { sqliteOrders } from './orders.ts';
import { sqlitePurge } from './purge.ts';
import { sqliteQuotas } from './quotas.ts';
import { sqliteSessions } from './sessions.ts';

/** How long the store's opening waits for another process that is making or migrating it. */
const OPENING_MS = 30_000;

/** How long a relay that starts waits for the one before it, which is ending. */
const HANDOVER_MS = 1000;

/**
 * Opens (and where needed makes or migrates) the SQLite store at a path, or `:memory:`. Throws StoreError: another relay has
 * it open, or it cannot be used.
 */
export function openSqlite(path: string): Store {
  return guarded(() => {
    const lock = path === ':memory:' ? undefined : own(path);
    try {
      return sqliteStore(openFile(path), { lock });
    } catch (error) {
      lock?.close();
      throw error;
    }
  });
}

/** Opens a file, or `:memory:`, with the schema of this version. */
export function openFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: OPENING_MS });
  // FULL: a commit that was answered is on disk, whatever happens to the machine.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
  // 64 MB, so that the upper pages of every index stay in memory with millions of rows; and a page that many payments
  // change is copied from the log into the file once for all of them.
  db.exec('PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4000;');
  migrate(db);
  // From now on waiting is the writer's business, which does not stop the event loop for it.
  db.exec('PRAGMA busy_timeout = 0');
  return db;
}

/**
 * Makes this process the file's only relay until the lock is closed, or the process ends however it ends: what it keeps in
 * memory is right only as long as nobody else writes. Throws StoreError where another relay has the file.
 */
function own(path: string): DatabaseSync {
  makePrivate(path);
  makePrivate(`${path}-lock`);
  const lock = new DatabaseSync(`${path}-lock`, { timeout: HANDOVER_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw storeError(new Error('another relay has the SQLite file open: stop it first, or give this one its own'));
  }
}

/** Shoppers' names and addresses are in it; the files beside it get the same rights. */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

/**
 * The store in an open file. It alone may write the file, but where it keeps no orders at hand (`orders: 0`).
 * @param options `lock` is closed with it
 */
export function sqliteStore(
  db: DatabaseSync,
  options: { lock?: DatabaseSync | undefined; orders?: number } = {},
): Store {
  const { lock, orders } = options;
  const database = guardedDatabase(db);
  const events = sqliteEvents(database);
  const keys = sqliteKeys(database);
  const cache = createOrderCache(orders);
  const quotas = sqliteQuotas(database);
  // A real write: a disk that is full can still be read.
  const beat = db.prepare(`INSERT INTO pulse (id, beats) VALUES (1, 1) ON CONFLICT DO UPDATE SET beats = beats + 1`);
  return {
    ...events.methods,
    ...keys.methods,
    ...sqliteSessions(database, cache, keys),
    ...sqliteOrders(database, cache, { keys, events, quotas }),
    ...sqliteNotifications(database, cache),
    ...sqliteOperations(database, keys, events),
    ...sqliteFigures(database),
    ...sqlitePurge(database, cache, quotas),
    check: () => database.write(() => void beat.run()),
    close: async () => {
      database.close();
      guarded(() => (db.isOpen ? db.close() : undefined));
      guarded(() => (lock?.isOpen ? lock.close() : undefined));
    },
  };
}

function migrate(db: DatabaseSync): void {
  transaction(db, () => {
    const done = Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
    if (done > migrations.length) throw new Error('the store was made by a newer version of Turnpike');
    for (const step of migrations.slice(done)) db.exec(step);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

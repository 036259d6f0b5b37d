import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { storeOf } from '../compose.ts';
import { createOrderCache } from '../order-cache.ts';
import { missingSteps, newestVersion, SCHEMA_VERSION, type Schema } from '../schema/schema.ts';
import { stats } from '../sql/stats.ts';
import { localReader, threadReader } from '../stats/reader.ts';
import type { Store } from '../store.ts';
import { sqliteAppends } from './appends.ts';
import { sqliteSql } from './driver.ts';
import { guardedDatabase } from './file/database.ts';
import { guarded } from './file/errors.ts';
import { transaction } from './file/group.ts';
import { type Disk, logOf } from './file/log-syncs.ts';
import { ownFile } from './file/owner.ts';
import { sqliteKeys } from './keys.ts';
import { operationWalk } from './operation-walk.ts';
import { sqliteOperations } from './operations.ts';
import { orderReads } from './order-reads.ts';
import { sqliteOrders } from './orders.ts';
import { quotaStore, sqliteQuotas } from './quotas/quotas.ts';
import { sqliteSchema } from './schema.ts';
import { sessionsAtHand } from './sessions.ts';
import { sqliteStatsReads } from './stats/reads.ts';

/** How long opening waits for another process that creates or migrates the store. */
const OPENING_MS = 30_000;

/**
 * Opens the SQLite store at a path, or `:memory:`, and creates or migrates it first if necessary. Throws StoreError if
 * another relay has it open, or it cannot be used.
 * @param broken called with the system's code after a failure of the disk: the content of the file is unknown then
 */
export function openSqlite(path: string, broken: (code: string) => void = () => undefined): Store {
  return guarded(() => {
    if (path === ':memory:') return sqliteStore(openFile(path));
    const owned = ownFile(path);
    try {
      const db = openFile(owned.path);
      // `file/log-syncs.ts` makes the commits of this connection durable: an answered one is on disk.
      db.exec('PRAGMA synchronous = NORMAL');
      return sqliteStore(db, { path: owned.path, lock: owned.lock, disk: logOf(owned.path, broken) });
    } catch (error) {
      owned.lock.close();
      throw error;
    }
  });
}

/**
 * Opens a file, or `:memory:`, and brings it to the newest version of the schema. Throws Error if it has a version that
 * this release does not know.
 */
export function openFile(path: string, schema: Schema = sqliteSchema): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: OPENING_MS });
  // FULL: each commit is on disk, even if the machine crashes.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;');
  // 64 MB, so that the upper pages of every index stay in memory with millions of rows, and so that a page that many
  // payments change is copied from the log into the file once for all of them.
  db.exec('PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4000;');
  migrate(db, schema);
  // Not earlier, because a step may replace a table to which others refer.
  db.exec('PRAGMA foreign_keys = ON');
  // From now on the writer waits for locks, without stopping the event loop.
  db.exec('PRAGMA busy_timeout = 0');
  return db;
}

/**
 * The store in an open file. Only this process may write the file, unless it caches no orders (`orders: 0`).
 * @param options `path` is where other threads can read the file; `lock` is closed with it; without a `disk`, the
 *   file's own commits are durable
 */
export function sqliteStore(
  db: DatabaseSync,
  options: { path?: string; lock?: DatabaseSync | undefined; disk?: Disk; orders?: number } = {},
): Store {
  const { path, lock, disk, orders } = options;
  const database = guardedDatabase(db, disk);
  const cache = createOrderCache(orders);
  const sql = sqliteSql(database, cache);
  const [keys, quotas, appends] = [sqliteKeys(database), sqliteQuotas(database), sqliteAppends(database)];
  const reads = orderReads(database, cache);
  const statsReads = sqliteStatsReads(sql);
  const reader =
    path === undefined
      ? localReader(statsReads)
      : threadReader(join(import.meta.dirname, 'stats/stats-thread.ts'), () => ({ path }));
  return {
    ...storeOf(sql, {
      orders: sqliteOrders(database, cache, { reads, keys, quotas, appends }),
      operations: { ...sqliteOperations(database, { cache, keys, appends }), ...operationWalk(sql) },
      keys: keys.parts(sql),
      sessions: sessionsAtHand(database, sql, cache),
      quotas: quotaStore(database, quotas),
      list: {
        lockList: () => sql.part(() => true),
        readOrders: (keys) => sql.part(() => keys.map(({ account, order_no }) => reads.peek(account, order_no))),
      },
      // Only one write runs at a time.
      stats: stats(sql, statsReads, reader, async () => true),
      addEvents: (events) => sql.part(() => appends.addEvents(events)),
      addAudit: (entry) => sql.part(() => appends.addAudit(entry)),
      pace: { stepMs: 8, restFactor: 1 },
      forgetCounted: ({ before, limit }) =>
        sql.part(() => ({ rows: [], isMore: quotas.forget(before, limit) >= limit })),
    }),
    clockAhead: async () => 0,
    readdress: () => undefined,
    close: async () => {
      await Promise.all([reader.close(), database.close()]);
      guarded(() => (db.isOpen ? db.close() : undefined));
      guarded(() => (lock?.isOpen ? lock.close() : undefined));
    },
  };
}

function migrate(db: DatabaseSync, schema: Schema): void {
  transaction(db, () => {
    const missing = missingSteps(schema, Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0));
    if (missing.kind === 'refused') throw Object.assign(new Error(missing.reason), { code: SCHEMA_VERSION });
    for (const step of missing.steps) db.exec(step);
    db.exec(`PRAGMA user_version = ${newestVersion(schema)}`);
  });
}

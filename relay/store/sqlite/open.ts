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

/** How long the store's opening waits for another process that is making or migrating it. */
const OPENING_MS = 30_000;

/**
 * Opens (and if needed makes or migrates) the SQLite store at a path, or `:memory:`. Throws StoreError: another relay has
 * it open, or it cannot be used.
 * @param broken called with the system's code after a failure of the disk that leaves its contents unknown
 */
export function openSqlite(path: string, broken: (code: string) => void = () => undefined): Store {
  return guarded(() => {
    if (path === ':memory:') return sqliteStore(openFile(path));
    const owned = ownFile(path);
    try {
      const db = openFile(owned.path);
      // The commits of this connection are made durable by `file/log-syncs.ts`: one that was answered is on disk.
      db.exec('PRAGMA synchronous = NORMAL');
      return sqliteStore(db, { path: owned.path, lock: owned.lock, disk: logOf(owned.path, broken) });
    } catch (error) {
      owned.lock.close();
      throw error;
    }
  });
}

/** Opens a file, or `:memory:`, and brings it to the newest version of the schema. Throws Error if it has another one. */
export function openFile(path: string, schema: Schema = sqliteSchema): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: OPENING_MS });
  // FULL: each commit is on disk, whatever happens to the machine.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;');
  // 64 MB, so that the upper pages of every index stay in memory with millions of rows; and a page that many payments
  // change is copied from the log into the file once for all of them.
  db.exec('PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4000;');
  migrate(db, schema);
  // Not before: a step may exchange a table to which others refer.
  db.exec('PRAGMA foreign_keys = ON');
  // From now on waiting is the writer's business, which does not stop the event loop for it.
  db.exec('PRAGMA busy_timeout = 0');
  return db;
}

/**
 * The store in an open file. It alone may write the file, unless it caches no orders (`orders: 0`).
 * @param options `path` is where other threads can read it; `lock` is closed with it; without a `disk`, the file's own commits
 *   are durable
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
      // No write is under way when another one is.
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

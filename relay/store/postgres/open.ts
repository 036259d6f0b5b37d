import { join } from 'node:path';
import { storeOf } from '../compose.ts';
import type { Row } from '../row.ts';
import { missingSteps, newestVersion, SCHEMA_VERSION, type Schema } from '../schema/schema.ts';
import { run, type Statement } from '../sql/plan.ts';
import { stats } from '../sql/stats.ts';
import { threadReader } from '../stats/reader.ts';
import type { Store } from '../store.ts';
import { addAudit, addEvents } from './appends.ts';
import { postgresSql } from './driver.ts';
import { postgresKeys } from './keys.ts';
import { listParts } from './listing.ts';
import { operationWalk } from './operations/operation-walk.ts';
import { postgresOperations } from './operations/operations.ts';
import { postgresOrders } from './orders/orders.ts';
import { forgetCounted, postgresQuotas } from './orders/quotas.ts';
import { postgresSchema } from './schema/schema.ts';
import { type Clock, openDatabase, type PostgresDatabase } from './server/database.ts';
import { PostgresFault, storeError } from './server/errors.ts';
import { connectToOne, type Servers, serversOf } from './server/servers.ts';
import { postgresStatsReads } from './stats/reads.ts';
import { writersEnded } from './stats/writers.ts';

/** How long a start waits for another relay that migrates, and for a connection. */
const LOCK_MS = 60_000;
export const CONNECT_MS = 5000;

/** The lock for migrations; its number is arbitrary. */
const LOCK = 'SELECT pg_advisory_xact_lock(7305811290467)';

/**
 * Opens the store in a PostgreSQL database, which several relays may share, and creates or migrates it first if
 * necessary. The address may name several servers: the relay uses the one that accepts writes. If the server is lost or
 * hangs, every method rejects with StoreError within about five seconds, and works again when the server is back. If a
 * connection is lost during the commit, it is unknown whether the change was written; see
 * `PostgresDatabase.transaction`. Rejects with StoreError, whose cause never contains the address.
 * @param decides whose clock decides what is due and leased
 * @param reread reads the address again if the server refuses its password
 */
export async function openPostgres(
  address: string,
  decides: Clock = 'callers',
  reread: () => string | undefined = () => undefined,
): Promise<Store> {
  const servers = serversOf(address, reread);
  const db = await openMigrated(servers, decides);
  const reader = threadReader(join(import.meta.dirname, 'stats/stats-thread.ts'), () => ({
    address: servers.address(),
  }));
  servers.onReplaced(reader.renew);
  const sql = postgresSql(db);
  return {
    ...storeOf(sql, {
      orders: postgresOrders(db),
      operations: { ...postgresOperations(db), ...operationWalk(sql) },
      keys: postgresKeys(db),
      sessions: { known: async () => undefined, added: () => run() },
      quotas: postgresQuotas(db),
      list: listParts(),
      stats: stats(sql, postgresStatsReads(sql), reader, () => writersEnded(db)),
      ...{ addEvents, addAudit, forgetCounted },
      pace: { stepMs: 40, restFactor: 0.5 },
    }),
    clockAhead: db.ahead,
    readdress: servers.replace,
    close: async () => void (await Promise.all([reader.close(), db.close()])),
  };
}

/**
 * Connects to a database and brings it to the newest version of the schema. If that fails, the connections are closed.
 * Rejects with StoreError.
 */
export async function openMigrated(
  servers: Servers,
  decides: Clock,
  schema: Schema = postgresSchema,
): Promise<PostgresDatabase> {
  const db = openDatabase(servers, decides);
  try {
    // A relay without missing steps needs no right to change tables.
    if ((await versionOf(db.read)) !== newestVersion(schema)) await migrate(servers, schema);
    return db;
  } catch (error) {
    await db.close();
    throw storeError(error);
  }
}

/** The number of steps that a database has had. `read` returns the rows of a query. */
export async function versionOf(read: (query: Statement) => Promise<Row[]>): Promise<number> {
  const text = "SELECT to_regclass('turnpike.migrations') IS NOT NULL AS there";
  const [migrations] = await read({ name: 'is-migrated', text });
  if (migrations?.there !== true) return 0;
  const [row] = await read({ name: 'version', text: 'SELECT version FROM turnpike.migrations' });
  return Number(row?.version);
}

/** Takes the missing steps in one transaction, while no other relay does. No timeout limits them. */
async function migrate(servers: Servers, schema: Schema): Promise<void> {
  const client = await connectToOne(servers, { connectionTimeoutMillis: CONNECT_MS, keepAlive: true });
  try {
    await client.query(`BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL synchronous_commit = on;
      SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${LOCK_MS}`);
    await client.query(LOCK);
    const { rows: encodings } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
    if (encodings[0]?.server_encoding !== 'UTF8') throw new PostgresFault('the database must have the encoding UTF8');
    const version = await versionOf(async ({ text }) => (await client.query<Row>(text)).rows);
    if (version === 0) {
      await client.query('CREATE SCHEMA IF NOT EXISTS turnpike');
      await client.query('CREATE TABLE turnpike.migrations (version INTEGER NOT NULL)');
      await client.query('INSERT INTO turnpike.migrations (version) VALUES (0)');
    }
    const missing = missingSteps(schema, version);
    if (missing.kind === 'refused') throw new PostgresFault(missing.reason, undefined, SCHEMA_VERSION);
    for (const step of missing.steps) await client.query(step);
    await client.query('UPDATE turnpike.migrations SET version = $1', [newestVersion(schema)]);
    await client.query('COMMIT');
  } finally {
    // A transaction that is not committed ends with its connection.
    await client.end();
  }
}

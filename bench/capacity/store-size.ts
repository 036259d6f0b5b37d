import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

/** The bytes of a store's tables and indexes, and those of PostgreSQL's WAL since the server's beginning. */
export async function storeSize(store: string): Promise<{ disk: number; wal: number }> {
  return store.startsWith('sqlite:') ? { disk: sqliteBytes(store.slice('sqlite:'.length)), wal: 0 } : postgres(store);
}

function sqliteBytes(path: string): number {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 10000; PRAGMA wal_checkpoint(PASSIVE)');
    const used = `SELECT (page_count - freelist_count) * page_size AS bytes
      FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`;
    return Number(database.prepare(used).get()?.bytes);
  } finally {
    database.close();
  }
}

async function postgres(address: string): Promise<{ disk: number; wal: number }> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    const { rows } = await client.query<{ disk: string; wal: string }>(
      `SELECT sum(pg_total_relation_size(oid)) AS disk, pg_current_wal_insert_lsn() - '0/0' AS wal
         FROM pg_class WHERE relkind = 'r' AND relnamespace = 'turnpike'::regnamespace`,
    );
    return { disk: Number(rows[0]?.disk), wal: Number(rows[0]?.wal) };
  } finally {
    await client.end();
  }
}

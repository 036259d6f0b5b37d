import type { Row } from '../row.ts';
import { CONNECT_MS, versionOf } from './open.ts';
import { storeError } from './server/errors.ts';
import { connectToOne, serversOf } from './server/servers.ts';

/** The number of rows of a table, and its size with its indexes if that is known. */
export type TableSize = { rows: number; bytes?: number };

/**
 * The version of a database, and the size and approximate number of rows of its tables, by the server's own statistics.
 * A table without statistics is left out.
 * @param tablesOf returns the tables to read, by the version. Rejects with StoreError.
 */
export async function readTables(
  address: string,
  tablesOf: (version: number) => readonly string[],
): Promise<{ version: number; sizes: Map<string, TableSize> }> {
  try {
    const client = await connectToOne(serversOf(address), { connectionTimeoutMillis: CONNECT_MS });
    try {
      await client.query('BEGIN READ ONLY');
      const version = await versionOf(async ({ text }) => (await client.query<Row>(text)).rows);
      const found = await client.query<{ name: string; rows: number; bytes: number }>(
        `SELECT name, reltuples::float8 AS rows, pg_total_relation_size(pg_class.oid)::float8 AS bytes
          FROM unnest($1::text[]) AS name JOIN pg_class ON pg_class.oid = to_regclass(name) WHERE reltuples >= 0`,
        [tablesOf(version)],
      );
      return { version, sizes: new Map(found.rows.map(({ name, ...size }) => [name, size])) };
    } finally {
      await client.end();
    }
  } catch (error) {
    throw storeError(error);
  }
}

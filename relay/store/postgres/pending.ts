import type { Row } from '../rows.ts';
import { CONNECT_MS, versionOf } from './open.ts';
import { storeError } from './server/errors.ts';
import { connectToOne, serversOf } from './server/servers.ts';

/**
 * The version of a database, and about how many rows its tables have, by the server's own statistics: of a table without, it is not known.
 * @param tablesOf which tables are asked about, by the version. Rejects with StoreError.
 */
export async function readTables(
  address: string,
  tablesOf: (version: number) => readonly string[],
): Promise<{ version: number; rows: Map<string, number> }> {
  try {
    const client = await connectToOne(serversOf(address), { connectionTimeoutMillis: CONNECT_MS });
    try {
      await client.query('BEGIN READ ONLY');
      const version = await versionOf(async ({ text }) => (await client.query<Row>(text)).rows);
      const found = await client.query<{ name: string; count: number }>(
        `SELECT name, reltuples::float8 AS count
          FROM unnest($1::text[]) AS name JOIN pg_class ON pg_class.oid = to_regclass(name) WHERE reltuples >= 0`,
        [tablesOf(version)],
      );
      return { version, rows: new Map(found.rows.map(({ name, count }) => [name, count])) };
    } finally {
      await client.end();
    }
  } catch (error) {
    throw storeError(error);
  }
}

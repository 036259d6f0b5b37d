import { workerData } from 'node:worker_threads';
import type { Client } from 'pg';
import type { Row } from '../../rows.ts';
import type { StatsSql } from '../../sql/stats-reads.ts';
import { answerStats } from '../../stats/reader.ts';
import { dialect } from '../dialect.ts';
import { statement } from '../driver.ts';
import { connectToOne, serversOf } from '../server/servers.ts';
import { postgresStatsReads } from './reads.ts';

const CONNECT_MS = 5000;

/** How long the server may work on one statement. */
const STATEMENT_MS = 5000;

const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL statement_timeout = ${STATEMENT_MS}; SET LOCAL jit = off`;

const { address }: { address: string } = workerData;
const servers = serversOf(address);
let connected: Promise<Client> | undefined;

async function connect(): Promise<Client> {
  const client = await connectToOne(servers, {
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    fallback_application_name: 'turnpike stats',
  });
  // The next query gets another connection.
  client.on('end', () => {
    connected = undefined;
  });
  return client;
}

/**
 * A connection of its own, whose transactions only read, each of one statement. The statements are not prepared: the server plans each
 * for its own times and account. The three go to the server together: what other tasks of this thread send does not come
 * between them.
 */
const read: StatsSql['read'] = async ({ text }, ...values) => {
  connected ??= connect();
  try {
    const client = await connected;
    const sent = [client.query(BEGIN), client.query<Row>(text, [...values]), client.query('COMMIT')] as const;
    const [, { rows }] = await Promise.all(sent);
    return rows;
  } catch (error) {
    const failed = connected;
    connected = undefined;
    await failed?.then((client) => client.end()).catch(() => undefined);
    throw error;
  }
};

answerStats(postgresStatsReads({ dialect, statement, read }));

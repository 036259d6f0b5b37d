import { parentPort, workerData } from 'node:worker_threads';
import { Client } from 'pg';
import { collect } from '../../stats/collect.ts';
import type { StatsSearch } from '../../stats/search.ts';
import { postgresStatsReads } from './reads.ts';

const CONNECT_MS = 5000;

/** The thread that computes the figures of one question and ends. */
const { address, search }: { address: string; search: StatsSearch } = workerData;
const client = new Client({
  connectionString: address,
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  fallback_application_name: 'turnpike stats',
});
// What befalls the connection is told by the query that uses it.
client.on('error', () => undefined);
await client.connect();
const stats = await collect(postgresStatsReads(client), search);
await client.end();
parentPort?.postMessage(stats);

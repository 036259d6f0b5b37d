import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { collect } from '../../stats/collect.ts';
import type { StatsSearch } from '../../stats/search.ts';
import { sqliteStatsReads } from './reads.ts';

/** How long it waits for a file that is locked, which it hardly ever is for readers. */
const LOCKED_MS = 5000;

/** The thread that computes the figures of one question and ends. */
const { path, search }: { path: string; search: StatsSearch } = workerData;
const db = new DatabaseSync(path, { readOnly: true, timeout: LOCKED_MS });
const stats = await collect(sqliteStatsReads(db), search);
db.close();
parentPort?.postMessage(stats);

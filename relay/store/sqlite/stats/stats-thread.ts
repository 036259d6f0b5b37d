import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { createOrderCache } from '../../order-cache.ts';
import { answerStats } from '../../stats/reader.ts';
import { sqliteSql } from '../driver.ts';
import { guardedDatabase } from '../file/database.ts';
import { sqliteStatsReads } from './reads.ts';

/** How long it waits for a locked file, which is rare for readers. */
const LOCKED_MS = 5000;

const { path }: { path: string } = workerData;
// A separate connection that only reads. The connection of payments does not wait for it.
const db = new DatabaseSync(path, { readOnly: true, timeout: LOCKED_MS });
answerStats(sqliteStatsReads(sqliteSql(guardedDatabase(db), createOrderCache(0))));

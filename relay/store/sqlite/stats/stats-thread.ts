import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { createOrderCache } from '../../order-cache.ts';
import { answerStats } from '../../stats/reader.ts';
import { sqliteSql } from '../driver.ts';
import { guardedDatabase } from '../file/database.ts';
import { sqliteStatsReads } from './reads.ts';

/** How long it waits for a file that is locked, which it hardly ever is for readers. */
const LOCKED_MS = 5000;

const { path }: { path: string } = workerData;
// A connection of its own, which only reads: the payments' one does not wait for it.
const db = new DatabaseSync(path, { readOnly: true, timeout: LOCKED_MS });
answerStats(sqliteStatsReads(sqliteSql(guardedDatabase(db), createOrderCache(0))));

import { workerData } from 'node:worker_threads';
import { answerStats } from '../../stats/reader.ts';
import { dialect } from '../dialect.ts';
import { statement } from '../driver.ts';
import { openDatabase } from '../server/database.ts';
import { postgresStatsReads } from './reads.ts';

const { address }: { address: string } = workerData;
// A separate connection. Each statement is a transaction, sent in one exchange. The server ends a statement that takes
// too long.
const db = openDatabase(address, 'callers', { max: 1, fallback_application_name: 'turnpike stats' });
answerStats(postgresStatsReads({ dialect, statement, read: (...step) => db.writeLossy([step]) }));

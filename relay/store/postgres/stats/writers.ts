import { setTimeout } from 'node:timers/promises';
import type { PostgresDatabase } from '../server/database.ts';

/** The longest wait for writers that began before a claim, and the pause between two checks. */
const WRITERS_MS = 5000;
const WRITERS_PAUSE_MS = 20;

/**
 * Waits until all transactions have ended that run now and wrote counted rows, because they may not record what they
 * change. False if some take too long.
 */
export async function writersEnded({ read }: Pick<PostgresDatabase, 'read'>): Promise<boolean> {
  const writers = async (): Promise<string[]> => (await read(sql)).map(({ tx }) => String(tx));
  const end = performance.now() + WRITERS_MS;
  for (let before = await writers(); before.length > 0; ) {
    if (performance.now() > end) return false;
    await setTimeout(WRITERS_PAUSE_MS);
    const now = new Set(await writers());
    before = before.filter((tx) => now.has(tx));
  }
  return true;
}

const sql = {
  name: 'stats-writers',
  text: `SELECT DISTINCT virtualtransaction AS tx FROM pg_locks WHERE locktype = 'relation' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND relation IN ('turnpike.attempts'::regclass, 'turnpike.operations'::regclass, 'turnpike.refunds'::regclass,
      'turnpike.listed_payments'::regclass)
    AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`,
};

import type { StatsTurns } from '../../sql/stats.ts';
import type { PostgresDatabase } from '../server/database.ts';

/** For how long writers that began before a claim are waited for, and the pause between two looks. */
const WRITERS_MS = 5000;
const WRITERS_PAUSE_MS = 20;

/** One of several relays takes the next step of tallies. */
export function statsTurns(db: Pick<PostgresDatabase, 'read'>): StatsTurns {
  const writers = async (): Promise<string[]> => (await db.read(sql)).map(({ tx }) => String(tx));
  return {
    isFree: '(leased_until IS NULL OR leased_until <= $5)',
    begin: ', leased_until = $6',
    end: ', leased_until = NULL',
    // Only those may not note what they change.
    async writersEnded() {
      const end = performance.now() + WRITERS_MS;
      let before = await writers();
      while (before.length > 0) {
        if (performance.now() > end) return false;
        await new Promise((done) => setTimeout(done, WRITERS_PAUSE_MS));
        const now = new Set(await writers());
        before = before.filter((tx) => now.has(tx));
      }
      return true;
    },
  };
}

const sql = {
  name: 'stats-writers',
  // The transactions that wrote what is counted.
  text: `SELECT DISTINCT virtualtransaction AS tx FROM pg_locks WHERE locktype = 'relation' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND relation IN ('turnpike.attempts'::regclass, 'turnpike.operations'::regclass, 'turnpike.refunds'::regclass)
    AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`,
};

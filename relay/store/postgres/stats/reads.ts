import { idsFrom } from '../../../base/ids.ts';
import { pages, type StatsSql, statsReads } from '../../sql/stats-reads.ts';
import { PAGE, type StatsReads } from '../../stats/search.ts';

/** An id is created a moment before or after its attempt begins. */
const TOLERANCE_MS = 60_000;

/**
 * The reads of a PostgreSQL database for figures. Attempts are found by their ids, which contain the time of their
 * creation.
 */
export function postgresStatsReads(db: StatsSql): StatsReads {
  const sql = {
    page: db.statement(
      'stats-attempts',
      `SELECT id, account, data FROM turnpike.attempts WHERE id > $1 AND id < $2
      AND ($3::text IS NULL OR account = $3) AND started_at >= $4 AND started_at < $5 ORDER BY id LIMIT ${PAGE}`,
    ),
    oldest: db.statement('stats-oldest-attempt', 'SELECT started_at FROM turnpike.attempts ORDER BY id LIMIT 1'),
  };
  return statsReads(db, {
    async *attempts({ account: only = null, from, to }) {
      const [first, end] = [idsFrom('at', moved(from, -TOLERANCE_MS)), idsFrom('at', moved(to, TOLERANCE_MS))];
      const found = pages((last = { id: first }) => db.read(sql.page, String(last.id), end, only, from, to));
      for await (const rows of found) {
        yield rows.map(({ account, data }) => ({ account: String(account), data: String(data) }));
      }
    },
    oldestAttempt: async () => {
      const [row] = await db.read(sql.oldest);
      return row ? moved(String(row.started_at), -TOLERANCE_MS).toISOString() : undefined;
    },
  });
}

const moved = (at: string, ms: number): Date => new Date(Date.parse(at) + ms);

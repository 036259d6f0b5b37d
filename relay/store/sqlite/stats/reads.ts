import { pages, type StatsSql, statsReads } from '../../sql/stats-reads.ts';
import { PAGE, type StatsReads } from '../../stats/search.ts';

/**
 * The reads of an SQLite file for figures. Its indexes of attempts and of operations contain the rowid after the time.
 */
export function sqliteStatsReads(db: StatsSql): StatsReads {
  const sql = {
    page: db.statement(
      'stats-attempts',
      `SELECT rowid AS n, started_at, data FROM attempts INDEXED BY attempts_started
      WHERE account = $1 AND (started_at, rowid) > ($2, $3) AND started_at < $4 ORDER BY started_at, rowid LIMIT ${PAGE}`,
    ),
    // The accounts with attempts, and the first attempt of each. One search in the index finds each of them.
    accounts: db.statement(
      'stats-accounts',
      `WITH RECURSIVE known (account) AS (SELECT min(account) FROM attempts
      UNION ALL SELECT (SELECT min(account) FROM attempts WHERE account > known.account) FROM known WHERE account IS NOT NULL)
      SELECT account, (SELECT min(started_at) FROM attempts WHERE account = known.account) AS oldest FROM known
      WHERE account IS NOT NULL`,
    ),
  };
  return statsReads(db, {
    async *attempts({ account: only, from, to }) {
      const accounts = only === undefined ? (await db.read(sql.accounts)).map((row) => String(row.account)) : [only];
      for (const account of accounts) {
        const found = pages((last = { started_at: from, n: -1 }) =>
          db.read(sql.page, account, String(last.started_at), Number(last.n), to),
        );
        for await (const rows of found) yield rows.map(({ data }) => ({ account, data: String(data) }));
      }
    },
    oldestAttempt: async () => (await db.read(sql.accounts)).map(({ oldest }) => String(oldest)).toSorted()[0],
  });
}

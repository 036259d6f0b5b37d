import { pages, type StatsSql, statsReads } from '../../sql/stats-reads.ts';
import { PAGE, type StatsReads } from '../../stats/search.ts';

/** Reads an SQLite file for figures. Its indexes of attempts and of operations have the rowid behind the time. */
export function sqliteStatsReads(db: StatsSql): StatsReads {
  const sql = {
    page: db.statement(
      'stats-attempts',
      `SELECT rowid AS n, started_at, data FROM attempts INDEXED BY attempts_started
      WHERE account = $1 AND (started_at, rowid) > ($2, $3) AND started_at < $4 ORDER BY started_at, rowid LIMIT ${PAGE}`,
    ),
    accounts: db.statement('stats-accounts', `${knownAccounts} SELECT account FROM known WHERE account IS NOT NULL`),
    oldest: db.statement(
      'stats-oldest-attempt',
      `${knownAccounts} SELECT min((SELECT min(started_at) FROM attempts WHERE account = known.account)) AS at FROM known`,
    ),
  };
  return statsReads(db, {
    async *attempts({ account: only, from, to }) {
      const accounts =
        only === undefined ? (await db.read(sql.accounts)).map(({ account }) => String(account)) : [only];
      for (const account of accounts) {
        const found = pages((last = { started_at: from, n: -1 }) =>
          db.read(sql.page, account, String(last.started_at), Number(last.n), to),
        );
        for await (const rows of found) yield rows.map(({ data }) => ({ account, data: String(data) }));
      }
    },
    oldestAttempt: async () => {
      const [row] = await db.read(sql.oldest);
      return typeof row?.at === 'string' ? row.at : undefined;
    },
  });
}

/** The accounts that have attempts, each found by one look into the index. */
const knownAccounts = `WITH RECURSIVE known (account) AS (SELECT min(account) FROM attempts
  UNION ALL SELECT (SELECT min(account) FROM attempts WHERE account > known.account) FROM known WHERE account IS NOT NULL)`;

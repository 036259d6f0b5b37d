import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { Row } from '../../rows.ts';
import { keptFrom, spanFrom } from '../../stats/rows.ts';
import { type CountedRefund, PAGE, type StatsChange, type StatsReads } from '../../stats/search.ts';

/** A page of attempts in the order in which they began: their index has the rowid behind the time. */
export const attemptPage = `SELECT rowid AS n, started_at, data FROM attempts INDEXED BY attempts_started
  WHERE account = ? AND (started_at, rowid) > (?, ?) AND started_at < ? ORDER BY started_at, rowid LIMIT ${PAGE}`;

/** A page of operations of one account, or of all, each with its refunds that count; one that has none is there, too. */
export const refundPage = `SELECT o.n, o.account, o.created_at, r.currency, r.amount FROM (
    SELECT rowid AS n, id, account, created_at FROM operations INDEXED BY operations_old
    WHERE (created_at, rowid) > (?1, ?2) AND created_at < ?3 AND (?4 IS NULL OR account = ?4)
    ORDER BY created_at, rowid LIMIT ${PAGE}) AS o
  LEFT JOIN refunds AS r ON r.operation_id = o.id AND r.counts = 1 ORDER BY o.created_at, o.n`;

/** The accounts that have attempts, each found by one look into the index. */
const accounts = `WITH RECURSIVE known (account) AS (SELECT min(account) FROM attempts
  UNION ALL SELECT (SELECT min(account) FROM attempts WHERE account > known.account) FROM known WHERE account IS NOT NULL)
  SELECT account FROM known WHERE account IS NOT NULL`;

const firstAttempt = 'SELECT min(started_at) AS at FROM attempts WHERE account = ?';
const firstOperation = 'SELECT min(created_at) AS at FROM operations';

/** Changes in an account, or in all, from an hour to before another. */
export const changesBetween = `SELECT seq, account, hour FROM stats_changes INDEXED BY stats_changes_of
  WHERE hour >= ?1 AND hour < ?2 AND (?3 IS NULL OR account = ?3) ORDER BY hour LIMIT ?4`;

export const talliesOf = `SELECT s.version, t.account, t.period, t.tally FROM stats_span AS s
  LEFT JOIN stats_tallies AS t ON t.period IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR t.account = ?2)
  WHERE s.id = 1`;

/** Reads an SQLite file for figures. Whoever else uses the thread gets it between two pages. */
export function sqliteStatsReads(db: DatabaseSync): StatsReads {
  const all = (text: string, ...values: (string | number | null)[]): Row[] => db.prepare(text).all(...values);
  const accountsOf = (account: string | undefined): string[] =>
    account === undefined ? all(accounts).map((row) => String(row.account)) : [account];
  return {
    async *attempts({ account: only, from, to }) {
      const page = db.prepare(attemptPage);
      for (const account of accountsOf(only)) {
        for (let after: [at: string, rowid: number] = [from, -1]; ; await setImmediate()) {
          const rows = page.all(account, ...after, to);
          yield rows.map(({ data }) => ({ account, data: String(data) }));
          const last = rows.at(-1);
          if (!last || rows.length < PAGE) break;
          after = [String(last.started_at), Number(last.n)];
        }
      }
    },
    async *refunds({ account, from, to }) {
      const page = db.prepare(refundPage);
      page.setReadBigInts(true);
      for (let after: [at: string, rowid: number] = [from, -1]; ; await setImmediate()) {
        const rows = page.all(...after, to, account ?? null);
        yield rows.flatMap((row): CountedRefund[] =>
          typeof row.amount === 'bigint'
            ? [
                {
                  ...{ account: String(row.account), created_at: String(row.created_at) },
                  ...{ currency: String(row.currency), amount: row.amount },
                },
              ]
            : [],
        );
        const last = rows.at(-1);
        if (!last) return;
        after = [String(last.created_at), Number(last.n)];
      }
    },
    span: async () => spanFrom(all('SELECT * FROM stats_span WHERE id = 1')[0]),
    changes: async ({ account, from, to }, limit) =>
      all(changesBetween, from.slice(0, 13), to.slice(0, 13), account ?? null, limit).map(
        (row): StatsChange => ({ seq: Number(row.seq), account: String(row.account), hour: String(row.hour) }),
      ),
    tallies: async (periods, account) => keptFrom(all(talliesOf, JSON.stringify(periods), account ?? null)),
    oldest: async () =>
      [...accountsOf(undefined).flatMap((account) => all(firstAttempt, account)), ...all(firstOperation)]
        .flatMap(({ at }) => (typeof at === 'string' ? [at] : []))
        .toSorted()[0],
  };
}

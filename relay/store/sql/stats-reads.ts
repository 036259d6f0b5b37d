import { setImmediate } from 'node:timers/promises';
import type { Row } from '../row.ts';
import { PAGE, type StatsReads } from '../stats/search.ts';
import { type Sql, statementsOf } from './plan.ts';

/** What reads for figures. */
export type StatsSql = Pick<Sql, 'dialect' | 'statement' | 'read'>;

/** The maximum number of changed hours that one step of the tallies includes. */
const STEP_CHANGES = 5000;

/** The reads for figures and tallies. Each database finds attempts by its own index. */
export function statsReads(
  db: StatsSql,
  { attempts, oldestAttempt }: Pick<StatsReads, 'attempts'> & { oldestAttempt(): Promise<string | undefined> },
): StatsReads {
  const sql = statements(db);
  return {
    attempts,
    refunds: async ({ account = null, from, to }) => {
      const rows = await db.read(sql.statsRefunds, from, to, account);
      return rows.map((row) => ({
        ...{ account: String(row.account), hour: String(row.hour), currency: String(row.currency) },
        refunds: [Number(row.n), String(row.amount)],
      }));
    },
    payments: async ({ account = null, from, to }) => {
      const rows = await db.read(sql.statsPayments, from, to, account);
      return rows.map((row) => {
        const gross: [number, string] = [Number(row.n), String(row.gross)];
        const net: [number, string] = [Number(row.kept_n), String(row.net)];
        const renewals = Number(row.renewal) === 1 ? { renewals: gross } : {};
        const lost: [number, string] = [Number(row.reversed_n), String(row.lost)];
        const reversed = lost[0] > 0 ? { reversed: lost } : {};
        const counted = { [String(row.currency)]: { gross, net, ...renewals, ...reversed } };
        return { account: String(row.account), hour: String(row.hour), counted };
      });
    },
    rightTallies: async (account, periods) => {
      const rows = await db.read(sql.rightTallies, JSON.stringify(periods), account);
      return new Map(rows.map(({ period, tally }) => [String(period), tally === null ? null : String(tally)]));
    },
    tallies: async (periods) => {
      const rows = await db.read(sql.statsTallies, periods);
      return rows.map(({ account, period, tally }) => ({
        ...{ account: String(account), period: String(period), tally: String(tally) },
      }));
    },
    changes: async (before) => {
      const rows = await db.read(sql.statsChanges, before);
      return rows.map(({ seq, hour }) => ({ seq: Number(seq), hour: String(hour) }));
    },
    oldest: async () => {
      const [operation] = await db.read(sql.statsOldest);
      const [paid] = await db.read(sql.statsOldestPaid);
      return [await oldestAttempt(), operation?.at, paid?.at].filter((at) => typeof at === 'string').toSorted()[0];
    },
  };
}

/** Pages of rows, each after the last row of the previous one. The thread can do other work between two pages. */
export async function* pages(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; await setImmediate()) {
    const rows = await read(last);
    yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1);
  }
}

function statements(db: StatsSql) {
  const { table, is, anyOf, elements } = db.dialect;
  // The hours at the start and the end of a period.
  const [firstHour, lastHour] = ["substr(p.value || 'T00', 1, 13)", "substr(p.value || 'T23', 1, 13)"];
  const [tallies, changes] = [table('stats_tallies'), table('stats_changes')];
  return statementsOf(db.statement, {
    statsRefunds: `SELECT operations.account, substr(created_at, 1, 13) AS hour, currency, count(*) AS n, CAST(sum(amount) AS text) AS amount
      FROM ${table('operations', 'operations_old')} JOIN ${table('refunds')} AS r ON operation_id = id AND ${is('counts')}
      WHERE created_at >= $1 AND created_at < $2 AND (CAST($3 AS text) IS NULL OR operations.account = $3)
      GROUP BY 1, 2, 3`,
    statsPayments: `SELECT account, substr(paid_at, 1, 13) AS hour, currency, renewal, count(*) AS n,
        count(CASE WHEN kept > 0 THEN 1 END) AS kept_n, CAST(sum(amount) AS text) AS gross, CAST(sum(kept) AS text) AS net,
        sum(reversed) AS reversed_n, CAST(coalesce(sum(CASE WHEN reversed = 1 THEN amount END), 0) AS text) AS lost
      FROM ${table('listed_payments', 'listed_payments_paid')}
      WHERE paid_at >= $1 AND paid_at < $2 AND (CAST($3 AS text) IS NULL OR account = $3) GROUP BY 1, 2, 3, 4`,
    statsOldest: `SELECT min(created_at) AS at FROM ${table('operations')}`,
    statsOldestPaid: `SELECT min(paid_at) AS at FROM ${table('listed_payments')}`,
    // One statement, so that the result belongs to one moment.
    rightTallies: `SELECT p.value AS period, t.tally FROM ${elements('$1', 'p')}
      CROSS JOIN ${table('stats_span')} AS s LEFT JOIN ${tallies} AS t ON t.period = p.value AND t.account = $2
      WHERE s.id = 1 AND substr(s.since, 1, 13) <= ${firstHour} AND ${lastHour} < substr(s.until, 1, 13)
        AND NOT EXISTS (SELECT 1 FROM ${changes} AS c WHERE hour >= ${firstHour} AND hour <= ${lastHour} AND c.account = $2)`,
    statsTallies: `SELECT account, period, tally FROM ${tallies} WHERE period ${anyOf('$1')}`,
    statsChanges: `SELECT seq, hour FROM ${changes} WHERE hour < $1 ORDER BY hour LIMIT ${STEP_CHANGES}`,
  });
}

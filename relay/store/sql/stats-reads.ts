import { setImmediate } from 'node:timers/promises';
import type { Row } from '../rows.ts';
import { type CountedRefund, type KeptTally, PAGE, type StatsReads, type StatsSpan } from '../stats/search.ts';
import type { Sql } from './plan.ts';

/** What reads for figures: it reads a page at a time, so that no transaction lasts long. */
export type StatsSql = Pick<Sql, 'dialect' | 'statement' | 'read'>;

/** What each database finds by an index of its own. */
export type StatsIndexes = Pick<StatsReads, 'attempts'> & {
  /** A time before which no attempt began; undefined where there is none. */
  oldestAttempt(): Promise<string | undefined>;
  /** The column that follows the time in the index of operations, and a value before all of it. */
  operations: { key: 'rowid' | 'id'; first: number | string };
};

/** Reads for figures and tallies. */
export function statsReads(db: StatsSql, indexes: StatsIndexes): StatsReads {
  const sql = statements(db, indexes.operations.key);
  return {
    attempts: indexes.attempts,
    async *refunds({ account = null, from, to }) {
      const found = pages((last = { created_at: from, n: indexes.operations.first }) => {
        const n = typeof last.n === 'number' ? last.n : String(last.n);
        return db.read(sql.refunds, String(last.created_at), n, to, account);
      });
      for await (const rows of found) yield rows.flatMap(refundFrom);
    },
    span: async () => spanFrom((await db.read(sql.span))[0]),
    changes: async ({ account = null, from, to }, limit) => {
      const rows = await db.read(sql.changes, from.slice(0, 13), to.slice(0, 13), account, limit);
      return rows.map((row) => ({ seq: Number(row.seq), account: String(row.account), hour: String(row.hour) }));
    },
    tallies: async (periods, account) => {
      const rows = await db.read(sql.tallies, periods, account ?? null);
      return { version: Number(rows[0]?.version ?? 0), tallies: rows.flatMap(tallyFrom) };
    },
    oldest: async () => {
      const [operation] = await db.read(sql.oldestOperation);
      return [await indexes.oldestAttempt(), operation?.at].filter((at) => typeof at === 'string').toSorted()[0];
    },
  };
}

/** Pages of rows, each after the last row of the one before. What else the thread has to do is done between two. */
export async function* pages(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; await setImmediate()) {
    const rows = await read(last);
    yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1);
  }
}

/** The row of `stats_span`. */
export function spanFrom(row: Row | undefined): StatsSpan {
  return {
    since: String(row?.since ?? ''),
    until: String(row?.until ?? ''),
    claimed: String(row?.claimed ?? ''),
    version: Number(row?.version ?? 0),
  };
}

/** None of an operation without refunds that count. */
function refundFrom({ account, created_at, currency, amount }: Row): CountedRefund[] {
  if (typeof amount !== 'string') return [];
  const when = { account: String(account), created_at: String(created_at) };
  return [{ ...when, currency: String(currency), amount: BigInt(amount) }];
}

/** None where none of the periods has a tally: the row has the version alone. */
function tallyFrom({ account, period, tally }: Row): KeptTally[] {
  return typeof tally === 'string' ? [{ account: String(account), period: String(period), tally }] : [];
}

function statements(db: StatsSql, key: string) {
  const { table, is, anyOf } = db.dialect;
  const isOf = (parameter: string): string => `(CAST(${parameter} AS text) IS NULL OR account = ${parameter})`;
  return {
    // A page of operations of one account, or of all, each with its refunds that count; one that has none is there, too.
    refunds: db.statement(
      'stats-refunds',
      `SELECT o.n, o.account, o.created_at, r.currency, CAST(r.amount AS text) AS amount FROM (
        SELECT ${key} AS n, id, account, created_at FROM ${table('operations', 'operations_old')}
        WHERE (created_at, ${key}) > ($1, $2) AND created_at < $3 AND ${isOf('$4')}
        ORDER BY created_at, ${key} LIMIT ${PAGE}) AS o
      LEFT JOIN ${table('refunds')} AS r ON r.operation_id = o.id AND ${is('r.counts')} ORDER BY o.created_at, o.n`,
    ),
    oldestOperation: db.statement('stats-oldest', `SELECT min(created_at) AS at FROM ${table('operations')}`),
    span: db.statement(
      'read-stats-span',
      `SELECT since, until, claimed, version FROM ${table('stats_span')} WHERE id = 1`,
    ),
    // Changes in an account, or in all, from an hour to before another.
    changes: db.statement(
      'stats-changes',
      `SELECT seq, account, hour FROM ${table('stats_changes', 'stats_changes_of')}
      WHERE hour >= $1 AND hour < $2 AND ${isOf('$3')} ORDER BY hour LIMIT $4`,
    ),
    tallies: db.statement(
      'stats-tallies',
      `SELECT s.version, t.account, t.period, t.tally FROM ${table('stats_span')} AS s LEFT JOIN ${table('stats_tallies')} AS t
        ON t.period ${anyOf('$1')} AND (CAST($2 AS text) IS NULL OR t.account = $2) WHERE s.id = 1`,
    ),
  };
}

import type { Attempt } from '../../relay/payments/attempt.ts';

/** What differs between SQLite and PostgreSQL in the statements below. */
export type Dialect = {
  /** Whole milliseconds since 1970 as ISO 8601 in UTC. */
  iso(ms: string): string;
  /** Rows with the column `n`, from 1 to so many. */
  numbers(count: number): string;
  table: string;
};

export const sqlite: Dialect = {
  iso: (ms) => `strftime('%Y-%m-%dT%H:%M:%fZ', (${ms}) / 1000.0, 'unixepoch')`,
  numbers: (count) =>
    `(WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < ${count}) SELECT n FROM rows)`,
  table: 'attempts',
};

export const postgres: Dialect = {
  iso: (ms) => `to_char(to_timestamp((${ms}) / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  numbers: (count) => `(SELECT n FROM generate_series(1::bigint, ${count}) AS n)`,
  table: 'turnpike.attempts',
};

/** As long as those of the relay. */
const RANDOM = 'Zk3v9qP1mXw7LrT5bNc2HyGd';

/** The statement that adds so many attempts of one account, evenly from one moment to another: one in five is declined. */
export function fillingAttempts(dialect: Dialect, count: number, from: number, to: number): string {
  const { iso, numbers, table } = dialect;
  const started = iso('ms');
  return `INSERT INTO ${table} (id, session_id, account, order_no, started_at, data)
    SELECT ${idAt('at')}, ${idAt('cs')}, 'demo', 'A-' || n, ${started},
      CASE n % 5 WHEN 0 THEN ${dataOf(declined, iso)} ELSE ${dataOf(approved, iso)} END
    FROM (SELECT n, CAST(${from} + (n - 1) * ${(to - from) / count} AS BIGINT) AS ms FROM ${numbers(count)} AS counted) AS timed`;
}

/** An id as the relay makes it at `ms`: in SQL, base 36 is written digit by digit. */
function idAt(prefix: string): string {
  const digits = Array.from({ length: 8 }, (_, place) => {
    const digit = `CAST(ms / ${36 ** (7 - place)} % 36 AS INTEGER) + 1`;
    return `substr('0123456789abcdefghijklmnopqrstuvwxyz', ${digit}, 1)`;
  });
  return `'${prefix}_' || ${digits.join(' || ')} || '${RANDOM}'`;
}

const common = {
  ...{ id: 'ID', session_id: 'SESSION', account: 'demo', order_no: 'ORDER', method: 'card', card: '411111******1111' },
  ...{ amount: '129.90', currency: 'BRL', revision: 1, started_at: 'STARTED', settled_at: 'SETTLED' },
  transaction_id: '20270331101501000042',
};
const approved: Attempt = { ...common, state: { status: 'approved', result: { code: '0000', message: 'Success' } } };
const declined: Attempt = {
  ...common,
  state: { status: 'declined', result: { code: '2001', message: 'Insufficient funds' }, proof: 'answer' },
};

/** An SQL expression of an attempt's JSON. */
function dataOf(attempt: Attempt, iso: Dialect['iso']): string {
  const values: Record<string, string> = {
    ID: idAt('at'),
    SESSION: idAt('cs'),
    ORDER: `'A-' || n`,
    STARTED: iso('ms'),
    SETTLED: iso('ms + 200 + n % 800'),
  };
  const json = `'${JSON.stringify(attempt)}'`;
  return Object.entries(values).reduce((sql, [name, value]) => sql.replace(name, `' || ${value} || '`), json);
}

import type { Place } from '../../facets/retention.ts';
import type { Row } from '../../row.ts';
import { ask, type Plan, type Sql, type Statement, type Value } from '../plan.ts';

/** The rows of a table by age: the column of their time, those of their key, and the index of the time. */
export type Aged = {
  table: string;
  index: string;
  time: string;
  key: readonly [first: string, ...others: string[]];
  /** The condition of the index. */
  where?: string;
};

/**
 * A step of a walk: the rows that it found, and the place of the last one. `isMore` if the number of rows does not
 * decide that.
 */
export type Walked = { rows: readonly Row[]; last?: Place; isMore?: boolean };

/** The place before every row. A numeric key is compared as a number. */
const beginningOf = ({ key }: Aged): Place => ['', ...key.map((column) => (column === 'seq' ? '0' : ''))];

const columnsOf = ({ time, key }: Aged): string => [time, ...key].join(', ');

/**
 * Finds the next rows of a table: `$1` is the time before which they are, then comes the place, and last the number of
 * rows. Rows before the place are not read again, deleted or not. At most this number of rows is read, whether or not
 * they may be deleted.
 * @param limit a number in place of the last parameter
 */
export function walkText({ dialect }: Sql, aged: Aged, limit?: number): string {
  const place = [aged.time, ...aged.key].map((_, i) => `$${i + 2}`);
  const where = aged.where === undefined ? '' : ` AND ${aged.where}`;
  return `SELECT ${columnsOf(aged)} FROM ${dialect.table(aged.table, aged.index)}
    WHERE ${aged.time} < $1 AND (${columnsOf(aged)}) > (${place.join(', ')})${where}
    ORDER BY ${columnsOf(aged)} LIMIT ${limit ?? `$${place.length + 2}`}`;
}

/** The values of a walk's statement, without the number of rows. */
export function walkValues(aged: Aged, before: string, after: Place | undefined): Value[] {
  return [before, ...(after ?? beginningOf(aged))];
}

/** Takes a step of a walk. */
export function* walk(
  statement: Statement,
  aged: Aged,
  { before, limit, after }: { before: string; limit: number; after?: Place },
): Plan<Walked> {
  const rows = yield* ask(statement, ...walkValues(aged, before, after), limit);
  const last = rows.at(-1);
  return { rows, ...(last ? { last: [aged.time, ...aged.key].map((column) => String(last[column])) } : {}) };
}

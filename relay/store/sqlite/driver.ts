import type { StatementSync } from 'node:sqlite';
import type { OrderCache } from '../order-cache.ts';
import type { Row } from '../row.ts';
import {
  ask,
  type Due,
  type LeaseOf,
  type Plan,
  type Records,
  run,
  type Sql,
  type Statement,
  type Step,
  type Value,
} from '../sql/plan.ts';
import { dialect } from './dialect.ts';
import { allOf, type SqliteDatabase } from './file/database.ts';

/** A text of a statement, and the number of its values. */
type Prepared = { statement: StatementSync; count: number };
type Bound = string | number | null;
type All = (statement: StatementSync, values: readonly Bound[], named?: Readonly<Record<string, Bound>>) => Row[];

export type SqliteSql = Sql & {
  /** Creates a change within a plan. */
  part<Result>(change: () => Result): Plan<Result>;
};

/** Runs plans on SQLite, each in the group commit, without a pause between its steps. */
export function sqliteSql(db: SqliteDatabase, cache: OrderCache): SqliteSql {
  const known = new Map<string, { statement: Statement; prepared: readonly Prepared[] }>();

  const statement: Sql['statement'] = (name, ...texts) => {
    const text = texts.join('; ');
    const before = known.get(text);
    if (before) return before.statement;
    const made = { name, text };
    known.set(text, { statement: made, prepared: texts.map((text) => prepare(db, text)) });
    return made;
  };
  /** The rows of the last text of a statement. */
  const rowsOf = ([{ text }, ...values]: Step, all: All): Row[] => {
    const bound = values.map(boundValue);
    const records = values.find(isRecords)?.records;
    let rows: Row[] = [];
    for (const { statement, count } of known.get(text)?.prepared ?? []) {
      rows = records
        ? records.flatMap((record) => all(statement, [], named(record, bound)))
        : all(statement, bound.slice(0, count));
    }
    return rows;
  };
  const readNow = (...step: Step): Row[] =>
    rowsOf(step, (statement, values, named) => db.all(statement, values, itself, named));
  const within = <Result>(plan: Plan<Result>): Result => {
    let next = plan.next();
    // The group reports failures within a change.
    while (!next.done) next = plan.next(next.value.steps.map((step) => rowsOf(step, allOf)));
    return next.value;
  };
  const write: Sql['write'] = (plan) => db.write(() => within(plan()));

  const lease: Sql['lease'] = (of) => {
    const due = of.due.map((one, i) => statement(`${of.name}-${i}`, dueText(of, one)));
    const change = statement(of.name, changeText(of));
    return async (limit, ...values) => {
      // In nearly all cases nothing is due, and a write would delay other writers.
      if (due.toReversed().every((one) => readNow(one, 1, ...values).length === 0)) return [];
      return write(function* () {
        const rows: Row[] = [];
        for (const one of due) rows.push(...(yield* ask(one, limit, ...values)));
        const taken = rows.slice(0, limit);
        for (const row of taken) yield* run([change, limit, ...values, ...of.key.map((column) => String(row[column]))]);
        return taken;
      });
    };
  };

  return {
    dialect,
    statement,
    read: async (...step) => db.durable(readNow(...step)),
    readAll: async (steps) => db.durable(steps.map((step) => readNow(...step))),
    peek: async (steps) => steps.map((step) => readNow(...step)),
    finds: async (...step) => readNow(...step).length > 0,
    write,
    writeLossy: write,
    lease,
    byIndex: () => run(),
    lock: () => run(),
    forgetOrder: (key) => part(() => cache.drop(key)),
    forgetOrderOf: (sessionId) =>
      part(() => {
        const order = cache.ofSession(sessionId);
        if (order) cache.drop(order);
      }),
    times: async () => ({ kept: itself, given: itself }),
    part,
  };
}

function* part<Result>(change: () => Result): Plan<Result> {
  const result = change();
  yield* run();
  return result;
}

const itself = <Thing>(thing: Thing): Thing => thing;

function prepare(db: SqliteDatabase, text: string): Prepared {
  const takesRecords = text.includes('@');
  const statement = db.prepare(text.replaceAll(/\$(\d+)/g, takesRecords ? '@p$1' : '?$1'));
  // A record may have more columns than a statement reads.
  statement.setAllowUnknownNamedParameters(true);
  return { statement, count: countOf(text) };
}

/**
 * The parameters of a statement with records: the columns of a record, and the other values, if any, by their numbers.
 */
function named(record: Records['records'][number], values: readonly Bound[]): Readonly<Record<string, Bound>> {
  // The list of records itself is the only value.
  if (values.length === 1) return record;
  return { ...record, ...Object.fromEntries(values.map((value, i) => [`p${i + 1}`, value])) };
}

/** The highest number of a parameter. */
function countOf(text: string): number {
  return Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
}

function dueText({ table, from, columns }: LeaseOf, { where, order, index }: Due): string {
  return `SELECT ${columns} FROM ${from ?? dialect.table(table, index)} WHERE ${where} ORDER BY ${order.join(', ')} LIMIT $1`;
}

/** The key follows the values of the lease. */
function changeText({ table, key, set, due }: LeaseOf): string {
  const count = countOf([set, ...due.map(({ where }) => where)].join());
  const named = key.map((column, i) => `${column} = $${count + 1 + i}`);
  return `UPDATE ${table} SET ${set} WHERE ${named.join(' AND ')}`;
}

function isRecords(value: Value): value is Records {
  return typeof value === 'object' && value !== null && 'records' in value;
}

function boundValue(value: Value): Bound {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (isRecords(value)) return null;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

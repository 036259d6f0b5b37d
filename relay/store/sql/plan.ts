import type { OrderKey } from '../facets/orders.ts';
import type { Row } from '../rows.ts';

export type Value = string | number | boolean | null | readonly (string | number | boolean)[] | Records;

/** The records that a statement takes as a table, by the names of its columns; see `Dialect.records`. */
export type Records = { records: readonly Readonly<Record<string, string | number | null>>[] };

/** A statement in the SQL that both databases share. Its parameters are `$1`, `$2` …; its name tells it from all others. */
export type Statement = { name: string; text: string };

/** A statement with its values. */
export type Step = readonly [statement: Statement, ...values: Value[]];

/** Steps that are sent together, and whether the plan reads the rows that each finds. */
export type Request = { steps: readonly Step[]; isRead: boolean };

/**
 * The steps of one transaction, written once for both databases. SQLite runs them without a pause, PostgreSQL awaits those that
 * the plan reads. A plan may be run again: it must do nothing but yield steps.
 */
export type Plan<Result> = Generator<Request, Result, readonly Row[][]>;

/** Runs a step, and reads the rows that it finds. */
export function* ask(...step: Step): Plan<Row[]> {
  const [rows = []] = yield { steps: [step], isRead: true };
  return rows;
}

/** Runs steps together, and reads the rows that each finds. */
export function* askAll(...steps: readonly Step[]): Plan<readonly Row[][]> {
  return yield { steps, isRead: true };
}

/** Runs steps whose rows are not read: PostgreSQL gets them with the next ones that are, or with the end of the transaction. */
export function* run(...steps: readonly Step[]): Plan<void> {
  if (steps.length > 0) yield { steps, isRead: false };
}

/** One text of a statement, or several: see `Sql.statement`. */
type Text = string | readonly string[];

/** Statements of these texts, each named by its key: `endEvent` is `end-event`. A key is unique among all statements of a database. */
export function statementsOf<Key extends string>(
  make: Sql['statement'],
  texts: Record<Key, Text>,
): Record<Key, Statement>;
export function statementsOf(make: Sql['statement'], texts: Record<string, Text>): Record<string, Statement> {
  const nameOf = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, make(nameOf(key), ...[text].flat())]));
}

/**
 * The names of what is locked: the webhooks of a subject, whose order is that of the commits that add them, and the refunds of a
 * payment. PostgreSQL's procedures lock single webhooks and quotas, too, and payments by the form of their transaction_id.
 */
export const locks = {
  subject: (subject: string): string => `subject ${subject}`,
  payment: (account: string, transactionId: string): string => `payment ${account} ${transactionId}`,
};

/** The times of a caller as the database keeps them, and back: if the server's clock decides, they are its own. */
export type Times = { kept(moment: string): string; given(moment: string): string };

/** Rows that are due; `order` are the columns by which the longest due comes first. SQLite takes `index`. */
export type Due = { where: string; order: readonly [string, ...string[]]; index?: string };

/**
 * Rows whose time `column` is over at `now`, and before them those that a clock planned which was `ahead` (see `plannedAhead`).
 * Rows of one time come by the column `then`.
 */
export function dueBy(
  table: string,
  column: string,
  { now, ahead, where }: { now: string; ahead: string; where: string },
  ...then: readonly string[]
): readonly Due[] {
  return [
    {
      where: `${column} > ${now} AND planned_at > ${ahead} AND ${where}`,
      order: ['planned_at', ...then],
      index: `${table}_planned`,
    },
    { where: `${column} <= ${now} AND ${where}`, order: [column, ...then], index: `${table}_due` },
  ];
}

/**
 * Rows that one relay takes for itself: those that are `due`, the first entry's first. `set` changes them. Parameter `$1` is how many are
 * taken; the others are given with each lease. A lease gives `columns`, which include `key`. SQLite reads them from `from` where the
 * table lacks some.
 */
export type LeaseOf = {
  name: string;
  table: string;
  from?: string;
  key: readonly string[];
  columns: string;
  due: readonly Due[];
  set: string;
  isLossy?: boolean;
};

/** Takes at most `limit` rows: each goes to one of many relays that ask at once. */
export type TakeDue = (limit: number, ...values: Value[]) => Promise<Row[]>;

/** A database that runs plans. Every use of it rejects with StoreError. */
export type Sql = {
  dialect: Dialect;
  /** A statement. Of several texts each is run; PostgreSQL makes one of them, in which none sees what the others change. */
  statement(name: string, ...texts: readonly string[]): Statement;
  /** The rows that a statement finds, outside of a transaction. */
  read(...step: Step): Promise<Row[]>;
  /** The rows that each of some statements finds, which are sent together. */
  readAll(steps: readonly Step[]): Promise<readonly Row[][]>;
  /** The same of rows that may not be on disk yet: it waits for no disk that hangs. */
  peek(steps: readonly Step[]): Promise<readonly Row[][]>;
  /** Whether a statement finds a row, which may not be on disk yet. */
  finds(...step: Step): Promise<boolean>;
  /**
   * Runs a plan as one transaction: durable when fulfilled. When it is rejected nothing was written, but for the exception that
   * `PostgresDatabase.transaction` names.
   */
  write<Result>(plan: () => Plan<Result>): Promise<Result>;
  /** The same for what a crash of the server may undo. */
  writeLossy<Result>(plan: () => Plan<Result>): Promise<Result>;
  lease(of: LeaseOf): TakeDue;
  /**
   * From here on PostgreSQL finds the rows of the transaction by indexes: the number of rows is a parameter or stands in a list, and a
   * plan for any number would rather read a whole table. For SQLite each statement names its index.
   */
  byIndex(): Plan<void>;
  /** Waits until no other transaction has locks of these names, and keeps them until this one ends. */
  lock(...names: readonly string[]): Plan<void>;
  /** The transaction changes an order, or the order of a session: SQLite drops it from its cache. */
  forgetOrder(key: OrderKey): Plan<void>;
  forgetOrderOf(sessionId: string): Plan<void>;
  /** How times of a caller are kept whose clock says that it is `now`. */
  times(now: string): Promise<Times>;
};

/** The differences between the two databases in SQL. */
export type Dialect = {
  /** A table. The index is for SQLite, if that would choose another one. */
  table(name: string, index?: string): string;
  /** That a column is true. */
  is(column: string): string;
  /** The conditions that a text is in a list, that a number is in a list, and that a text is not in a list. */
  anyOf(parameter: string): string;
  anyNumberOf(parameter: string): string;
  noneOf(parameter: string): string;
  /** Joins to each row of the table before it, in FROM, the row of another table, found by its key. */
  each(name: string, alias: string, on: string): string;
  /** Records as a table of texts. SQLite runs the statement for each record: it would read a list of them far more slowly. */
  records(parameter: string, name: string, ...columns: readonly string[]): string;
  /** That a row has the values of one of the records in these columns. A column may be followed by its type. */
  isAmong(parameter: string, ...columns: readonly string[]): string;
  /** Adds the rows of a query, but those that are there. SQLite's ON CONFLICT would look for each row twice. */
  insertMissing(table: string, columns: string, rows: string): string;
  /** The elements of a JSON list of texts as a table with the column `value`. */
  elements(list: string, name: string): string;
  /**
   * Where the terms of sessions stand, and sessions `joined` with them. SQLite has them apart, so that a session's state is
   * written without them.
   */
  terms: { table: string; key: string; joined: string };
  /** The form of a transaction_id (see `transactionForm`). */
  form: string;
  /** What keeps PostgreSQL from merging a subquery into the statement around it. */
  fence: string;
  /** What leaves out the rows that another transaction changes. */
  skipLocked: string;
  /** What keeps others from changing the rows. */
  forUpdate: string;
};

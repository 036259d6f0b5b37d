import type { OrderKey } from '../facets/orders.ts';
import type { Row } from '../row.ts';

export type Value = string | number | boolean | null | readonly (string | number | boolean)[] | Records;

/** The records that a statement uses as a table, by the names of its columns; see `Dialect.records`. */
export type Records = { records: readonly Readonly<Record<string, string | number | null>>[] };

/** A statement in the SQL that both databases share. Its parameters are `$1`, `$2` …; its name is unique. */
export type Statement = { name: string; text: string };

/** A statement with its values. */
export type Step = readonly [statement: Statement, ...values: Value[]];

/** Steps that are sent together, and whether the plan reads their rows. */
export type Request = { steps: readonly Step[]; isRead: boolean };

/**
 * The steps of one transaction, written once for both databases. SQLite runs them without a pause, PostgreSQL awaits
 * the steps that the plan reads. A plan may run again, so it must only yield steps.
 */
export type Plan<Result> = Generator<Request, Result, readonly Row[][]>;

/** Runs a step and reads its rows. */
export function* ask(...step: Step): Plan<Row[]> {
  const [rows = []] = yield { steps: [step], isRead: true };
  return rows;
}

/** Runs steps together and reads the rows of each. */
export function* askAll(...steps: readonly Step[]): Plan<readonly Row[][]> {
  return yield { steps, isRead: true };
}

/**
 * Runs steps without reading rows: PostgreSQL gets them with the next read steps, or with the end of the transaction.
 */
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
 * The names of locks: for the webhooks of a subject, whose order is the order of the commits that add them, and for the
 * refunds of a payment. PostgreSQL's procedures also lock single webhooks and quotas, and payments by the form of their
 * transaction_id.
 */
export const locks = {
  subject: (subject: string): string => `subject ${subject}`,
  payment: (account: string, transactionId: string): string => `payment ${account} ${transactionId}`,
};

/** Converts the times of a caller to the times in the database and back. They differ if the server's clock decides. */
export type Times = { kept(moment: string): string; given(moment: string): string };

/** A condition for due rows. `order` are the columns by which the longest due row comes first. SQLite uses `index`. */
export type Due = { where: string; order: readonly [string, ...string[]]; index?: string };

/**
 * Rows whose time `column` is past at `now`, and before them rows that were planned by a clock that was `ahead` (see
 * `plannedAhead`). Rows with the same time are sorted by the column `then`.
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
 * Rows that one relay leases: those of the first entry of `due`, then those of the next. `set` changes them. Parameter
 * `$1` is the number of rows; the others are given with each lease. A lease returns `columns`, which include `key`.
 * SQLite reads columns that the table lacks from `from`.
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

/** Leases at most `limit` rows. Relays that ask at the same time get different rows. */
export type TakeDue = (limit: number, ...values: Value[]) => Promise<Row[]>;

/** A database that runs plans. Every use rejects with StoreError. */
export type Sql = {
  dialect: Dialect;
  /**
   * A statement. Several texts are run one after another in SQLite; PostgreSQL runs them as one statement, in which no
   * text sees the changes of another.
   */
  statement(name: string, ...texts: readonly string[]): Statement;
  /** The rows of a statement, outside of a transaction. */
  read(...step: Step): Promise<Row[]>;
  /** The rows of each statement; the statements are sent together. */
  readAll(steps: readonly Step[]): Promise<readonly Row[][]>;
  /** The same, including rows that are not on disk yet: it never waits for a disk. */
  peek(steps: readonly Step[]): Promise<readonly Row[][]>;
  /** Whether a statement finds a row, including rows that are not on disk yet. */
  finds(...step: Step): Promise<boolean>;
  /**
   * Runs a plan as one transaction. If the promise is fulfilled, it is durable; if it is rejected, nothing was written,
   * with the exception in `PostgresDatabase.transaction`.
   */
  write<Result>(plan: () => Plan<Result>): Promise<Result>;
  /** The same for changes that a crash of the server may undo. */
  writeLossy<Result>(plan: () => Plan<Result>): Promise<Result>;
  lease(of: LeaseOf): TakeDue;
  /**
   * From now on PostgreSQL finds the rows of the transaction by indexes: a plan for an unknown number of rows would
   * read a whole table. For SQLite each statement names its index.
   */
  byIndex(): Plan<void>;
  /** Waits until no other transaction has locks of these names, and holds them until this transaction ends. */
  lock(...names: readonly string[]): Plan<void>;
  /** The transaction changes an order, or the order of a session: SQLite removes it from its cache. */
  forgetOrder(key: OrderKey): Plan<void>;
  forgetOrderOf(sessionId: string): Plan<void>;
  /** Returns the conversion of a caller's times, if the caller's clock shows `now`. */
  times(now: string): Promise<Times>;
};

/** The differences between the two databases in SQL. */
export type Dialect = {
  /** A table. SQLite uses the index, if it would choose another one. */
  table(name: string, index?: string): string;
  /** The condition that a column is true. */
  is(column: string): string;
  /** The conditions that a text is in a list, that a number is in a list, and that a text is not in a list. */
  anyOf(parameter: string): string;
  anyNumberOf(parameter: string): string;
  noneOf(parameter: string): string;
  /** A join in FROM: adds to each row of the previous table the row of another table with this key. */
  each(name: string, alias: string, on: string): string;
  /**
   * Records as a table of texts. SQLite runs the statement once for each record, which is far faster than reading a
   * list.
   */
  records(parameter: string, name: string, ...columns: readonly string[]): string;
  /**
   * The condition that a row has the values of one of the records in these columns. A column may be followed by its
   * type.
   */
  isAmong(parameter: string, ...columns: readonly string[]): string;
  /** Inserts the rows of a query and skips existing ones. SQLite's ON CONFLICT would search each row twice. */
  insertMissing(table: string, columns: string, rows: string): string;
  /** The elements of a JSON list of texts, as a table with the column `value`. */
  elements(list: string, name: string): string;
  /**
   * The columns of sessions' terms, and sessions `joined` with them. SQLite stores terms in a table of their own, so
   * that a session's state is written without them.
   */
  terms: { table: string; key: string; joined: string };
  /** The form of a transaction_id (see `transactionForm`). */
  form: string;
  /** Keeps PostgreSQL from merging a subquery into the statement. */
  fence: string;
  /** Skips the rows that another transaction changes. */
  skipLocked: string;
  /** Keeps other transactions from changing the rows. */
  forUpdate: string;
};

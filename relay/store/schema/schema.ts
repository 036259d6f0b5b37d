/** The schema of a store. */
export type Schema = {
  /** The version of a store that `whole` creates. Each step leads to the next version. */
  version: number;
  /** Creates everything in an empty store. */
  whole: string;
  /** Each step brings a store from one version to the next. */
  steps: readonly string[];
};

/** The differences between the two databases in statements that make tables and indexes. */
export type SchemaWords = {
  /** The prefix of a table's name. */
  schema: string;
  /** Column types: texts that are compared, numbers beyond 32 bits, booleans. Other texts are TEXT, other numbers INTEGER. */
  text: string;
  bigint: string;
  boolean: string;
  /**
   * A number that the database gives each row. `serial` numbers are never reused; a `rowid` may be reused after its row
   * is deleted.
   */
  serial: string;
  rowid: string;
  /**
   * The end of a CREATE TABLE: of a table that is stored in the order of its rows, and of one that is stored in the
   * order of its key.
   */
  rows: string;
  keyed: string;
  /** The literal for false. */
  no: string;
  /** The condition that a column is true. */
  is(column: string): string;
  /** The form of a transaction_id (see `transactionForm`). */
  form: string;
  /** False if a step that changes procedures has no effect in this database. */
  hasProcedures: boolean;
  /** Replaces procedures that use tables of later versions by the current ones; empty if there are none. */
  replacedProcedures: string;
};

/** A step for both databases; empty for a database that it does not concern. */
export type SchemaStep = (words: SchemaWords) => string;

/** The steps to the newest version, or why a store cannot be brought there. */
type Missing = { kind: 'steps'; steps: readonly string[] } | { kind: 'refused'; reason: string };

/** The code of a store whose version this release cannot use. */
export const SCHEMA_VERSION = 'SCHEMA_VERSION';

/** The version after all steps. */
export function newestVersion({ version, steps }: Schema): number {
  return version + steps.length;
}

/** The steps that a store of a version lacks. Version 0 is an empty store. */
export function missingSteps(schema: Schema, version: number): Missing {
  const { version: first, whole, steps } = schema;
  if (version === 0) return { kind: 'steps', steps: [whole, ...steps] };
  if (version > newestVersion(schema)) {
    return { kind: 'refused', reason: 'the store was made by a newer version of Turnpike' };
  }
  if (version < first) {
    const reason = `the store was made by a development version of Turnpike (schema ${version}, not ${first}): set store to an empty one`;
    return { kind: 'refused', reason };
  }
  return { kind: 'steps', steps: steps.slice(version - first) };
}

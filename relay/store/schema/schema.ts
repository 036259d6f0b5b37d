/** The schema of a store. */
export type Schema = {
  /** The version that `whole` makes. Each step makes the next one. */
  version: number;
  /** The statements that make the tables of an empty store. */
  whole: string;
  /** The statements that bring a store from one version to the next. */
  steps: readonly string[];
};

/** Where the two databases differ in SQL that makes tables and indexes. */
export type SchemaWords = {
  /** What stands before the name of a table. */
  schema: string;
  /** The types of texts that are compared, of numbers beyond 32 bits, and of truth values. Other texts are TEXT, other numbers INTEGER. */
  text: string;
  bigint: string;
  boolean: string;
  /** A number that the database gives each row: `serial` never twice, `rowid` perhaps again once a row is deleted. */
  serial: string;
  rowid: string;
  /** What stands after the columns of a table whose rows stand for themselves, and of one whose rows stand under its key. */
  rows: string;
  keyed: string;
  /** The truth value false. */
  no: string;
  /** That a column is true. */
  is(column: string): string;
  /** Whether a step that changes a procedure has anything to do. */
  hasProcedures: boolean;
};

/** A step that is written once for both databases; empty where one of them has nothing to do. */
export type SchemaStep = (words: SchemaWords) => string;

/** What a store needs to have the newest version, in order; or why it cannot be brought there. */
type Missing = { kind: 'steps'; steps: readonly string[] } | { kind: 'refused'; reason: string };

/** The version of a store that has had all steps. */
export function newestVersion({ version, steps }: Schema): number {
  return version + steps.length;
}

/** What a store of a version needs. Version 0 is an empty store. */
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

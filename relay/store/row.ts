/** A row of either database, as its driver reads it. */
export type Row = Record<string, unknown>;

/** Reads a JSON column that a store wrote. */
export function parsed<Value>(column: unknown): Value {
  return JSON.parse(String(column));
}

import type { PurgeStep } from '../../facets/retention.ts';
import type { Row } from '../../row.ts';
import { ask, askAll, type Plan, type Sql, type Step, statementsOf } from '../plan.ts';
import { type AgedKind, agedKinds } from './aged.ts';
import { type Aged, type Walked, walk, walkText } from './walk.ts';

/**
 * Rows of a kind that are over as soon as they are old.
 * @param others deletes the rows that belong to these rows
 */
export function forgetRows(
  db: Sql,
  kind: AgedKind,
  others: (rows: readonly Row[]) => readonly Step[] = () => [],
): (step: PurgeStep) => Plan<Walked> {
  const aged: Aged = agedKinds[kind];
  const [old, gone] = [
    db.statement(`old-${kind}`, `${walkText(db, aged)} ${db.dialect.skipLocked}`),
    deletion(db, aged),
  ];
  return function* (step) {
    const walked = yield* walk(old, aged, step);
    if (walked.rows.length > 0) yield* askAll([gone, { records: keysOf(walked.rows, aged) }], ...others(walked.rows));
    return walked;
  };
}

/** Idempotency keys, except those whose operation or payment is undecided. */
export function forgetKeys(db: Sql): (step: PurgeStep) => Plan<Walked> {
  const aged = agedKinds.keys;
  const { table, isAmong, skipLocked } = db.dialect;
  const sql = statementsOf(db.statement, {
    oldKeys: walkText(db, aged),
    overKeys: `SELECT account, route, key FROM ${table('idempotency_keys')} AS k
      WHERE ${isAmong('$2', ...aged.key)} AND ${isKeyOver(db)} ${skipLocked}`,
  });
  const gone = deletion(db, aged);
  return function* (step) {
    const walked = yield* walk(sql.oldKeys, aged, step);
    if (walked.rows.length === 0) return walked;
    const over = yield* ask(sql.overKeys, step.before, { records: keysOf(walked.rows, aged) });
    if (over.length > 0) yield* askAll([gone, { records: keysOf(over, aged) }]);
    return walked;
  };
}

export function isKeyOver({ dialect }: Sql): string {
  return `k.claimed_at < $1
    AND NOT EXISTS (SELECT 1 FROM ${dialect.table('operations')} WHERE id = k.subject AND status IN ('in_flight', 'unknown'))
    AND NOT EXISTS (SELECT 1 FROM ${dialect.table('sessions')} WHERE id = k.subject
      AND status IN ('processing', 'redirected', 'pending', 'unknown'))`;
}

/** Deletes rows by their keys. */
function deletion(db: Sql, { table, key }: Aged) {
  const columns = key.map((column) => (column === 'seq' ? 'seq bigint' : column));
  return db.statement(
    `drop-old-${table}`,
    `DELETE FROM ${db.dialect.table(table)} WHERE ${db.dialect.isAmong('$1', ...columns)}`,
  );
}

function keysOf(rows: readonly Row[], { key }: Aged): Record<string, string>[] {
  return rows.map((row) => Object.fromEntries(key.map((column) => [column, String(row[column])])));
}

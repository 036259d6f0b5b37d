import { auditedOf } from '../../../payments/operations/audited.ts';
import { operationTerm, type StoredAuditEntry } from '../../facets/people.ts';
import type { PurgeStep } from '../../facets/retention.ts';
import type { Row } from '../../row.ts';
import { auditFrom, operationFrom } from '../../rows.ts';
import { ask, askAll, locks, type Plan, run, type Sql, statementsOf } from '../plan.ts';
import { agedKinds } from './aged.ts';
import { type Walked, walk, walkText } from './walk.ts';

const aged = agedKinds.operations;

/**
 * The refunds of a payment are deleted together: if only some were deleted, more of the payment would seem to be left.
 */
export function isOperationOver({ dialect }: Sql): string {
  const [refunds, operations] = [dialect.table('refunds'), dialect.table('operations')];
  return `o.created_at < $1 AND o.status <> 'in_flight' AND NOT o.needs_person AND o.next_look_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM ${refunds} AS own
      JOIN ${refunds} AS other ON other.account = own.account AND other.transaction_id = own.transaction_id
      JOIN ${operations} AS its ON its.id = other.operation_id WHERE own.operation_id = o.id
        AND (its.created_at >= $1 OR its.status = 'in_flight' OR its.needs_person OR its.next_look_at IS NOT NULL))`;
}

/**
 * Operations with their refunds. The refunded sums of their payments stay, and the audit log keeps the outcome of each
 * operation.
 */
export function forgetOperations(db: Sql): (step: PurgeStep) => Plan<Walked> {
  const sql = statements(db);

  /** The entries of the audit log get the facts of operations before these are deleted. */
  function* keepAudited(rows: readonly Row[]): Plan<void> {
    const operations = new Map(rows.map(operationFrom).map((operation) => [operation.id, operation]));
    const named = [...operations.values()].map(({ id, account }) => ({ id, account, term: operationTerm(id) }));
    const entries = (yield* ask(sql.auditOfOperations, { records: named })).flatMap((row) => {
      const operation = operations.get(String(row.id));
      if (!operation || row.data === null) return [];
      const { id: seq, ...entry } = auditFrom(row);
      const whole: StoredAuditEntry = { ...entry, ...auditedOf(operation) };
      return [{ seq, data: JSON.stringify(whole) }];
    });
    if (entries.length > 0) yield* run([sql.keepAudited, { records: entries }]);
  }

  return function* (step) {
    const walked = yield* walk(sql.oldOperations, aged, step);
    if (walked.rows.length === 0) return walked;
    const ids = walked.rows.map(({ id }) => String(id));
    const found = yield* ask(sql.overOperations, step.before, ids);
    const payments = found.flatMap(({ account, transaction_id }) =>
      typeof transaction_id === 'string' ? [locks.payment(String(account), transaction_id)] : [],
    );
    // A refund that begins now counts the earlier refunds of its payment.
    yield* db.lock(...payments);
    const known = [...new Set(found.map(({ id }) => String(id)))];
    const old = known.length > 0 ? yield* ask(sql.purgeOperations, step.before, known) : [];
    if (old.length === 0) return walked;
    const over = old.map(({ id }) => String(id));
    yield* keepAudited(old);
    yield* askAll([sql.rememberRefunds, over], [sql.purgeRefunds, over], [sql.dropOperations, over]);
    return walked;
  };
}

function statements(db: Sql) {
  const { table, is, anyOf, each, records, skipLocked } = db.dialect;
  const [operations, refunds, audit] = [table('operations'), table('refunds'), table('audit')];
  const isOver = `o.id ${anyOf('$2')} AND ${isOperationOver(db)}`;
  return statementsOf(db.statement, {
    oldOperations: walkText(db, aged),
    overOperations: `SELECT o.id, o.account, refund.transaction_id FROM ${operations} AS o
      LEFT JOIN ${refunds} AS refund ON refund.operation_id = o.id WHERE ${isOver}`,
    purgeOperations: `SELECT o.id, o.data FROM ${operations} AS o WHERE ${isOver} ${skipLocked}`,
    // Like the list of the audit log: by the term, and each entry by its own id.
    auditOfOperations: `SELECT given.id, t.seq, (SELECT data FROM ${audit} AS a WHERE a.seq = t.seq) AS data
      FROM ${records('$1', 'given', 'id', 'account', 'term')}
      ${each('audit_terms', 't', 't.account = given.account AND t.term = given.term')}`,
    keepAudited: `UPDATE ${audit} AS a SET data = given.data FROM ${records('$1', 'given', 'seq', 'data')}
      WHERE a.seq = CAST(given.seq AS bigint)`,
    rememberRefunds: `INSERT INTO ${table('refunded_payments')} AS past (account, transaction_id, currency, sum, original)
      SELECT account, transaction_id, min(currency), sum(amount), min(original) FROM ${refunds}
        WHERE operation_id ${anyOf('$1')} AND ${is('counts')} GROUP BY account, transaction_id
      ON CONFLICT (account, transaction_id) DO UPDATE SET sum = past.sum + excluded.sum,
        original = CASE WHEN excluded.original < past.original THEN excluded.original ELSE past.original END`,
    purgeRefunds: `DELETE FROM ${refunds} WHERE operation_id ${anyOf('$1')}`,
    dropOperations: `DELETE FROM ${operations} WHERE id ${anyOf('$1')}`,
  });
}

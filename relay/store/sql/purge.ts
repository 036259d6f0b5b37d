import { auditedOf } from '../../payments/operations/audited.ts';
import { operationTerm, type StoredAuditEntry } from '../facets/people.ts';
import { auditFrom, operationFrom, type Row } from '../rows.ts';
import type { Store } from '../store.ts';
import { ask, askAll, locks, type Plan, run, type Sql, statementsOf } from './plan.ts';

/**
 * Forgets what is old and over, a few rows at a time. What refunds took of their payments is remembered, and the audit log keeps the
 * outcome of operations. Several relays may do it at once.
 * @param forgetCounted forgets at most `limit` attempts that were counted before this, and says how many
 */
export function purge(db: Sql, forgetCounted: (before: string, limit: number) => Plan<number>): Store['purge'] {
  const sql = statements(db);

  function* forgetOperations(before: string, limit: number): Plan<number> {
    const found = yield* ask(sql.purgeFind, before, limit);
    const payments = found.flatMap(({ account, transaction_id }) =>
      typeof transaction_id === 'string' ? [locks.payment(String(account), transaction_id)] : [],
    );
    // A refund that begins now counts the earlier ones of its payment.
    yield* db.lock(...payments);
    const ids = [...new Set(found.map(({ id }) => String(id)))];
    const old = yield* ask(sql.purgeOperations, before, ids);
    if (old.length > 0) {
      const over = old.map(({ id }) => String(id));
      yield* keepAudited(old);
      yield* run([sql.rememberRefunds, over], [sql.purgeRefunds, over], [sql.dropOperations, over]);
    }
    return ids.length;
  }

  /** What the audit log tells of operations is written in its entries before they go. */
  function* keepAudited(rows: readonly Row[]): Plan<void> {
    for (const operation of rows.map(operationFrom)) {
      const entries = yield* ask(sql.auditOfOperation, operation.account, operationTerm(operation.id));
      for (const { id, ...entry } of entries.map(auditFrom)) {
        const whole: StoredAuditEntry = { ...entry, ...auditedOf(operation) };
        yield* run([sql.writeAudit, Number(id), JSON.stringify(whole)]);
      }
    }
  }

  function* forgetSessions(before: string, limit: number): Plan<number> {
    const old = (yield* ask(sql.purgeSessions, before, limit)).map((row) => ({
      ...{ session_id: String(row.id), account: String(row.account), order_no: String(row.order_no) },
    }));
    if (old.length === 0) return 0;
    const [named, ids] = [{ records: old }, old.map(({ session_id }) => session_id)];
    yield* run([sql.purgeAttempts, named], [sql.purgeTerms, ids], [sql.dropSessions, ids], [sql.purgeOrders, named]);
    for (const order of old) yield* db.forgetOrder(order);
    return old.length;
  }

  function* forgetOthers(before: string, limit: number): Plan<number[]> {
    const gone = yield* askAll(
      [sql.purgeEvents, before, limit],
      [sql.purgeNotifications, before, limit],
      [sql.purgeAudit, before, limit],
      [sql.purgeNotes, before, limit],
      [sql.purgeApprovals, before, limit],
    );
    const entries = gone[2]?.map(({ seq }) => Number(seq)) ?? [];
    yield* run([sql.purgeAuditTerms, entries], [sql.purgeReconciliations, before]);
    return gone.map((rows) => rows.length);
  }

  return ({ before, counted_before, limit }) =>
    db.write(function* (): Plan<boolean> {
      yield* db.byIndex();
      const counts = [
        yield* forgetOperations(before, limit),
        yield* forgetSessions(before, limit),
        ...(yield* forgetOthers(before, limit)),
        yield* forgetCounted(counted_before, limit),
      ];
      return counts.some((count) => count >= limit);
    });
}

function statements(db: Sql) {
  const { table, terms, is, anyOf, anyNumberOf, isAmong, skipLocked } = db.dialect;
  const [operations, refunds, orders] = [table('operations'), table('refunds'), table('orders')];
  const [sessions, attempts] = [table('sessions'), table('attempts')];
  const approvals = table('approvals');
  const [events, notifications, audit] = [table('events'), table('notifications'), table('audit')];
  const notes = table('order_notes');
  // The refunds of a payment are forgotten together: of some alone, more would seem to be left than is.
  const isOver = `o.created_at < $1 AND o.status <> 'in_flight' AND NOT o.needs_person AND o.next_look_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM ${refunds} AS own
      JOIN ${refunds} AS other ON other.account = own.account AND other.transaction_id = own.transaction_id
      JOIN ${operations} AS its ON its.id = other.operation_id WHERE own.operation_id = o.id
        AND (its.created_at >= $1 OR its.status = 'in_flight' OR its.needs_person OR its.next_look_at IS NOT NULL))`;
  return statementsOf(db.statement, {
    purgeFind: `SELECT op.id, op.account, refund.transaction_id FROM ${operations} AS op
        LEFT JOIN ${refunds} AS refund ON refund.operation_id = op.id
      WHERE op.id IN (SELECT o.id FROM ${operations} AS o WHERE ${isOver} LIMIT $2)`,
    purgeOperations: `SELECT o.id, o.data FROM ${operations} AS o WHERE o.id ${anyOf('$2')} AND ${isOver} ${skipLocked}`,
    // As the audit log is listed: by the term, and each entry by its own id.
    auditOfOperation: `SELECT t.seq, (SELECT data FROM ${audit} AS a WHERE a.seq = t.seq) AS data
      FROM ${table('audit_terms')} AS t WHERE t.account = $1 AND t.term = $2`,
    writeAudit: `UPDATE ${audit} SET data = $2 WHERE seq = $1`,
    rememberRefunds: `INSERT INTO ${table('refunded_payments')} AS past (account, transaction_id, currency, sum, original)
      SELECT account, transaction_id, min(currency), sum(amount), min(original) FROM ${refunds}
        WHERE operation_id ${anyOf('$1')} AND ${is('counts')} GROUP BY account, transaction_id
      ON CONFLICT (account, transaction_id) DO UPDATE SET sum = past.sum + excluded.sum,
        original = CASE WHEN excluded.original < past.original THEN excluded.original ELSE past.original END`,
    purgeRefunds: `DELETE FROM ${refunds} WHERE operation_id ${anyOf('$1')}`,
    dropOperations: `DELETE FROM ${operations} WHERE id ${anyOf('$1')}`,
    // An order that is still asked about, or held, keeps all of its sessions: what their attempts tell is needed. A query that was due
    // so long ago is never made: its account left the configuration. A scalar subquery reads the one order: PostgreSQL may turn EXISTS
    // into a table of all.
    purgeSessions: `SELECT id, account, order_no FROM ${sessions} AS s WHERE created_at < $1
        AND status IN ('approved', 'failed', 'expired') AND NOT needs_attention
        AND NOT coalesce((SELECT hold = 'held' OR next_query_at >= $1 FROM ${orders} AS o
          WHERE o.account = s.account AND o.order_no = s.order_no), false) LIMIT $2 ${skipLocked}`,
    purgeAttempts: `DELETE FROM ${attempts} WHERE ${isAmong('$1', 'account', 'order_no', 'session_id')}`,
    purgeTerms: `DELETE FROM ${terms.table} WHERE ${terms.key} ${anyOf('$1')}`,
    dropSessions: `DELETE FROM ${sessions} WHERE id ${anyOf('$1')}`,
    // A free order without sessions is one that nothing is known of.
    purgeOrders: `DELETE FROM ${orders} WHERE ${isAmong('$1', 'account', 'order_no')} AND hold = 'free'
      AND NOT EXISTS (SELECT 1 FROM ${sessions} AS s WHERE s.account = orders.account AND s.order_no = orders.order_no)`,
    purgeEvents: `DELETE FROM ${events} WHERE seq IN (SELECT seq FROM ${events}
      WHERE created_at < $1 AND status <> 'pending' LIMIT $2 ${skipLocked}) RETURNING seq`,
    purgeNotifications: `DELETE FROM ${notifications} WHERE (subject, sha256) IN (SELECT subject, sha256 FROM ${notifications}
      WHERE last_at < $1 LIMIT $2 ${skipLocked}) RETURNING subject`,
    purgeAudit: `DELETE FROM ${audit} WHERE seq IN (SELECT seq FROM ${audit}
      WHERE at < $1 LIMIT $2 ${skipLocked}) RETURNING seq`,
    purgeNotes: `DELETE FROM ${notes} WHERE (account, order_no, id) IN (SELECT account, order_no, id FROM ${notes}
      WHERE at < $1 LIMIT $2 ${skipLocked}) RETURNING id`,
    purgeApprovals: `DELETE FROM ${approvals} WHERE id IN (SELECT id FROM ${approvals}
      WHERE expires_at < $1 LIMIT $2 ${skipLocked}) RETURNING id`,
    purgeAuditTerms: `DELETE FROM ${table('audit_terms')} WHERE seq ${anyNumberOf('$1')}`,
    purgeReconciliations: `DELETE FROM ${table('reconciliations')} WHERE reported_at < $1`,
  });
}

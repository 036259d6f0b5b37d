import { type Row, refundedFrom } from '../rows.ts';
import type { Step } from '../sql/plan.ts';
import type { Store } from '../store.ts';
import { lock, locks } from './locks.ts';
import type { Database } from './server/database.ts';

/**
 * Forgets what is old and over, a few rows at a time. What refunds took of their payments is remembered. Several relays may
 * do it at once.
 */
export function postgresPurge(db: Database): Pick<Store, 'purge'> {
  return {
    purge: ({ before, counted_before, limit }) =>
      db.transaction(async (run) => {
        const [old = []] = await run([sql.find, before, limit]);
        const ids = new Set(old.map(({ id }) => String(id)));
        const payments = old.flatMap(({ account, transaction_id }) =>
          typeof transaction_id === 'string' ? [locks.payment(String(account), transaction_id)] : [],
        );
        // A refund that begins now counts the earlier ones of its payment.
        const [, refunded = []] = await run([lock, payments], [sql.operations, before, [...ids]]);
        const [, sessions, events, notifications, audit, , counted] = await run(
          rememberStep(refunded),
          [sql.sessions, before, limit],
          [sql.events, before, limit],
          [sql.notifications, before, limit],
          [sql.audit, before, limit],
          [sql.reconciliations, before],
          [sql.counted, Math.floor(Date.parse(counted_before) / 1000), limit],
        );
        const counts = [sessions, events, notifications, audit, counted].map((rows) => Number(rows?.[0]?.count ?? 0));
        return ids.size >= limit || counts.some((count) => count >= limit);
      }),
  };
}

/** The step that remembers the refunds which were just forgotten. */
function rememberStep(rows: readonly Row[]): Step {
  const past = rows.map((row) => ({ account: String(row.account), ...refundedFrom(row) }));
  return [
    sql.remember,
    past.map(({ account }) => account),
    past.map(({ transaction_id }) => transaction_id),
    past.map(({ currency }) => currency),
    past.map(({ sum }) => String(sum)),
    past.map(({ original }) => String(original)),
  ];
}

/** The refunds of a payment are forgotten together, so that one that is looked up is told from all the others. */
const isOver = `o.created_at < $1 AND o.status <> 'in_flight' AND NOT o.needs_person AND o.next_look_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM turnpike.refunds AS own
    JOIN turnpike.refunds AS other ON other.account = own.account AND other.transaction_id = own.transaction_id
    JOIN turnpike.operations AS its ON its.id = other.operation_id WHERE own.operation_id = o.id
      AND (its.created_at >= $1 OR its.status = 'in_flight' OR its.needs_person OR its.next_look_at IS NOT NULL))`;

const sql = {
  find: {
    name: 'purge-find',
    text: `SELECT o.id, o.account, refunds.transaction_id FROM (SELECT id, account FROM turnpike.operations AS o
        WHERE ${isOver} LIMIT $2) AS o LEFT JOIN turnpike.refunds ON operation_id = o.id`,
  },
  operations: {
    name: 'purge-operations',
    text: `WITH done AS (SELECT id FROM turnpike.operations AS o WHERE id = ANY ($2::text[]) AND ${isOver}
        FOR UPDATE SKIP LOCKED),
      gone AS (DELETE FROM turnpike.refunds WHERE operation_id IN (SELECT id FROM done) RETURNING *),
      operations AS (DELETE FROM turnpike.operations WHERE id IN (SELECT id FROM done))
      SELECT account, transaction_id, sum(amount)::text AS sum, min(original)::text AS original, min(currency) AS currency
      FROM gone WHERE counts GROUP BY account, transaction_id`,
  },
  remember: {
    name: 'remember-refunds',
    text: `INSERT INTO turnpike.refunded_payments AS past (account, transaction_id, currency, sum, original)
      SELECT account, transaction_id, currency, sum::bigint, original::bigint
        FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
          AS given (account, transaction_id, currency, sum, original)
      ON CONFLICT (account, transaction_id) DO UPDATE
        SET sum = past.sum + excluded.sum, original = least(past.original, excluded.original)`,
  },
  sessions: {
    name: 'purge-sessions',
    // An order that is still asked about, or held, keeps all of its sessions: what their attempts tell is needed.
    text: `WITH old AS (SELECT id, account, order_no FROM turnpike.sessions AS s WHERE created_at < $1
        AND status IN ('approved', 'failed', 'expired') AND NOT needs_attention
        AND NOT EXISTS (SELECT 1 FROM turnpike.orders AS o WHERE o.account = s.account AND o.order_no = s.order_no
          AND (hold = 'held' OR next_query_at IS NOT NULL)) LIMIT $2 FOR UPDATE SKIP LOCKED),
      attempts AS (DELETE FROM turnpike.attempts AS a USING old WHERE a.account = old.account
        AND a.order_no = old.order_no AND a.session_id = old.id),
      sessions AS (DELETE FROM turnpike.sessions WHERE id IN (SELECT id FROM old)),
      orders AS (DELETE FROM turnpike.orders AS o USING old
        WHERE o.account = old.account AND o.order_no = old.order_no AND hold = 'free'
          AND NOT EXISTS (SELECT 1 FROM turnpike.sessions AS s WHERE s.account = old.account
            AND s.order_no = old.order_no AND s.id NOT IN (SELECT id FROM old)))
      SELECT count(*) FROM old`,
  },
  events: {
    name: 'purge-events',
    text: `WITH gone AS (DELETE FROM turnpike.events WHERE seq IN (SELECT seq FROM turnpike.events
        WHERE created_at < $1 AND status <> 'pending' LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1)
      SELECT count(*) FROM gone`,
  },
  notifications: {
    name: 'purge-notifications',
    text: `WITH gone AS (DELETE FROM turnpike.notifications WHERE (subject, sha256) IN (SELECT subject, sha256
        FROM turnpike.notifications WHERE last_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1)
      SELECT count(*) FROM gone`,
  },
  audit: {
    name: 'purge-audit',
    text: `WITH gone AS (DELETE FROM turnpike.audit WHERE seq IN (SELECT seq FROM turnpike.audit
        WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING seq),
      terms AS (DELETE FROM turnpike.audit_terms WHERE seq IN (SELECT seq FROM gone))
      SELECT count(*) FROM gone`,
  },
  reconciliations: {
    name: 'purge-reconciliations',
    text: 'DELETE FROM turnpike.reconciliations WHERE reported_at < $1',
  },
  counted: {
    name: 'purge-counted',
    text: `WITH gone AS (DELETE FROM turnpike.counted WHERE (key, at) IN (SELECT key, at FROM turnpike.counted
        WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1)
      SELECT count(*) FROM gone`,
  },
};

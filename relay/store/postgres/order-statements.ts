import { sessionColumns } from '../rows.ts';
import { values } from './database.ts';
import { insertEvents } from './events.ts';

const named = 'account = $1 AND order_no = $2';

/** The order of a key. One statement, so that everything that it finds was there at one moment. */
const order = (key: string): string => `SELECT key.account, key.order_no, o.version, o.hold, o.notices,
  o.next_query_at, o.data,
  ARRAY(SELECT row_to_json(s)::text FROM (SELECT ${sessionColumns} FROM turnpike.sessions
    WHERE account = key.account AND order_no = key.order_no ORDER BY created_at, id) AS s) AS sessions,
  ARRAY(SELECT data FROM turnpike.attempts
    WHERE account = key.account AND order_no = key.order_no ORDER BY started_at, id) AS attempts
  FROM ${key} LEFT JOIN turnpike.orders AS o ON o.account = key.account AND o.order_no = key.order_no`;

/** The statements about orders, their sessions and attempts. */
export const sql = {
  order: { name: 'order', text: order('(VALUES ($1::text, $2::text)) AS key (account, order_no)') },
  orderOfSession: {
    name: 'order-of-session',
    text: order('(SELECT account, order_no FROM turnpike.sessions WHERE id = $1) AS key'),
  },
  ensure: {
    name: 'ensure-order',
    text: `INSERT INTO turnpike.orders (account, order_no, hold, version) VALUES ($1, $2, 'free', 0)
      ON CONFLICT DO NOTHING`,
  },
  dropEmpty: { name: 'drop-empty-order', text: `DELETE FROM turnpike.orders WHERE ${named} AND version = 0` },
  lockOrder: { name: 'lock-order', text: `SELECT version FROM turnpike.orders WHERE ${named} FOR UPDATE` },
  lockSessions: {
    name: 'lock-sessions',
    text: 'SELECT id, version FROM turnpike.sessions WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE',
  },
  lead: {
    name: 'lead-key',
    text: `UPDATE turnpike.idempotency_keys SET subject = $5 WHERE account = $1 AND route = $2 AND key = $3
      AND claimed_at = $4 AND subject IS NULL AND reply IS NULL RETURNING key`,
  },
  putOrder: {
    name: 'put-order',
    text: `UPDATE turnpike.orders SET version = $3, hold = $4, next_query_at = $5, data = $6,
      leased_until = CASE WHEN $7::text IS NULL THEN leased_until END, queried_at = greatest(queried_at, nullif($7::text, ''))
      WHERE ${named}`,
  },
  putTransaction: {
    name: 'put-transaction',
    text: `INSERT INTO turnpike.transactions AS known (account, transaction_id, order_no, amount, currency)
      VALUES ($1, $2, $3, $4, $5) ON CONFLICT (account, transaction_id) DO UPDATE
      SET amount = excluded.amount, currency = excluded.currency WHERE known.order_no = excluded.order_no`,
  },
  dropTransactions: {
    name: 'drop-transactions',
    text: `DELETE FROM turnpike.transactions WHERE ${named} AND transaction_id = ANY ($3::text[])`,
  },
  insertSession: {
    name: 'insert-session',
    text: `INSERT INTO turnpike.sessions (id, account, order_no, status, version, revision, created_at, expires_at,
      terms, state) VALUES (${values(1, 10)})`,
  },
  updateSession: {
    name: 'put-session',
    text: `UPDATE turnpike.sessions SET status = $2, version = $3, revision = $4, expires_at = $5,
      unknown_since = $6, needs_attention = $7, leased_until = NULL, terms = $8, state = $9, settled = $10
      WHERE id = $1`,
  },
  insertAttempt: {
    name: 'insert-attempt',
    text: `INSERT INTO turnpike.attempts (id, session_id, account, order_no, started_at, data) VALUES (${values(1, 6)})`,
  },
  updateAttempt: { name: 'put-attempt', text: 'UPDATE turnpike.attempts SET data = $2 WHERE id = $1' },
  addEvents: { name: 'add-order-events', text: insertEvents(1, 'true') },
  leaseDue: {
    name: 'lease-due-orders',
    text: `WITH due AS (SELECT account, order_no, next_query_at AS since FROM turnpike.orders
        WHERE next_query_at <= $1 AND account = ANY ($4::text[]) AND (leased_until IS NULL OR leased_until <= $1)
        AND (queried_at IS NULL OR queried_at <= $5) ORDER BY next_query_at LIMIT $3 FOR UPDATE SKIP LOCKED),
      leased AS (UPDATE turnpike.orders AS o SET leased_until = $2, queried_at = $1 FROM due
        WHERE o.account = due.account AND o.order_no = due.order_no RETURNING o.account, o.order_no, due.since)
      SELECT account, order_no FROM leased ORDER BY since`,
  },
  lease: {
    name: 'lease-order',
    text: `UPDATE turnpike.orders SET leased_until = $4, queried_at = $3 WHERE ${named}
      AND (leased_until IS NULL OR leased_until <= $3) AND (queried_at IS NULL OR queried_at <= $5) RETURNING account`,
  },
  leaseOf: { name: 'lease-of-order', text: `SELECT leased_until, queried_at FROM turnpike.orders WHERE ${named}` },
  keep: {
    name: 'keep-orders',
    text: `UPDATE turnpike.orders SET leased_until = $3 WHERE leased_until IS NOT NULL AND (account, order_no) IN
      (SELECT * FROM unnest($1::text[], $2::text[]))`,
  },
  release: {
    name: 'release-order',
    text: `UPDATE turnpike.orders SET leased_until = NULL, queried_at = greatest(queried_at, $3) WHERE ${named}`,
  },
};

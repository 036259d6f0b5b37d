import type { Session, Terms } from '../../../payments/session.ts';
import { isSameTerms, sessionFigures } from '../../order-changes.ts';
import { sessionColumns } from '../../rows.ts';

/** The columns that make a session here: what the shopper filled in changes with each attempt, the other terms hardly ever. */
export const columns = `${sessionColumns}, filled`;

/** The column of all terms but those that the shopper filled in. */
export function termsColumn({ filled: _, ...terms }: Terms): string {
  return JSON.stringify(terms);
}

/** The column of what the shopper filled in. */
export function filledColumn({ filled }: Terms): string | null {
  return filled ? JSON.stringify(filled) : null;
}

/** A new session as the server's procedure takes it. */
export function newRow(session: Session): object {
  const { id, account, order_no, state, version, revision, created_at, expires_at, terms } = session;
  return {
    ...{
      id,
      account,
      order_no: order_no.toWellFormed(),
      status: state.status,
      version,
      revision,
      created_at,
      expires_at,
    },
    ...{ terms: termsColumn(terms), filled: filledColumn(terms), state: JSON.stringify(state) },
  };
}

/** A changed session likewise; its terms are left out where they are those that were read. */
export function changedRow(session: Session, before: Session | undefined): object {
  const { id, state, version, revision, expires_at, terms, settled } = session;
  return {
    ...{ id, status: state.status, version, revision, expires_at, ...sessionFigures(session) },
    ...(before && isSameTerms(terms, before.terms) ? {} : { terms: termsColumn(terms) }),
    ...{ filled: filledColumn(terms), state: JSON.stringify(state) },
    ...(settled ? { settled: JSON.stringify(settled) } : {}),
  };
}

const named = 'account = $1 AND order_no = $2';

/**
 * The order of a key: a row for each of its sessions, the oldest first, or one without. One statement, so that everything
 * that it finds was there at one moment. `OFFSET 0` has the server find each by its key, whatever it believes of its tables.
 */
const order = (keys: string): string => `SELECT key.asked, key.account AS key_account, key.order_no AS key_order_no,
    o.version AS order_version, o.hold, o.notices, o.next_query_at, o.planned_at, o.data, s.*, a.attempts
  FROM ${keys} AS key
  LEFT JOIN LATERAL (SELECT version, hold, notices, next_query_at, planned_at, data FROM turnpike.orders
    WHERE account = key.account AND order_no = key.order_no OFFSET 0) AS o ON true
  LEFT JOIN LATERAL (SELECT '[' || string_agg(data, ',' ORDER BY started_at, id) || ']' AS attempts FROM turnpike.attempts
    WHERE account = key.account AND order_no = key.order_no OFFSET 0) AS a ON true
  LEFT JOIN LATERAL (SELECT ${columns} FROM turnpike.sessions
    WHERE account = key.account AND order_no = key.order_no OFFSET 0) AS s ON true
  ORDER BY s.created_at, s.id`;

/** No query about the order runs now, and none began since `quiet`; `latest` is the latest end of a lease, `asked` the latest moment of a query. */
const isFree = (now: string, latest: string, quiet: string, asked: string): string =>
  `(leased_until IS NULL OR leased_until <= ${now} OR leased_until > ${latest})
        AND (queried_at IS NULL OR queried_at <= ${quiet} OR queried_at > ${asked})`;

/** The statements about orders, their sessions and attempts. */
export const sql = {
  order: { name: 'order', text: order('(SELECT 1 AS asked, $1::text AS account, $2::text AS order_no)') },
  orderOfSession: {
    name: 'order-of-session',
    text: order('(SELECT 1 AS asked, account, order_no FROM turnpike.sessions WHERE id = $1)'),
  },
  ordersOfSessions: {
    name: 'orders-of-sessions',
    text: order(`(SELECT asked, account, order_no FROM unnest($1::text[]) WITH ORDINALITY AS given (session_id, asked),
      LATERAL (SELECT account, order_no FROM turnpike.sessions WHERE id = session_id OFFSET 0) AS of_session)`),
  },
  ordersOfKeys: {
    name: 'orders-of-keys',
    text: order(`(SELECT asked, account, order_no FROM unnest($1::text[], $2::text[]) WITH ORDINALITY
      AS given (account, order_no, asked))`),
  },
  leaseDue: {
    name: 'lease-due-orders',
    text: `WITH ahead AS (SELECT account, order_no, '' AS since FROM turnpike.orders
        WHERE planned_at > $7 AND next_query_at > $1 AND account = ANY ($4::text[]) AND ${isFree('$1', '$6', '$5', '$8')}
        ORDER BY planned_at LIMIT $3 FOR UPDATE SKIP LOCKED),
      due AS (SELECT account, order_no, next_query_at AS since FROM turnpike.orders
        WHERE next_query_at <= $1 AND account = ANY ($4::text[]) AND ${isFree('$1', '$6', '$5', '$8')}
        ORDER BY next_query_at LIMIT $3 FOR UPDATE SKIP LOCKED),
      given AS (SELECT * FROM ahead UNION ALL SELECT * FROM due LIMIT $3),
      leased AS (UPDATE turnpike.orders AS o SET leased_until = $2, queried_at = $1 FROM given
        WHERE o.account = given.account AND o.order_no = given.order_no RETURNING o.account, o.order_no, given.since)
      SELECT account, order_no FROM leased ORDER BY since`,
  },
  lease: {
    name: 'lease-order',
    text: `UPDATE turnpike.orders SET leased_until = $4, queried_at = $3 WHERE ${named}
      AND ${isFree('$3', '$6', '$5', '$7')} RETURNING account`,
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

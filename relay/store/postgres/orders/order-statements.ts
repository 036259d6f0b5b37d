import type { Session } from '../../../payments/session.ts';
import { filledColumn, isSameTerms, sessionFigures, termsColumn } from '../../order-changes.ts';
import { sessionColumns } from '../../rows.ts';

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
  LEFT JOIN LATERAL (SELECT ${sessionColumns} FROM turnpike.sessions
    WHERE account = key.account AND order_no = key.order_no OFFSET 0) AS s ON true
  ORDER BY s.created_at, s.id`;

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
};

import type { Session } from '../../payments/session.ts';
import type { Row, Statement } from './database.ts';

/** The columns that make a session; never `*`, for a newer relay may add some while this one runs. */
export const sessionColumns = 'id, account, order_no, created_at, expires_at, revision, version, terms, state, settled';

/** The session in a row of `sessions`. */
export function sessionFrom(row: Row): Session {
  return {
    id: String(row.id),
    account: String(row.account),
    order_no: String(row.order_no),
    created_at: String(row.created_at),
    expires_at: String(row.expires_at),
    revision: Number(row.revision),
    version: Number(row.version),
    terms: parsed(row.terms),
    state: parsed(row.state),
    ...(typeof row.settled === 'string' ? { settled: parsed(row.settled) } : {}),
  };
}

/** Reads a JSON column that this store wrote. */
export function parsed<Value>(column: unknown): Value {
  return JSON.parse(String(column));
}

/** `$3, $4, $5`: so many values from the one with this number on. */
export function values(from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => `$${from + i}`).join(', ');
}

/**
 * Waits until no other transaction has one of these locks, and keeps them until the transaction ends. In order, so that
 * no two wait for each other. The statements after it see what the others wrote.
 */
export const lock: Statement = {
  name: 'lock',
  text: `SELECT pg_advisory_xact_lock(key) FROM (SELECT DISTINCT hashtextextended(name, 0) AS key
    FROM unnest($1::text[]) AS name ORDER BY key) AS keys`,
};

/** What is locked: a webhook, the webhooks of a subject, the refunds of a payment, the counted attempts of a quota. */
export const locks = {
  event: (id: string): string => `event ${id}`,
  subject: (subject: string): string => `subject ${subject}`,
  payment: (account: string, transactionId: string): string => `payment ${account} ${transactionId}`,
  quota: (key: string): string => `quota ${key}`,
};

import type { Session } from '../../payments/session.ts';
import { parsed, type Row } from './database.ts';

/** The columns of `sessions` that a session is read from. Each that is read besides costs as much as any of these. */
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

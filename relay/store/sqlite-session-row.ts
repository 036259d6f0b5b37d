import type { Session } from '../checkout/session.ts';
import { parsed, type Row } from './sqlite-database.ts';

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
    ...(row.watch === null || row.watch === undefined ? {} : { watch: parsed(row.watch) }),
  };
}

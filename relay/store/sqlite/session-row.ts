import type { Session, Terms } from '../../payments/session.ts';
import { parsed, type Row } from './database.ts';

/** The columns of `sessions` that a session is read from. Each that is read besides costs as much as any of these. */
export const sessionColumns = 'id, account, order_no, created_at, expires_at, revision, version, terms, state, watch';

/** Terms as they stand in the store: nobody changes them in place, so they are written again as they were read. */
const readTerms = new WeakMap<Terms, string>();

/** The JSON of a session's terms. */
export function termsText(terms: Terms): string {
  return readTerms.get(terms) ?? JSON.stringify(terms);
}

function termsFrom(text: string): Terms {
  const terms: Terms = parsed(text);
  readTerms.set(terms, text);
  return terms;
}

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
    terms: termsFrom(String(row.terms)),
    state: parsed(row.state),
    ...(row.watch === null || row.watch === undefined ? {} : { watch: parsed(row.watch) }),
  };
}

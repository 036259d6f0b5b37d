import type { Session, Terms } from '../../payments/session.ts';
import type { Database } from './file/database.ts';

/** Where sessions stand, and the columns that make one. */
export const sessionTables = 'sessions JOIN session_terms ON session_id = id';
export const sessionColumns =
  'id, account, order_no, created_at, expires_at, revision, version, terms, filled, state, settled';

/** The terms of sessions stand apart, so that a session's state is written without them. What was filled in stands with it. */
export function sqliteTerms(db: Database): { add(session: Session): void; put(session: Session): void } {
  const insert = db.prepare('INSERT INTO session_terms (session_id, terms) VALUES (?, ?)');
  const update = db.prepare('UPDATE session_terms SET terms = ? WHERE session_id = ?');
  return {
    add: ({ id, terms }) => void insert.run(id, json(terms)),
    put: ({ id, terms }) => void update.run(json(terms), id),
  };
}

function json({ filled: _, ...fixed }: Terms): string {
  return JSON.stringify(fixed);
}

import { auditTerms, type StoredAuditEntry } from '../facets/people.ts';
import type { SqliteDatabase } from './file/database.ts';

/** Part of other transactions: writes an entry with what it tells of. */
export type SqliteAudit = { add(entry: StoredAuditEntry | undefined): void };

/** Adds entries to the audit log. */
export function sqliteAudit(db: SqliteDatabase): SqliteAudit {
  const insert = db.prepare('INSERT INTO audit (account, at, data) VALUES (?, ?, ?)');
  const addTerm = db.prepare('INSERT INTO audit_terms (account, term, seq) VALUES (?, ?, ?)');
  return {
    add(entry) {
      if (!entry) return;
      const seq = insert.run(entry.account, entry.at, JSON.stringify(entry)).lastInsertRowid;
      for (const term of auditTerms(entry)) addTerm.run(entry.account, term, seq);
    },
  };
}

import type { NewEvent } from '../facets/outbox.ts';
import { auditTerms, type StoredAuditEntry } from '../facets/people.ts';
import { newEventRow } from '../rows.ts';
import type { SqliteDatabase } from './file/database.ts';

/** Parts of other transactions: write webhooks, and an entry of the audit log, with the change that they tell. */
export type SqliteAppends = {
  addEvents(events: readonly NewEvent[]): void;
  addAudit(entry: StoredAuditEntry | undefined): void;
};

/** Adds to the outbox and to the audit log. A webhook that is not the first pending one of its subject waits in line. */
export function sqliteAppends(db: SqliteDatabase): SqliteAppends {
  const pendingOf = db.prepare("SELECT 1 FROM events WHERE subject = ? AND status = 'pending' LIMIT 1");
  const addEvent =
    db.prepare(`INSERT INTO events (id, account, subject, type, created_at, body, status, next_try_at, planned_at, delivery)
    VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?) ON CONFLICT (id) DO NOTHING`);
  const addEntry = db.prepare('INSERT INTO audit (account, at, data) VALUES (?, ?, ?)');
  const addTerm = db.prepare('INSERT INTO audit_terms (account, term, seq) VALUES (?, ?, ?)');
  return {
    addEvents(events) {
      for (const event of events) {
        const { id, account, subject, type, created_at, body, delivery } = newEventRow(event);
        const next = pendingOf.get(subject) ? null : created_at;
        addEvent.run(id, account, subject, type, created_at, body, next, created_at, delivery);
      }
    },
    addAudit(entry) {
      if (!entry) return;
      const seq = addEntry.run(entry.account, entry.at, JSON.stringify(entry)).lastInsertRowid;
      for (const term of auditTerms(entry)) addTerm.run(entry.account, term, seq);
    },
  };
}

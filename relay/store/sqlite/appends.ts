import type { NewEvent } from '../facets/outbox.ts';
import { auditTerms, type StoredAuditEntry } from '../facets/people.ts';
import { NO_ENDPOINT, newEventRows } from '../rows.ts';
import type { SqliteDatabase } from './file/database.ts';

/** Parts of other transactions: write webhooks, and an entry of the audit log, with the change that they report. */
export type SqliteAppends = {
  addEvents(events: readonly NewEvent[]): void;
  addAudit(entry: StoredAuditEntry | undefined): void;
};

/**
 * Adds to the outbox and to the audit log. A delivery that is not the first pending one of its subject and endpoint
 * waits in line.
 */
export function sqliteAppends(db: SqliteDatabase): SqliteAppends {
  const pendingOf = db.prepare(
    "SELECT 1 FROM events WHERE subject = ? AND endpoint = ? AND status = 'pending' LIMIT 1",
  );
  const addEvent =
    db.prepare(`INSERT INTO events (id, account, subject, type, created_at, body, status, next_try_at, planned_at,
      delivery, endpoint, event_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`);
  /** Adds a row, if its id is new. */
  const addRow = (row: ReturnType<typeof newEventRows>[number]): boolean => {
    const { id, account, subject, type, created_at, body, status, delivery, endpoint, event_id } = row;
    const next = endpoint === NO_ENDPOINT || pendingOf.get(subject, endpoint) ? null : created_at;
    const told = [id, account, subject, type, created_at, body, status];
    return addEvent.run(...told, next, created_at, delivery, endpoint, event_id).changes === 1;
  };
  const addEntry = db.prepare('INSERT INTO audit (account, at, data) VALUES (?, ?, ?)');
  const addTerm = db.prepare('INSERT INTO audit_terms (account, term, seq) VALUES (?, ?, ?)');
  return {
    addEvents(events) {
      for (const event of events) {
        const [own, ...deliveries] = newEventRows(event);
        if (own && addRow(own)) deliveries.map(addRow);
      }
    },
    addAudit(entry) {
      if (!entry) return;
      const seq = addEntry.run(entry.account, entry.at, JSON.stringify(entry)).lastInsertRowid;
      for (const term of auditTerms(entry)) addTerm.run(entry.account, term, seq);
    },
  };
}

import type { NewEvent, Pending } from '../facets/outbox.ts';
import type { SqliteDatabase } from './file/database.ts';

/** Part of other transactions: writes events with the change that they tell. */
export type SqliteEvents = { add(events: readonly NewEvent[]): void };

/** Adds webhooks to the outbox. One that is not the first pending one of its subject waits in line. */
export function sqliteEvents(db: SqliteDatabase): SqliteEvents {
  const pendingOf = db.prepare("SELECT 1 FROM events WHERE subject = ? AND status = 'pending' LIMIT 1");
  const insert =
    db.prepare(`INSERT INTO events (id, account, subject, type, created_at, body, status, next_try_at, planned_at, delivery)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`);
  return {
    add(events) {
      for (const { id, account, subject, type, created_at, body } of events) {
        const delivery: Pending = { status: 'pending', tries: 0, next_try_at: created_at };
        const next = pendingOf.get(subject) ? null : created_at;
        const values = [id, account, subject, type, created_at, body, delivery.status, next, created_at] as const;
        insert.run(...values, JSON.stringify(delivery));
      }
    },
  };
}

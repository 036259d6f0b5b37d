import type { Delivery, NewEvent, OutboxEvent } from '../events/event.ts';
import { type Database, parsed, type Row } from './sqlite-database.ts';
import type { Store } from './store.ts';

export type SqliteEvents = {
  methods: Pick<Store, 'dueEvents' | 'updateEvent'>;
  /** Part of other transactions: writes events with the change that they tell. */
  add(events: readonly NewEvent[]): void;
};

/** The outbox of webhooks. */
export function sqliteEvents(db: Database): SqliteEvents {
  const sql = {
    insert: db.prepare(`INSERT INTO events (id, account, subject, type, created_at, body, status, next_try_at, delivery)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    update: db.prepare('UPDATE events SET status = ?, next_try_at = ?, delivery = ? WHERE id = ?'),
    // An event waits until all that came before it for its subject is delivered or has failed for good.
    due: db.prepare(`SELECT * FROM events WHERE next_try_at <= ? AND account IN (SELECT value FROM json_each(?))
      AND NOT EXISTS (SELECT 1 FROM events AS earlier WHERE earlier.subject = events.subject
        AND earlier.next_try_at IS NOT NULL AND earlier.seq < events.seq)
      ORDER BY next_try_at LIMIT ?`),
  };
  return {
    add: (events) => {
      for (const { id, account, subject, type, created_at, body } of events) {
        const delivery: Delivery = { status: 'pending', tries: 0, next_try_at: created_at };
        sql.insert.run(id, account, subject, type, created_at, body, ...columns(delivery));
      }
    },
    methods: {
      dueEvents: async (now, accounts, limit) => db.all(sql.due, [now, JSON.stringify(accounts), limit], eventFrom),
      updateEvent: async ({ id, delivery }) => db.write(() => void sql.update.run(...columns(delivery), id)),
    },
  };
}

function columns(delivery: Delivery): [string, string | null, string] {
  const next = delivery.status === 'pending' ? delivery.next_try_at : null;
  return [delivery.status, next, JSON.stringify(delivery)];
}

function eventFrom(row: Row): OutboxEvent {
  return {
    id: String(row.id),
    account: String(row.account),
    subject: String(row.subject),
    type: parsed(`"${row.type}"`),
    created_at: String(row.created_at),
    body: String(row.body),
    delivery: parsed(row.delivery),
  };
}

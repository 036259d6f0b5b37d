import type { StatementSync } from 'node:sqlite';
import { acknowledging } from '../acknowledged.ts';
import { plannedAhead } from '../ahead.ts';
import { COMMON_TYPE, type Delivery, type NewEvent, type Pending } from '../event.ts';
import { eventFrom, pendingFrom } from '../rows.ts';
import type { Acknowledged, EventFilter, Redelivered, Store } from '../store.ts';
import type { Database } from './file/database.ts';

export type SqliteEvents = {
  methods: Pick<
    Store,
    | 'addEvents'
    | 'claimEvents'
    | 'updateEvent'
    | 'listEvents'
    | 'event'
    | 'redeliverEvent'
    | 'acknowledgeEvent'
    | 'failOrphanedEvents'
  >;
  /** Part of other transactions: writes events with the change that they tell. */
  add(events: readonly NewEvent[]): void;
};

/**
 * The outbox of webhooks. Of each subject's pending events only the oldest has a `next_try_at`: the others wait in line
 * without being looked at, however long a receiver is down.
 */
export function sqliteEvents(db: Database): SqliteEvents {
  const sql = statements(db);
  const listBy = lists(db);

  const add = (events: readonly NewEvent[]): void => {
    for (const { id, account, subject, type, created_at, body } of events) {
      const delivery: Pending = { status: 'pending', tries: 0, next_try_at: created_at };
      const next = sql.pendingOf.get(subject) ? null : created_at;
      const values = [id, account, subject, type, created_at, body, delivery.status, next, created_at] as const;
      sql.insert.run(...values, JSON.stringify(delivery));
    }
  };

  return {
    add,
    methods: {
      addEvents: async (events) => {
        if (events.length > 0) await db.write(() => add(events));
      },

      claimEvents: async (account, now, until, limit) => {
        // Nearly always there is nothing to claim, and a write would keep other writers waiting.
        const terms = [account, now, plannedAhead(now)] as const;
        if ([sql.due, sql.ahead].every((found) => db.all(found, [...terms, 1], () => true).length === 0)) return [];
        return db.write(() => {
          const found = [sql.ahead, sql.due].flatMap((some) => some.all(...terms, limit).map(pendingFrom));
          const events = found.slice(0, limit);
          for (const { id } of events) sql.claim.run(until, now, id);
          return events;
        });
      },

      updateEvent: ({ id, subject }, delivery, now) =>
        db.write(() => {
          const next = delivery.status === 'pending' ? delivery.next_try_at : null;
          const { changes } = sql.update.run(delivery.status, next, now ?? null, JSON.stringify(delivery), id);
          if (changes === 1 && delivery.status !== 'pending') sql.moveUp.run(subject);
        }),

      listEvents: async (filter) => {
        const { account, type, subject, before, since, oldestFirst, limit } = filter;
        const given = [type, subject, before, since, oldestFirst?.after].filter((value) => value !== undefined);
        return db.read(listBy(filter), [account, ...given, limit], eventFrom);
      },

      event: async (account, id) => (await db.read(sql.find, [account, id], eventFrom))[0],

      redeliverEvent: (account, id, now) =>
        db.write<Redelivered>(() => {
          const event = sql.find.all(account, id).map(eventFrom)[0];
          if (!event) return { kind: 'not_found' };
          if (event.delivery.status === 'pending') return { kind: 'pending' };
          const delivery: Pending = { status: 'pending', tries: 0, next_try_at: now };
          const next = sql.pendingOf.get(event.subject) ? null : now;
          sql.redeliver.run(next, now, JSON.stringify(delivery), id);
          return { kind: 'redelivered', event: { ...event, delivery } };
        }),

      acknowledgeEvent: (account, id, by, now) =>
        db.write<Acknowledged>(() => {
          const done = acknowledging(sql.find.all(account, id).map(eventFrom)[0], by, now);
          if (done.kind !== 'write') return done;
          sql.acknowledge.run(JSON.stringify(done.delivery), id);
          return { kind: 'acknowledged', event: { ...done.event, delivery: done.delivery } };
        }),

      failOrphanedEvents: async (accounts, before, failedAt, limit) => {
        const terms = [before, JSON.stringify(accounts)] as const;
        if (db.all(sql.orphaned, [...terms, 1], () => true).length === 0) return 0;
        return db.write(() => {
          const orphaned = sql.orphaned.all(...terms, limit).map(pendingFrom);
          for (const { id, delivery } of orphaned) {
            const given: Delivery = {
              status: 'failed',
              tries: delivery.tries,
              failed_at: failedAt,
              reason: 'no_answer',
            };
            sql.update.run(given.status, null, null, JSON.stringify(given), id);
          }
          for (const subject of new Set(orphaned.map((event) => event.subject))) sql.moveUp.run(subject);
          return orphaned.length;
        });
      },
    },
  };
}

function statements(db: Database) {
  return {
    insert:
      db.prepare(`INSERT INTO events (id, account, subject, type, created_at, body, status, next_try_at, planned_at, delivery)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`),
    pendingOf: db.prepare("SELECT 1 FROM events WHERE subject = ? AND status = 'pending' LIMIT 1"),
    due: db.prepare(`SELECT * FROM events INDEXED BY events_due WHERE account = ?1 AND next_try_at <= ?2
      ORDER BY next_try_at, seq LIMIT ?4`),
    ahead: db.prepare(`SELECT * FROM events INDEXED BY events_planned WHERE account = ?1 AND next_try_at > ?2
      AND planned_at > ?3 ORDER BY planned_at, seq LIMIT ?4`),
    claim: db.prepare('UPDATE events SET next_try_at = ?, planned_at = ? WHERE id = ?'),
    update: db.prepare(`UPDATE events SET status = ?, next_try_at = ?, planned_at = ?, delivery = ?
      WHERE id = ? AND status = 'pending'`),
    find: db.prepare('SELECT * FROM events WHERE account = ? AND id = ?'),
    redeliver: db.prepare(`UPDATE events SET status = 'pending', next_try_at = ?, planned_at = ?, delivery = ?, place =
      (SELECT max(coalesce(place, seq)) FROM events AS line WHERE line.subject = events.subject AND status = 'pending')
      WHERE id = ?`),
    acknowledge: db.prepare(
      "UPDATE events SET status = 'acknowledged', delivery = ? WHERE id = ? AND status = 'failed'",
    ),
    orphaned: db.prepare(`SELECT * FROM events INDEXED BY events_pending WHERE status = 'pending' AND created_at < ?
      AND account NOT IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT ?`),
    // By their place, or by seq where they have none: one that is delivered again has a new place.
    moveUp:
      db.prepare(`UPDATE events SET next_try_at = created_at, planned_at = created_at WHERE seq = (SELECT seq FROM events
      WHERE subject = ? AND status = 'pending' ORDER BY coalesce(place, seq), place IS NOT NULL, seq LIMIT 1)
      AND next_try_at IS NULL`),
  };
}

const statusIs = {
  pending: "AND status = 'pending'",
  delivered: "AND status = 'delivered'",
  failed: "AND status = 'failed'",
  acknowledged: "AND status = 'acknowledged'",
} as const;

/** SQLite does not know that these are few, and would rather read all events of the account. */
const fewOf = {
  pending: 'events INDEXED BY events_pending',
  failed: 'events INDEXED BY events_failed',
  acknowledged: 'events INDEXED BY events_acknowledged',
} as const;

/** An index of some types is only taken where the statement says that it is about these. */
const isRare = `AND type <> '${COMMON_TYPE}'`;

/** A statement for each set of filters: only then does SQLite take the index that fits, and not read every event. */
function lists(db: Database): (filter: EventFilter) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return ({ status, type, subject, before, since, oldestFirst }) => {
    const isFew = subject === undefined && status !== undefined && status !== 'delivered';
    const isOfRareType = subject === undefined && !isFew && type !== undefined && type !== COMMON_TYPE;
    const terms = [
      'account = ?',
      status && statusIs[status],
      isOfRareType && isRare,
      type !== undefined && 'AND type = ?',
      subject !== undefined && 'AND subject = ?',
      before !== undefined && 'AND seq < (SELECT seq FROM events WHERE id = ?)',
      since !== undefined && 'AND created_at >= ?',
      oldestFirst?.after !== undefined && 'AND seq > (SELECT seq FROM events WHERE id = ?)',
    ];
    const from = isFew ? fewOf[status] : isOfRareType ? 'events INDEXED BY events_of_type' : 'events';
    const order = oldestFirst ? 'ASC' : 'DESC';
    const text = `SELECT * FROM ${from} WHERE ${terms.filter(Boolean).join(' ')} ORDER BY seq ${order} LIMIT ?`;
    const statement = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
}

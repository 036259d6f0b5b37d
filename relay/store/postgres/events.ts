import { acknowledging } from '../acknowledged.ts';
import { later, plannedAhead } from '../ahead.ts';
import { COMMON_TYPE, type NewEvent, type Pending } from '../event.ts';
import { eventFrom, pendingFrom } from '../rows.ts';
import type { Acknowledged, EventFilter, Redelivered, Store } from '../store.ts';
import { lock, locks } from './locks.ts';
import type { Database, Step, Value } from './server/database.ts';

type EventMethods = Pick<
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

const columns = 'id, account, subject, type, created_at, body, delivery';

/** The order in which the events of one subject are delivered. One that is delivered again has a new place. */
const line = 'coalesce(place, seq), place IS NOT NULL, seq';

/**
 * The pending events of a subject. `OFFSET 0` has the server find them by their subject, and not among all that are pending:
 * these are many where a receiver is down. A single one is found by its id and changed by its `seq` for the same reason.
 */
const pendingOf = (which: string): string =>
  `(SELECT * FROM turnpike.events WHERE subject ${which} OFFSET 0) AS own WHERE status = 'pending'`;

/** Webhooks as `turnpike.add_events` takes them. */
export function eventRows(events: readonly NewEvent[]): object[] {
  return events.map(({ id, account, subject, type, created_at, body }) => {
    const delivery = JSON.stringify(firstDelivery(created_at));
    return { id, account, subject, type, created_at, body, delivery };
  });
}

/** The step of a transaction that adds webhooks. */
export function addEventsStep(events: readonly NewEvent[]): Step {
  return [sql.add, JSON.stringify(eventRows(events))];
}

/** The outbox of webhooks. */
export function postgresEvents(db: Database): EventMethods {
  return {
    addEvents: async (events) => {
      if (events.length > 0) await db.write(addEventsStep(events));
    },

    claimEvents: async (account, now, until, limit) => {
      const ahead = await db.ahead(now);
      const times = [later(now, ahead), later(until, ahead)] as const;
      const step: Step = [sql.claim, account, ...times, limit, plannedAhead(times[0])];
      // A crash of the server may undo this and what became of the delivery: the webhook is then delivered again.
      return (await db.writeHasty([step])).map(pendingFrom);
    },

    updateEvent: async ({ id, subject }, delivery, now) => {
      const ahead = now === undefined ? 0 : await db.ahead(now);
      const next = delivery.status === 'pending' ? later(delivery.next_try_at, ahead) : null;
      const planned = now === undefined ? null : later(now, ahead);
      const values = [id, delivery.status, next, JSON.stringify(delivery), subject, planned];
      await db.writeHasty([
        [lock, [locks.subject(subject)]],
        [sql.update, ...values],
      ]);
    },

    listEvents: async (filter) => (await db.read(...listStep(filter))).map(eventFrom),

    event: async (account, id) => (await db.read(sql.find, account, id)).map(eventFrom)[0],

    redeliverEvent: async (account, id, now): Promise<Redelivered> => {
      const event = (await db.read(sql.find, account, id)).map(eventFrom)[0];
      if (!event) return { kind: 'not_found' };
      const delivery = firstDelivery(now);
      const values = [account, id, later(now, await db.ahead(now)), JSON.stringify(delivery), event.subject];
      const [again] = await db.write([lock, [locks.subject(event.subject)]], [sql.redeliver, ...values]);
      return again ? { kind: 'redelivered', event: { ...event, delivery } } : { kind: 'pending' };
    },

    acknowledgeEvent: async function acknowledge(account, id, by, now): Promise<Acknowledged> {
      const done = acknowledging((await db.read(sql.find, account, id)).map(eventFrom)[0], by, now);
      if (done.kind !== 'write') return done;
      const [written] = await db.write([sql.acknowledge, account, id, JSON.stringify(done.delivery)]);
      // Somebody else acknowledged it meanwhile, or has it sent again.
      if (!written) return acknowledge(account, id, by, now);
      return { kind: 'acknowledged', event: { ...done.event, delivery: done.delivery } };
    },

    failOrphanedEvents: (accounts, before, failedAt, limit) =>
      db.transaction(async (run) => {
        const [orphaned = []] = await run([sql.orphaned, accounts, before, limit]);
        if (orphaned.length === 0) return 0;
        const subjects = [...new Set(orphaned.map(({ subject }) => String(subject)))];
        const [, failed = []] = await run(
          [lock, subjects.map(locks.subject)],
          [sql.giveUp, orphaned.map(({ id }) => String(id)), failedAt],
          [sql.moveUp, subjects],
        );
        return failed.length;
      }),
  };
}

const sql = {
  add: { name: 'add-events', text: 'SELECT turnpike.add_events($1)' },
  claim: {
    name: 'claim-events',
    text: `WITH ahead AS (SELECT seq, '' AS since FROM turnpike.events WHERE account = $1 AND planned_at > $5
        AND next_try_at > $2 ORDER BY planned_at, seq LIMIT $4 FOR UPDATE SKIP LOCKED),
      due AS (SELECT seq, next_try_at AS since FROM turnpike.events WHERE account = $1 AND next_try_at <= $2
        ORDER BY next_try_at, seq LIMIT $4 FOR UPDATE SKIP LOCKED),
      given AS (SELECT * FROM ahead UNION ALL SELECT * FROM due LIMIT $4),
      claimed AS (UPDATE turnpike.events AS e SET next_try_at = $3, planned_at = $2 FROM given WHERE e.seq = given.seq
        RETURNING e.*, given.since)
      SELECT ${columns} FROM claimed ORDER BY since, seq`,
  },
  update: {
    name: 'update-event',
    text: `WITH told AS (UPDATE turnpike.events SET status = $2, next_try_at = $3, planned_at = $6, delivery = $4
        WHERE seq = (SELECT seq FROM turnpike.events WHERE id = $1) AND status = 'pending' RETURNING status)
      UPDATE turnpike.events SET next_try_at = least(created_at, $6), planned_at = least(created_at, $6)
      WHERE EXISTS (SELECT 1 FROM told WHERE told.status <> 'pending') AND seq = (SELECT seq FROM ${pendingOf('= $5')}
        AND id <> $1 ORDER BY ${line} LIMIT 1)`,
  },
  find: { name: 'event', text: `SELECT ${columns} FROM turnpike.events WHERE account = $1 AND id = $2` },
  redeliver: {
    name: 'redeliver-event',
    text: `WITH last AS (SELECT coalesce(place, seq) AS place FROM ${pendingOf('= $5')} ORDER BY coalesce(place, seq) DESC LIMIT 1)
      UPDATE turnpike.events SET status = 'pending', delivery = $4, place = (SELECT place FROM last), planned_at = $3,
        next_try_at = CASE WHEN NOT EXISTS (SELECT 1 FROM last) THEN $3 END
      WHERE account = $1 AND id = $2 AND status <> 'pending' RETURNING id`,
  },
  acknowledge: {
    name: 'acknowledge-event',
    text: `UPDATE turnpike.events SET status = 'acknowledged', delivery = $3
      WHERE seq = (SELECT seq FROM turnpike.events WHERE account = $1 AND id = $2) AND status = 'failed' RETURNING id`,
  },
  orphaned: {
    name: 'orphaned-events',
    text: `SELECT id, subject FROM turnpike.events WHERE status = 'pending' AND created_at < $2
      AND account <> ALL ($1::text[]) ORDER BY seq LIMIT $3`,
  },
  giveUp: {
    name: 'give-up-events',
    text: `UPDATE turnpike.events SET status = 'failed', next_try_at = NULL, delivery = json_build_object('status', 'failed',
        'tries', delivery::json -> 'tries', 'failed_at', $2::text, 'reason', 'no_answer')::text
      WHERE seq = ANY (ARRAY(SELECT seq FROM turnpike.events WHERE id = ANY ($1::text[]))) AND status = 'pending' RETURNING id`,
  },
  moveUp: {
    name: 'move-up-events',
    text: `UPDATE turnpike.events SET next_try_at = created_at, planned_at = created_at WHERE next_try_at IS NULL AND seq = ANY (ARRAY(SELECT DISTINCT ON
      (subject) seq FROM ${pendingOf('= ANY ($1::text[])')} ORDER BY subject, ${line}))`,
  },
};

const statusIs = {
  pending: "status = 'pending'",
  delivered: "status = 'delivered'",
  failed: "status = 'failed'",
  acknowledged: "status = 'acknowledged'",
} as const;

/** A statement for each set of filters: only then does the server take the index that fits, and not read every event. */
function listStep({ account, status, type, subject, before, since, oldestFirst, limit }: EventFilter): Step {
  const [values, terms, filters]: [Value[], string[], string[]] = [[account, limit], ['account = $1'], []];
  const add = (name: string, value: string | undefined, term: (parameter: string) => string): void => {
    if (value === undefined) return;
    terms.push(term(`$${values.push(value)}`));
    filters.push(name);
  };
  if (status) terms.push(statusIs[status]);
  add('type', type, (parameter) => `type = ${parameter}`);
  if (type !== undefined && type !== COMMON_TYPE) {
    // The index of these types is only taken where the statement says that it is about them.
    terms.push(`type <> '${COMMON_TYPE}'`);
    filters.push('rare');
  }
  add('subject', subject, (parameter) => `subject = ${parameter}`);
  add('before', before, (parameter) => `seq < (SELECT seq FROM turnpike.events WHERE id = ${parameter})`);
  add('since', since, (parameter) => `created_at >= ${parameter}`);
  add('after', oldestFirst?.after, (parameter) => `seq > (SELECT seq FROM turnpike.events WHERE id = ${parameter})`);
  const [order, direction] = oldestFirst ? ['oldest', 'ASC'] : ['newest', 'DESC'];
  const name = ['list-events', order, status ?? 'any', ...filters].join('-');
  const text = `SELECT ${columns} FROM turnpike.events WHERE ${terms.join(' AND ')} ORDER BY seq ${direction} LIMIT $2`;
  return [{ name, text }, ...values];
}

function firstDelivery(next_try_at: string): Pending {
  return { status: 'pending', tries: 0, next_try_at };
}

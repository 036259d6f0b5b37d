import {
  type Acknowledged,
  COMMON_TYPE,
  type Delivery,
  type EventType,
  type NewEvent,
  type OutboxEvent,
  type OutboxFilter,
  type OutboxStore,
  type Pending,
  type RedeliveryResult,
} from '../facets/outbox.ts';
import { plannedAhead } from '../leases.ts';
import { eventFrom, pendingFrom } from '../rows.ts';
import { ask, dueBy, locks, type Plan, run, type Sql, type Step, statementsOf, type Value } from './plan.ts';

const columns = 'seq, id, account, subject, type, created_at, body, delivery';

/** The order in which the events of one subject are delivered. One that is delivered again has a new place. */
const line = 'coalesce(place, seq), place IS NOT NULL, seq';

/**
 * The outbox of webhooks. Of each subject's pending events only the oldest has a `next_try_at`: the others wait in line without being
 * looked at, however long a receiver is down.
 * @param add adds events as part of a transaction
 */
export function outbox(db: Sql, add: (events: readonly NewEvent[]) => Plan<void>): OutboxStore {
  const sql = statements(db);

  const claim = db.lease({
    name: 'claim-events',
    table: 'events',
    key: ['seq'],
    columns,
    due: dueBy('events', 'next_try_at', { now: '$3', ahead: '$5', where: 'account = $2' }, 'seq'),
    set: 'next_try_at = $4, planned_at = $3',
    // A crash of the server may undo this and the result of the delivery: the webhook is then delivered again.
    isLossy: true,
  });

  return {
    add: async (events) => {
      if (events.length > 0) await db.write(() => add(events));
    },

    leaseDue: async (account, now, until, limit) => {
      const { kept } = await db.times(now);
      return (await claim(limit, account, kept(now), kept(until), plannedAhead(kept(now)))).map(pendingFrom);
    },

    writeDelivery: async ({ id, subject }, delivery, now) => {
      const times = now === undefined ? undefined : await db.times(now);
      const kept = (moment: string): string => times?.kept(moment) ?? moment;
      const planned = now === undefined ? null : kept(now);
      await db.writeLossy(function* () {
        yield* db.lock(locks.subject(subject));
        if (delivery.status === 'pending') {
          yield* run([sql.retryEvent, id, kept(delivery.next_try_at), planned, JSON.stringify(delivery)]);
        } else yield* run(endStep(id, subject, delivery, planned));
      });
    },

    list: async (filter) => (await db.read(...listStep(db, filter))).map(eventFrom),

    get: async (account, id) => (await db.read(sql.event, account, id)).map(eventFrom)[0],

    redeliver: async (account, id, now) => {
      const { kept } = await db.times(now);
      return db.write(function* (): Plan<RedeliveryResult> {
        const [event] = (yield* ask(sql.event, account, id)).map(eventFrom);
        if (!event) return { kind: 'not_found' };
        const delivery: Pending = { status: 'pending', tries: 0, next_try_at: now };
        yield* db.lock(locks.subject(event.subject));
        const again = yield* ask(sql.redeliverEvent, id, kept(now), JSON.stringify(delivery), event.subject);
        return again.length > 0 ? { kind: 'redelivered', event: { ...event, delivery } } : { kind: 'pending' };
      });
    },

    acknowledge: (account, id, by, now) =>
      db.write(function* (): Plan<Acknowledged> {
        for (;;) {
          const done = acknowledging((yield* ask(sql.event, account, id)).map(eventFrom)[0], by, now);
          if (done.kind !== 'write') return done;
          const written = yield* ask(sql.acknowledgeEvent, id, JSON.stringify(done.delivery));
          // Otherwise another request acknowledged it meanwhile, or has it sent again.
          if (written.length > 0) return { kind: 'acknowledged', event: { ...done.event, delivery: done.delivery } };
        }
      }),

    failOrphaned: async (accounts, before, failedAt, limit) => {
      // Nearly always there are none.
      if (!(await db.finds(sql.orphanedEvents, before, accounts, 1))) return 0;
      return db.write(function* () {
        const orphaned = yield* ask(sql.orphanedEvents, before, accounts, limit);
        yield* db.lock(...new Set(orphaned.map(({ subject }) => locks.subject(String(subject)))));
        const pending = yield* ask(
          sql.pendingEvents,
          orphaned.map(({ id }) => String(id)),
        );
        for (const { id, subject, delivery } of pending.map(pendingFrom)) {
          const given = { status: 'failed', tries: delivery.tries, failed_at: failedAt, reason: 'no_answer' } as const;
          yield* run(endStep(id, subject, given, null));
        }
        return pending.length;
      });
    },
  };

  /** Ends the delivery of an event that is pending, and moves up the next one of its subject. */
  function endStep(id: string, subject: string, delivery: Delivery, planned: string | null): Step {
    return [sql.updateEvent, id, delivery.status, planned, JSON.stringify(delivery), subject];
  }
}

/** The delivery of an acknowledged event, or why it is not written. */
function acknowledging(
  event: OutboxEvent | undefined,
  by: string,
  acknowledged_at: string,
): { kind: 'write'; event: OutboxEvent; delivery: Delivery } | Acknowledged {
  if (!event) return { kind: 'not_found' };
  const { delivery } = event;
  switch (delivery.status) {
    case 'acknowledged':
      return { kind: 'acknowledged', event };
    case 'failed':
      return { kind: 'write', event, delivery: { ...delivery, status: 'acknowledged', acknowledged_at, by } };
    case 'pending':
    case 'delivered':
      return { kind: 'not_failed' };
  }
}

function statements(db: Sql) {
  const { table, anyOf, noneOf, fence } = db.dialect;
  const events = table('events');
  // PostgreSQL finds them by their subject, and not among all that are pending: these are many where a receiver is down. A single
  // one is found by its id and changed by its `seq` for the same reason.
  const pendingOf = (subject: string): string =>
    `(SELECT * FROM ${events} WHERE subject = ${subject} ${fence}) AS own WHERE status = 'pending'`;
  const isPending = `seq = (SELECT seq FROM ${events} WHERE id = $1) AND status = 'pending'`;
  // A clock that was ahead created it later than now.
  const atOnce = 'CASE WHEN $3 < created_at THEN $3 ELSE created_at END';
  return statementsOf(db.statement, {
    retryEvent: `UPDATE ${events} SET next_try_at = $2, planned_at = $3, delivery = $4 WHERE ${isPending}`,
    updateEvent: [
      `UPDATE ${events} SET status = $2, next_try_at = NULL, planned_at = $3, delivery = $4 WHERE ${isPending}`,
      `UPDATE ${events} SET next_try_at = ${atOnce}, planned_at = ${atOnce} WHERE next_try_at IS NULL AND seq =
        (SELECT seq FROM ${pendingOf('$5')} AND id <> $1 ORDER BY ${line} LIMIT 1)`,
    ],
    event: `SELECT ${columns} FROM ${events} WHERE account = $1 AND id = $2`,
    redeliverEvent: `UPDATE ${events} SET status = 'pending', delivery = $3, planned_at = $2,
        place = (SELECT max(coalesce(place, seq)) FROM ${pendingOf('$4')}),
        next_try_at = CASE WHEN NOT EXISTS (SELECT 1 FROM ${pendingOf('$4')}) THEN $2 END
      WHERE seq = (SELECT seq FROM ${events} WHERE id = $1) AND status <> 'pending' RETURNING id`,
    acknowledgeEvent: `UPDATE ${events} SET status = 'acknowledged', delivery = $2
      WHERE seq = (SELECT seq FROM ${events} WHERE id = $1) AND status = 'failed' RETURNING id`,
    orphanedEvents: `SELECT id, subject FROM ${table('events', 'events_pending')} WHERE status = 'pending' AND created_at < $1
      AND account ${noneOf('$2')} ORDER BY seq LIMIT $3`,
    pendingEvents: `SELECT ${columns} FROM ${events} WHERE seq IN (SELECT seq FROM ${events} WHERE id ${anyOf('$1')})
      AND status = 'pending' ORDER BY seq`,
  });
}

const statusIs = {
  pending: "status = 'pending'",
  delivered: "status = 'delivered'",
  failed: "status = 'failed'",
  acknowledged: "status = 'acknowledged'",
} as const;

/** A statement for each set of filters: only then is the index taken that fits, and not every event read. */
function listStep(db: Sql, filter: OutboxFilter): Step {
  const { account, status, type, subject, before, since, oldestFirst, limit } = filter;
  const events = db.dialect.table('events');
  const [values, terms, filters]: [Value[], string[], string[]] = [[account, limit], ['account = $1'], []];
  const add = (name: string, value: string | undefined, term: (parameter: string) => string): void => {
    if (value === undefined) return;
    terms.push(term(`$${values.push(value)}`));
    filters.push(name);
  };
  if (status) terms.push(statusIs[status]);
  add('type', type, (parameter) => `type = ${parameter}`);
  if (isRare(type)) {
    // The index of these types is only taken where the statement says that it is about them.
    terms.push(`type <> '${COMMON_TYPE}'`);
    filters.push('rare');
  }
  add('subject', subject, (parameter) => `subject = ${parameter}`);
  add('before', before, (parameter) => `seq < (SELECT seq FROM ${events} WHERE id = ${parameter})`);
  add('since', since, (parameter) => `created_at >= ${parameter}`);
  add('after', oldestFirst?.after, (parameter) => `seq > (SELECT seq FROM ${events} WHERE id = ${parameter})`);
  const [order, direction] = oldestFirst ? ['oldest', 'ASC'] : ['newest', 'DESC'];
  const name = ['list-events', order, status ?? 'any', ...filters].join('-');
  const from = db.dialect.table('events', indexOf(filter));
  const text = `SELECT ${columns} FROM ${from} WHERE ${terms.join(' AND ')} ORDER BY seq ${direction} LIMIT $2`;
  return [db.statement(name, text), ...values];
}

/** SQLite does not know that what waits or failed is little, and would rather read all events of the account. */
function indexOf({ status, type, subject }: OutboxFilter): string | undefined {
  if (subject !== undefined) return undefined;
  if (status !== undefined && status !== 'delivered') return `events_${status}`;
  return isRare(type) ? 'events_of_type' : undefined;
}

function isRare(type: EventType | undefined): boolean {
  return type !== undefined && type !== COMMON_TYPE;
}

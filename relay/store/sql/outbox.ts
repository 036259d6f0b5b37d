import {
  type Acknowledged,
  COMMON_TYPE,
  type Delivery,
  type DeliveryKey,
  type EventType,
  type NewEvent,
  type OutboxFilter,
  type OutboxStore,
  type Pending,
  type RedeliveryResult,
} from '../facets/outbox.ts';
import { plannedAhead } from '../leases.ts';
import { parsed, type Row } from '../row.ts';
import { deliveryId, eventFrom, pendingFrom, wholeDelivery } from '../rows.ts';
import { ask, dueBy, locks, type Plan, run, type Sql, type Step, statementsOf, type Value } from './plan.ts';

const columns = 'seq, id, account, subject, type, created_at, body, delivery, endpoint, event_id';

/** The order in which an endpoint gets the events of one subject. A redelivered event has a new place. */
const line = 'coalesce(place, seq), place IS NOT NULL, seq';

/**
 * The outbox of webhooks. Of the pending rows of a subject and endpoint only the oldest has a `next_try_at`. The others
 * wait in line and are not read, however long a receiver is down. `newEventRows` defines the rows of an event.
 * @param add adds events within a transaction
 */
export function outbox(db: Sql, add: (events: readonly NewEvent[]) => Plan<void>): OutboxStore {
  const sql = statements(db);

  const claim = db.lease({
    name: 'claim-events',
    table: 'events',
    key: ['seq'],
    columns,
    due: dueBy('events', 'next_try_at', { now: '$4', ahead: '$6', where: 'account = $2 AND endpoint = $3' }, 'seq'),
    set: 'next_try_at = $5, planned_at = $4',
    // A crash of the server may undo this together with the result of the delivery: the webhook is then delivered
    // again.
    isLossy: true,
  });

  return {
    add: async (events) => {
      if (events.length > 0) await db.write(() => add(events));
    },

    leaseDue: async (account, endpoint, now, until, limit) => {
      const { kept } = await db.times(now);
      const rows = await claim(limit, account, endpoint, kept(now), kept(until), plannedAhead(kept(now)));
      return rows.map(pendingFrom);
    },

    writeDelivery: async (event, delivery, now) => {
      const times = now === undefined ? undefined : await db.times(now);
      const kept = (moment: string): string => times?.kept(moment) ?? moment;
      const planned = now === undefined ? null : kept(now);
      await db.writeLossy(function* () {
        yield* db.lock(locks.subject(event.subject));
        if (delivery.status === 'pending') {
          const tried = [kept(delivery.next_try_at), planned, JSON.stringify(delivery), event.subject];
          yield* run([sql.retryEvent, event.id, ...tried]);
        } else yield* run(endStep(event, delivery, planned));
        yield* updateWhole(event.event_id);
      });
    },

    list: async (filter) => (await db.read(...listStep(db, filter))).map(eventFrom),

    get: async (account, id) => (await db.read(sql.event, account, id)).map(eventFrom)[0],

    redeliver: async (account, id, now, endpointsFor) => {
      const { kept } = await db.times(now);
      return db.write(function* (): Plan<RedeliveryResult> {
        const [event] = (yield* ask(sql.event, account, id)).map(eventFrom);
        if (!event) return { kind: 'not_found' };
        yield* db.lock(locks.subject(event.subject));
        const own = (yield* ask(sql.deliveries, id)).map(ownDeliveryFrom);
        const chosen = chooseAgain(own, endpointsFor(event.type));
        if (chosen.kind !== 'again') return chosen;
        const delivery: Pending = { status: 'pending', tries: 0, next_try_at: now };
        let count = 0;
        for (const endpoint of chosen.endpoints) {
          const row = own.find((one) => one.endpoint === endpoint)?.id ?? deliveryId(id, endpoint);
          if (chosen.isNew) yield* run([sql.addDelivery, id, row, endpoint]);
          const values = [kept(now), JSON.stringify(delivery), event.subject, endpoint];
          count += (yield* ask(sql.redeliverEvent, row, ...values)).length;
        }
        if (count === 0) return { kind: 'pending' };
        if (chosen.isNew || own.some((one) => one.id !== id)) yield* updateWhole(id);
        const [again] = (yield* ask(sql.event, account, id)).map(eventFrom);
        return { kind: 'redelivered', event: again ?? event };
      });
    },

    acknowledge: (account, id, by, now) =>
      db.write(function* (): Plan<Acknowledged> {
        const [event] = (yield* ask(sql.event, account, id)).map(eventFrom);
        if (!event) return { kind: 'not_found' };
        yield* db.lock(locks.subject(event.subject));
        const own = (yield* ask(sql.deliveries, id)).map(ownDeliveryFrom);
        for (const { id: row, delivery } of own) {
          if (delivery.status !== 'failed') continue;
          const done: Delivery = { ...delivery, status: 'acknowledged', acknowledged_at: now, by };
          yield* run([sql.acknowledgeEvent, row, JSON.stringify(done)]);
        }
        if (!own.some(({ delivery: { status } }) => status === 'failed' || status === 'acknowledged')) {
          return { kind: 'not_failed' };
        }
        if (own.some((one) => one.id !== id)) yield* updateWhole(id);
        const [after] = (yield* ask(sql.event, account, id)).map(eventFrom);
        return { kind: 'acknowledged', event: after ?? event };
      }),

    failOrphaned: (accounts, before, failed_at, limit) =>
      endAll([sql.orphanedEvents, before, accounts], limit, ({ tries }) => {
        return { status: 'failed', tries, failed_at, reason: 'no_answer' };
      }),

    endRemoved: (accounts, endpoints, before, limit) => {
      const known = endpoints.map(({ account, endpoint }) => deliveryId(account, endpoint));
      return endAll([sql.removedEvents, before, accounts, known], limit, ({ tries }) => ({ status: 'kept', tries }));
    },

    waiting: async ({ account, endpoint }, limit) =>
      (await db.read(sql.waitingDeliveries, account, endpoint, limit)).map(({ delivery }) => parsed(delivery)),
  };

  /** Ends the delivery of a pending event, and moves up the next one of its subject and endpoint. */
  function endStep({ id, subject, endpoint }: DeliveryKey, delivery: Delivery, planned: string | null): Step {
    return [sql.updateEvent, id, delivery.status, planned, JSON.stringify(delivery), subject, endpoint];
  }

  /** Writes the combined state of an event's deliveries. The lock of its subject must be held. */
  function* updateWhole(id: string | undefined): Plan<void> {
    if (id === undefined) return;
    const own = (yield* ask(sql.deliveries, id)).map(ownDeliveryFrom).filter((one) => one.id !== id);
    const whole = wholeDelivery(own.map(({ endpoint, delivery }) => ({ endpoint, delivery })));
    yield* run([sql.updateWhole, id, whole.status, JSON.stringify(whole)]);
  }

  /** Ends at most `limit` of the pending deliveries that a statement finds. Returns their number. */
  async function endAll(found: Step, limit: number, end: (pending: Pending) => Delivery): Promise<number> {
    // In nearly all cases there are none.
    if (!(await db.finds(...found, 1))) return 0;
    return db.write(function* () {
      const rows = yield* ask(...found, limit);
      yield* db.lock(...new Set(rows.map(({ subject }) => locks.subject(String(subject)))));
      const ids = rows.map(({ id }) => String(id));
      const pending = (yield* ask(sql.pendingEvents, ids)).map(pendingFrom);
      for (const event of pending) yield* run(endStep(event, end(event.delivery), null));
      for (const id of new Set(pending.map(({ event_id }) => event_id))) yield* updateWhole(id);
      return pending.length;
    });
  }
}

/** A delivery with the id of its row. */
type OwnDelivery = { id: string; endpoint: string; delivery: Delivery };

function ownDeliveryFrom(row: Row): OwnDelivery {
  return { id: String(row.id), endpoint: String(row.endpoint), delivery: parsed(row.delivery) };
}

/** The endpoints to which an event is sent again. `isNew`: the event was never sent to them. */
function chooseAgain(
  own: readonly OwnDelivery[],
  endpoints: readonly string[],
): { kind: 'again'; endpoints: readonly string[]; isNew: boolean } | { kind: 'pending' } | { kind: 'unwanted' } {
  const known = own.filter(({ endpoint }) => endpoints.includes(endpoint));
  if (known.length === 0) {
    return endpoints.length === 0 ? { kind: 'unwanted' } : { kind: 'again', endpoints, isNew: true };
  }
  const lacking = known.filter(({ delivery }) => delivery.status !== 'delivered' && delivery.status !== 'pending');
  if (lacking.length === 0 && known.some(({ delivery }) => delivery.status === 'pending')) return { kind: 'pending' };
  const again = lacking.length > 0 ? lacking : known;
  return { kind: 'again', endpoints: again.map(({ endpoint }) => endpoint), isNew: false };
}

function statements(db: Sql) {
  const { table, anyOf, noneOf, fence } = db.dialect;
  const events = table('events');
  // PostgreSQL searches by the subject and not all pending rows, which are many if a receiver is down. A single row is
  // found by its id and changed by its `seq` for the same reason.
  const pendingOf = (subject: string, endpoint: string): string =>
    `(SELECT * FROM ${events} WHERE subject = ${subject} ${fence}) AS own WHERE status = 'pending' AND endpoint = ${endpoint}`;
  const isPending = (subject: string): string =>
    `subject = ${subject} AND seq = (SELECT seq FROM ${events} WHERE id = $1 AND subject = ${subject}) AND status = 'pending'`;
  // A clock that was ahead set its creation to a later time than now.
  const atOnce = 'CASE WHEN $3 < created_at THEN $3 ELSE created_at END';
  const delivery = 'seq, id, endpoint, delivery';
  const pending = table('events', 'events_pending');
  return statementsOf(db.statement, {
    retryEvent: `UPDATE ${events} SET next_try_at = $2, planned_at = $3, delivery = $4 WHERE ${isPending('$5')}`,
    updateEvent: [
      `UPDATE ${events} SET status = $2, next_try_at = NULL, planned_at = $3, delivery = $4 WHERE ${isPending('$5')}`,
      `UPDATE ${events} SET next_try_at = ${atOnce}, planned_at = ${atOnce} WHERE next_try_at IS NULL AND subject = $5 AND seq =
        (SELECT seq FROM ${pendingOf('$5', '$6')} AND id <> $1 ORDER BY ${line} LIMIT 1)`,
    ],
    event: `SELECT ${columns} FROM ${events} WHERE account = $1 AND id = $2`,
    deliveries: `SELECT ${delivery} FROM ${events} WHERE id = $1 AND endpoint <> '' UNION ALL
      SELECT ${delivery} FROM ${table('events', 'events_deliveries')} WHERE event_id = $1 ORDER BY seq`,
    updateWhole: `UPDATE ${events} SET status = $2, endpoint = '', next_try_at = NULL, delivery = $3 WHERE seq = (SELECT seq FROM ${events} WHERE id = $1)`,
    addDelivery: `INSERT INTO ${events} (id, account, subject, type, created_at, body, status, delivery, endpoint, event_id)
      SELECT $2, account, subject, type, created_at, body, 'kept', '{"status":"kept","tries":0}', $3, id FROM ${events} WHERE id = $1
      ON CONFLICT DO NOTHING`,
    redeliverEvent: `UPDATE ${events} SET status = 'pending', delivery = $3, planned_at = $2,
        place = (SELECT max(coalesce(place, seq)) FROM ${pendingOf('$4', '$5')}),
        next_try_at = CASE WHEN NOT EXISTS (SELECT 1 FROM ${pendingOf('$4', '$5')}) THEN $2 END
      WHERE seq = (SELECT seq FROM ${events} WHERE id = $1) AND status <> 'pending' RETURNING id`,
    acknowledgeEvent: `UPDATE ${events} SET status = 'acknowledged', delivery = $2
      WHERE seq = (SELECT seq FROM ${events} WHERE id = $1) AND status = 'failed'`,
    orphanedEvents: `SELECT id, subject FROM ${pending} WHERE status = 'pending' AND endpoint <> '' AND created_at < $1
      AND account ${noneOf('$2')} ORDER BY seq LIMIT $3`,
    removedEvents: `SELECT id, subject FROM ${pending} WHERE status = 'pending' AND endpoint <> '' AND created_at < $1
      AND account ${anyOf('$2')} AND account || '/' || endpoint ${noneOf('$3')} ORDER BY seq LIMIT $4`,
    pendingEvents: `SELECT ${columns} FROM ${events} WHERE seq IN (SELECT seq FROM ${events} WHERE id ${anyOf('$1')})
      AND status = 'pending' ORDER BY seq`,
    waitingDeliveries: `SELECT delivery FROM ${table('events', 'events_due')} WHERE account = $1 AND endpoint = $2
      AND next_try_at IS NOT NULL ORDER BY next_try_at LIMIT $3`,
  });
}

const statusIs = {
  pending: "status = 'pending'",
  delivered: "status = 'delivered'",
  failed: "status = 'failed'",
  acknowledged: "status = 'acknowledged'",
  kept: "status = 'kept'",
} as const;

/** A statement for each set of filters, because only then the right index is used and not every event is read. */
function listStep(db: Sql, filter: OutboxFilter): Step {
  const { account, status, type, subject, before, since, oldestFirst, limit } = filter;
  const events = db.dialect.table('events');
  const [values, terms, filters]: [Value[], string[], string[]] = [
    [account, limit],
    ['account = $1', 'event_id IS NULL'],
    [],
  ];
  const add = (name: string, value: string | undefined, term: (parameter: string) => string): void => {
    if (value === undefined) return;
    terms.push(term(`$${values.push(value)}`));
    filters.push(name);
  };
  if (status) terms.push(statusIs[status]);
  add('type', type, (parameter) => `type = ${parameter}`);
  if (isRare(type)) {
    // PostgreSQL uses the index of these types only if the statement names them.
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

/** SQLite does not know that few events wait or failed, and would read all events of the account. */
function indexOf({ status, type, subject }: OutboxFilter): string | undefined {
  if (subject !== undefined) return undefined;
  if (status !== undefined && status !== 'delivered' && status !== 'kept') return `events_${status}`;
  return isRare(type) ? 'events_of_type' : undefined;
}

function isRare(type: EventType | undefined): boolean {
  return type !== undefined && type !== COMMON_TYPE;
}

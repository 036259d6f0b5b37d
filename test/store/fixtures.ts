import type { Attempt } from '../../relay/payments/attempt.ts';
import type { RefundReservation } from '../../relay/payments/ledger/accounting.ts';
import type { StoredOperation } from '../../relay/payments/operations/operation.ts';
import type { StoredOrder } from '../../relay/payments/order.ts';
import type { Session, SessionState } from '../../relay/payments/session.ts';
import type { Notification } from '../../relay/store/facets/notifications.ts';
import type { OrderWrite } from '../../relay/store/facets/orders.ts';
import type { DeliveryKey, EventFacts, NewEvent } from '../../relay/store/facets/outbox.ts';
import { retainedKinds } from '../../relay/store/facets/retention.ts';
import type { Lease } from '../../relay/store/leases.ts';
import type { Schema, SchemaStep } from '../../relay/store/schema/schema.ts';
import type { Store } from '../../relay/store/store.ts';
import { order } from '../../shared/checkout/session.ts';

/** Opens an empty store for one test and closes it afterwards. */
export type Open = () => Promise<Store>;

/** This many seconds after the start of 2026. */
export const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();

export const lease = (now: number, until: number, limit = 10): Lease => ({ now: at(now), until: at(until), limit });

export const ids = (things: readonly { id: string }[]): string[] => things.map(({ id }) => id);

export function session(id: string, orderNo = 'A', account = 'demo'): Session {
  return {
    id,
    account,
    order_no: orderNo,
    created_at: at(0),
    expires_at: at(86_400),
    revision: 1,
    version: 1,
    terms: {
      order: order.parse({ order_no: orderNo, currency: 'BRL', amount: '10.00' }),
      methods: [{ type: 'card' }],
      installment_options: [],
      saved_cards: [],
      collect: [],
    },
    state: { status: 'open' },
  };
}

export function attempt(id: string, of: Session, more: Partial<Attempt> = {}): Attempt {
  const { account, order_no } = of;
  return {
    id,
    session_id: of.id,
    account,
    order_no,
    method: 'card',
    amount: '10.00',
    currency: 'BRL',
    started_at: at(0),
    state: { status: 'in_flight' },
    ...more,
  };
}

export function next(of: Session, state: SessionState): Session {
  return { ...of, version: of.version + 1, state };
}

export function unknown(attempt_id: string, more: { needs_attention?: boolean; since?: number } = {}): SessionState {
  const { needs_attention = false, since = 0 } = more;
  const search = { reason: 'timeout', looks: 0, needs_attention, since: at(since) } as const;
  return { status: 'unknown', attempt_id, search };
}

/** Changes the state of a session, and further given fields of the order. Returns the session afterwards. */
export async function moved(
  store: Store,
  of: Session,
  state: SessionState,
  more: (before: StoredOrder) => Partial<StoredOrder> = () => ({}),
): Promise<Session> {
  const before = await store.orders.get(of.account, of.order_no);
  const sessions = before.sessions.map((one) => (one.id === of.id ? { ...one, state } : one));
  const written = await store.orders.write({ before, after: { ...before, sessions, ...more(before) }, events: [] });
  const after = await store.sessions.get(of.id);
  if (written.kind !== 'written' || !after) throw new Error(`not written: ${written.kind}`);
  return after;
}

/** A write that starts an attempt of a session, based on what was read. The session may be new to the order. */
export function starting(before: StoredOrder, of: Session, id: string, started_at = at(0)): OrderWrite {
  const begun = attempt(id, of, { started_at });
  const paying: Session = { ...of, state: { status: 'processing', attempt_id: id } };
  const others = before.sessions.filter((one) => one.id !== of.id);
  const after: StoredOrder = {
    ...before,
    hold: 'held',
    sessions: [...others, paying],
    attempts: [...before.attempts, begun],
  };
  return { before, after, events: [] };
}

/** Adds a session whose one attempt has begun. */
export async function processing(store: Store, id: string, orderNo = id): Promise<Session> {
  const open = session(id, orderNo);
  await store.sessions.create(open);
  const begun = attempt(`at_${id}`, open);
  return moved(store, open, { status: 'processing', attempt_id: begun.id }, ({ attempts }) => ({
    hold: 'held',
    attempts: [...attempts, begun],
  }));
}

/** Adds orders with the next query due at these moments: `u3` at the third second. */
export async function dueAt(store: Store, ...seconds: number[]): Promise<void> {
  for (const second of seconds) {
    const started = await processing(store, `u${second}`);
    await moved(store, started, unknown(`at_u${second}`), () => ({ next_query_at: at(second) }));
  }
}

/** Pays a session that `processing` added. */
export async function approve(store: Store, started: Session, transaction_id = 'T'): Promise<Session> {
  const attempt_id = `at_${started.id}`;
  return moved(store, started, { status: 'approved', attempt_id, transaction_id }, ({ attempts }) => ({
    hold: 'paid',
    payments: [{ transaction_id, amount: '10.00', currency: 'BRL', attempt_id, proof: 'answer', date: at(0) }],
    attempts: attempts.map((one) =>
      one.id === attempt_id ? { ...one, transaction_id, state: { status: 'approved' } } : one,
    ),
  }));
}

/** The type and the subject of an event. */
export function facts(id: string, subject = id, change: Partial<EventFacts> = {}): EventFacts {
  return { id, account: 'demo', subject, type: 'session.unknown', created_at: at(0), body: `{"${id}":1}`, ...change };
}

/** An event for the endpoint `default`. */
export function event(id: string, subject = id, change: Partial<NewEvent> = {}): NewEvent {
  return { ...facts(id, subject, change), endpoints: change.endpoints ?? ['default'] };
}

/** The endpoint that receives every event. */
export const toDefault = (): string[] => ['default'];

/** The delivery of an event with one endpoint. */
export function sent({ id, subject }: Pick<NewEvent, 'id' | 'subject'>): DeliveryKey {
  return { id, subject, endpoint: 'default' };
}

export const delivered = { status: 'delivered', tries: 1, delivered_at: at(1) } as const;
export const failed = { status: 'failed', tries: 9, failed_at: at(1), reason: 'timeout' } as const;

export function operation(id: string, more: Partial<StoredOperation> = {}): StoredOperation {
  return {
    id,
    account: 'demo',
    name: 'refund',
    by: 'server',
    created_at: at(0),
    version: 1,
    request: {},
    state: { status: 'in_flight' },
    ...more,
  };
}

export const answered: StoredOperation['state'] = { status: 'answered', answer: {}, items: ['succeeded'] };
export const noAnswer: StoredOperation['state'] = { status: 'unknown', reason: 'timeout', since: at(0), evidence: {} };

export function nextOperation(
  of: StoredOperation,
  state: StoredOperation['state'],
  more: Partial<StoredOperation> = {},
): StoredOperation {
  return { ...of, version: of.version + 1, state, ...more };
}

export function refund(amount: bigint, original = 1000n, currency = 'BRL', transaction_id = 'T'): RefundReservation {
  return { name: 'refund', transaction_id, currency, amount, original };
}

export const key = { account: 'demo', route: '/v1/refund', key: 'k-1' };
export const claim = { ...key, fingerprint: 'f', claimed_at: at(3600) };

export function notification(subject: string, seconds: number, sha256 = 'a'): Notification {
  const fields = { order_no: 'A' };
  return { kind: 'payment', subject, account: 'demo', received_at: at(seconds), bytes: 10, sha256, fields };
}

/** A step of a later version of the schema, and what it adds. */
export const laterStep: SchemaStep = ({ schema, text, bigint, boolean, serial, rows, no, is, hasProcedures }) => `
  CREATE TABLE ${schema}later (seq ${serial}, name ${text} NOT NULL, amount ${bigint} NOT NULL, is_new ${boolean} NOT NULL)${rows};
  CREATE INDEX later_new ON ${schema}later (name) WHERE ${is('is_new')};
  INSERT INTO ${schema}later (name, amount, is_new) VALUES ('B', ${2n ** 53n + 1n}, ${no}), ('a', 1, TRUE);
  ${hasProcedures ? `CREATE FUNCTION ${schema}next() RETURNS INTEGER LANGUAGE sql AS 'SELECT 1'` : ''}`;
export const laterRows = {
  text: 'SELECT seq, name, CAST(amount AS text) AS amount FROM later ORDER BY name',
  rows: [
    { seq: 1, name: 'B', amount: '9007199254740993' },
    { seq: 2, name: 'a', amount: '1' },
  ],
};

/** The steps of the schema before this one. */
export function stepsBefore({ steps }: Schema, step: string): readonly string[] {
  const at = steps.indexOf(step);
  if (at < 0) throw new Error('there is no such step');
  return steps.slice(0, at);
}

/** Rows of events in a store without endpoints: two that wait, and one that was delivered. */
export const earlierEvents = (['e1', 'e2', 'e3'] as const).map((id) => {
  const delivery = id === 'e3' ? delivered : { status: 'pending', tries: 0, next_try_at: at(0) };
  const next = id === 'e1' ? at(0) : null;
  const row = { ...facts(id, 's'), status: delivery.status, delivery: JSON.stringify(delivery), next_try_at: next };
  return { columns: Object.keys(row), values: Object.values(row) };
});

/** Sends the events that wait for the endpoint `default`, and returns their ids in the order of sending. */
export async function sendAll(store: Store): Promise<string[]> {
  const order: string[] = [];
  for (;;) {
    const claimed = await store.outbox.leaseDue('demo', 'default', at(9), at(60), 10);
    if (claimed.length === 0) return order;
    for (const one of claimed) await store.outbox.writeDelivery(one, delivered);
    order.push(...ids(claimed));
  }
}

let probes = 0;

/**
 * For each transaction_id, the known one of which it is another spelling, as the store reports it. The store is
 * unchanged.
 */
export async function spellingsOf(store: Store, account: string, ...names: string[]): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = [];
  for (const name of names) {
    const probe = operation(`probe ${probes++}`, { account });
    const begun = await store.operations.begin(probe, [refund(1n, 1n, 'BRL', name)]);
    const unsent = { operation: nextOperation(probe, { status: 'not_sent' }), counted: [false], events: [] };
    if (begun.kind === 'begun') await store.operations.finish(unsent);
    found.push(begun.kind === 'other_form' ? begun.known : undefined);
  }
  return found;
}

/** Operations on a payment as stored by the previous version, and what a later version derives from them. */
export const earlierOperations = (['capture', 'cancel', 'review', 'refund'] as const).map((name) => {
  const item = {
    transaction_id: 'T',
    currency: 'BRL',
    amount: '10.00',
    ...(name === 'review' ? { review_flag: 'NO' } : {}),
  };
  // PostgreSQL’s texts can contain neither of these.
  const state = { status: 'answered' as const, answer: { note: '\u0000\ud83d' }, items: ['succeeded' as const] };
  return operation(`op_${name}`, { name, request: { [`${name}_orders`]: [item] }, state });
});
export const earlierOnPayments = (['cancel', 'capture', 'review'] as const).map((name) => ({
  ...{ transaction_id: 'T', operation_id: `op_${name}`, name, amount: '10.00', currency: 'BRL', outcome: 'succeeded' },
  ...(name === 'review' ? { flag: 'NO' } : {}),
}));

/**
 * Values of `orders` as stored by the previous version: more paid orders than one query contains, and one that is
 * free.
 */
export const earlierOrders = Array.from({ length: 102 }, (_, n) => {
  const values = ['demo', `A-${n}`, n === 0 ? 'free' : 'paid'];
  return { columns: ['account', 'order_no', 'hold'], values };
});

/** How many of these orders are queried at once, and later. */
export async function plannedOf({ orders }: Store): Promise<{ first: number; later: number }> {
  const due = async (afterMs: number): Promise<number> => {
    const moment = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const terms = { now: moment(afterMs), until: moment(afterMs + 60_000), limit: 200 };
    return (await orders.leaseDue(terms, ['demo'], moment(afterMs))).length;
  };
  return { first: await due(1000), later: await due(15_000) };
}
export const earlierPlanned = { first: 100, later: 1 };

/** Two orders that an earlier version listed; one of them waits to be listed again. */
export const earlierListed = (schema = ''): string => `
  INSERT INTO ${schema}listed_orders (account, order_no, created_at, terms, summary)
    VALUES ('demo', 'A', 1, '', '{}'), ('demo', 'B', 2, '', '{}');
  INSERT INTO ${schema}unlisted (account, order_no) VALUES ('demo', 'B');`;

/** The number of orders that wait to be listed. */
export function waiting({ listing }: Store): Promise<number> {
  return listing.refresh(10, { order: () => undefined, operation: () => [] });
}

/** Takes one step of the deletion of each kind but keys, from the oldest row on. True when there may be more. */
export async function purgeOnce(
  { retention }: Store,
  { before, counted_before, limit }: { before: string; counted_before: string; limit: number },
): Promise<boolean> {
  let isMore = false;
  for (const kind of retainedKinds) {
    if (kind === 'keys' || kind === 'counted') continue;
    isMore = (await retention.purge({ kind, before, limit })).isMore || isMore;
  }
  await purgeCounted(retention, counted_before, limit);
  return isMore;
}

/** Attempts that were counted are looked at part by part, however few of them are old. */
async function purgeCounted(retention: Store['retention'], before: string, limit: number): Promise<void> {
  let after: readonly string[] | undefined;
  do {
    const { isMore, last } = await retention.purge({ kind: 'counted', before, limit, ...(after ? { after } : {}) });
    after = isMore ? last : undefined;
  } while (after);
}

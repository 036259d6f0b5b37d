import type { OrderWrite, OrderWritten, SpellingKnown, TransactionKnown } from '../../facets/orders.ts';
import { later } from '../../leases.ts';
import {
  changedSessionRow,
  changesOf,
  droppedTransactions,
  formToCheck,
  newSessionRow,
  orderData,
  termsColumn,
  transactionsOf,
  writtenOrder,
} from '../../order-changes.ts';
import { parsed } from '../../row.ts';
import { newEventRows } from '../../rows.ts';
import { auditRows } from '../appends.ts';
import { procedure, type ValuesOf } from '../schema/parameters.ts';
import { writeOrdersParameters } from '../schema/procedures.ts';
import type { PostgresDatabase } from '../server/database.ts';
import { PostgresFault } from '../server/errors.ts';
import { type CountedGroup, groupsOf, limitedIn } from './quotas.ts';

/** A write, and the milliseconds by which the server's clock is ahead of its writer's. */
export type TimedWrite = OrderWrite & { ahead: number };

/**
 * The time at which the first write began to wait (`performance.now`), and how long the writes may wait for each lock.
 */
type Waiting = { start: number; lockMs: number };

/**
 * Writes changes of different orders by one call of the server, and returns the result of each. If it throws
 * PostgresFault or StoreError, nothing was written.
 */
export async function writeOrders(
  db: PostgresDatabase,
  writes: readonly TimedWrite[],
  waiting: Waiting,
): Promise<OrderWritten[]> {
  const groups = groupsOf(writes.flatMap(countedOf));
  const verdict = await db.call(waiting.start, write, valuesOf(writes, groups, waiting.lockMs));
  switch (verdict) {
    case undefined:
      return writes.map(() => ({ kind: 'written' }));
    case 'changed':
    case 'key_lost':
      return writes.map(() => ({ kind: verdict }));
    default: {
      const known = knownIn(verdict);
      if (known) return writes.map(() => known);
      return writeUnlimited(db, writes, groups, new Map(parsed<[number, number][]>(verdict)), waiting);
    }
  }
}

/** The known value in the verdict about one write: a transaction that paid another order, or another spelling. */
function knownIn(verdict: string): TransactionKnown | SpellingKnown | undefined {
  if (verdict.startsWith(SPELLED)) return { kind: 'other_form', known: parsed<string>(verdict.slice(SPELLED.length)) };
  if (!verdict.startsWith(KNOWN)) return undefined;
  const [transaction_id, order_no] = parsed<[string, string]>(verdict.slice(KNOWN.length));
  return { kind: 'transaction_known', transaction_id, order_no };
}

const KNOWN = 'known ';
const SPELLED = 'spelled ';

const countedOf = ({ quotas }: OrderWrite) => (quotas ? [{ quotas: quotas.counted, at: quotas.at }] : []);

/** Makes the writes that no quota limits; for `usedUp` see `limitedIn`. */
async function writeUnlimited(
  db: PostgresDatabase,
  writes: readonly TimedWrite[],
  groups: readonly CountedGroup[],
  usedUp: ReadonlyMap<number, number>,
  waiting: Waiting,
): Promise<OrderWritten[]> {
  const limited = writes.map((write) => countedOf(write).map((counted) => limitedIn(counted, groups, usedUp))[0]);
  const free = writes.filter((_, i) => !limited[i]);
  if (free.length === writes.length) throw new PostgresFault('the server named no quota of these attempts');
  const written = (free.length > 0 ? await writeOrders(db, free, waiting) : []).values();
  return limited.flatMap((one) => one ?? written.next().value ?? []);
}

/** The newest `write_orders`. */
const write = procedure('write_orders', writeOrdersParameters);

function valuesOf(
  given: readonly TimedWrite[],
  groups: readonly CountedGroup[],
  lockMs: number,
): ValuesOf<typeof writeOrdersParameters> {
  // Sorted, so that no two relays wait for each other.
  const writes = given.toSorted((a, b) => compare(nameOf(a), nameOf(b)));
  const changes = writes.map(({ before, after }) => ({ before, ...changesOf(before, writtenOrder(before, after)) }));
  const changed = changes.flatMap(({ before, changedSessions }) =>
    changedSessions.map(({ session, hasNewTerms }) => ({
      ...{ ...changedSessionRow(session), ...keyOf(before) },
      ...(hasNewTerms ? { terms: termsColumn(session.terms) } : {}),
    })),
  );
  const paid = writes.flatMap(({ before, after }) =>
    transactionsOf(before, after).map((payment) => ({
      key: keyOf(before),
      payment,
      form: formToCheck(before, payment),
    })),
  );
  return {
    lock_ms: lockMs,
    jobs: writes.length,
    orders: writes.map(orderRow),
    changed: changed.length,
    changed_sessions: changed,
    new_sessions: changes.flatMap(({ before, newSessions }) =>
      newSessions.map((session) => ({ ...newSessionRow(session), ...keyOf(before) })),
    ),
    new_attempts: changes.flatMap(({ before, newAttempts }) =>
      newAttempts.map((one) => ({
        ...{ id: one.id, session_id: one.session_id, ...keyOf(before) },
        ...{ started_at: one.started_at, data: JSON.stringify(one) },
      })),
    ),
    changed_attempts: changes.flatMap(({ before, changedAttempts }) =>
      changedAttempts.map((one) => ({ id: one.id, ...keyOf(before), data: JSON.stringify(one) })),
    ),
    transactions: paid.map(({ key, payment: { transaction_id, amount, currency }, form }) => ({
      ...key,
      ...{ transaction_id: transaction_id.toWellFormed(), amount, currency, form },
    })),
    dropped: writes.flatMap(({ before, after }) =>
      droppedTransactions(before, after).map((id) => ({ ...keyOf(before), transaction_id: id.toWellFormed() })),
    ),
    leads: writes.flatMap(({ lead }) => (lead ? [{ ...lead.key, earlier: undefined, subject: lead.subject }] : [])),
    events: writes.flatMap(({ events }) => events.flatMap(newEventRows)),
    quotas: groups,
    uncounted: groupsOf(writes.flatMap(({ uncounted }) => uncounted ?? [])),
    answers: writes.flatMap(({ answered }) => answered ?? []),
    audits: auditRows(writes.map(({ audit }) => audit)),
    shared: paid.flatMap(({ key, payment: { transaction_id, also_paid } }) =>
      also_paid === undefined ? [] : [{ ...key, transaction_id: transaction_id.toWellFormed() }],
    ),
  };
}

const nameOf = ({ before }: OrderWrite): string => `${before.account} ${before.order_no}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** PostgreSQL does not accept half of a surrogate pair. */
function keyOf({ account, order_no }: OrderWrite['before']): { account: string; order_no: string } {
  return { account, order_no: order_no.toWellFormed() };
}

/**
 * The time at which this write planned the next query (ISO 8601). Undefined for a plan that was read: it is already in
 * the server's time.
 */
export function newPlanAt({ before, after: { next_query_at, planned_at } }: OrderWrite): string | undefined {
  return next_query_at !== undefined && planned_at !== before.planned_at ? planned_at : undefined;
}

function orderRow(write: TimedWrite): object {
  const { before, after, release, ahead } = write;
  const { hold, next_query_at, planned_at } = after;
  const asked = after.queries.last?.at;
  const released = release === undefined ? undefined : asked === undefined ? '' : later(asked, ahead);
  const newPlan = newPlanAt(write);
  const planned =
    newPlan !== undefined && next_query_at !== undefined
      ? { next_query_at: later(next_query_at, ahead), planned_at: later(newPlan, ahead) }
      : { next_query_at, planned_at };
  return { ...keyOf(before), version: before.version, hold, ...planned, data: orderData(after), released };
}

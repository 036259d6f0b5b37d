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
import { newEventRow, parsed } from '../../rows.ts';
import type { Value } from '../../sql/plan.ts';
import { auditRows } from '../appends.ts';
import { list, type PostgresDatabase } from '../server/database.ts';
import { PostgresFault } from '../server/errors.ts';
import { type CountedGroup, groupsOf, limitedIn } from './quotas.ts';

/** A write, and by how many milliseconds the server's clock is ahead of that of its writer. */
export type TimedWrite = OrderWrite & { ahead: number };

/** Since when writes wait, in the milliseconds of `performance.now`, and for how long each lock may be waited for. */
type Waiting = { start: number; lockMs: number };

/**
 * Makes writes of different orders in one call of the server; gives the outcome of each. Throws PostgresFault and StoreError
 * where nothing was written.
 */
export async function writeOrders(
  db: PostgresDatabase,
  writes: readonly TimedWrite[],
  waiting: Waiting,
): Promise<OrderWritten[]> {
  const groups = groupsOf(writes.flatMap(countedOf));
  const verdict = await db.call(waiting.start, write, waiting.lockMs, ...valuesOf(writes, groups));
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

/** Which transaction is known, where the server says that of a lone write. */
function knownIn(verdict: string): TransactionKnown | SpellingKnown | undefined {
  if (verdict.startsWith(SPELLED)) return { kind: 'other_form', known: parsed<string>(verdict.slice(SPELLED.length)) };
  if (!verdict.startsWith(KNOWN)) return undefined;
  const [transaction_id, order_no] = parsed<[string, string]>(verdict.slice(KNOWN.length));
  return { kind: 'transaction_known', transaction_id, order_no };
}

const KNOWN = 'known ';
const SPELLED = 'spelled ';

const countedOf = ({ quotas }: OrderWrite) => (quotas ? [{ quotas: quotas.counted, at: quotas.at }] : []);

/** Makes those writes that no used-up quota forbids. `usedUp` is as `limitedIn` takes it. */
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

const PARAMETERS = 18;

const write = {
  name: 'write-orders',
  text: `CALL turnpike.write_orders(${Array.from({ length: PARAMETERS }, (_, i) => `$${i + 1}`).join(', ')}, NULL)`,
};

/** The values of the call from the number of writes on: lists of what to write into each table, or NULL. */
function valuesOf(given: readonly TimedWrite[], groups: readonly CountedGroup[]): Value[] {
  // In one order, so that no two relays wait for each other.
  const writes = given.toSorted((a, b) => compare(nameOf(a), nameOf(b)));
  const changes = writes.map(({ before, after }) => ({ before, ...changesOf(before, writtenOrder(before, after)) }));
  const changed = changes.flatMap(({ changedSessions }) =>
    changedSessions.map(({ session, hasNewTerms }) => ({
      ...changedSessionRow(session),
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
  const shared = paid.filter(({ payment }) => payment.also_paid !== undefined);
  return [
    writes.length,
    list(writes.map(orderRow)),
    changed.length,
    list(changed),
    list(
      changes.flatMap(({ before, newSessions }) =>
        newSessions.map((session) => ({ ...newSessionRow(session), ...keyOf(before) })),
      ),
    ),
    list(
      changes.flatMap(({ before, newAttempts }) =>
        newAttempts.map((one) => ({
          ...{ id: one.id, session_id: one.session_id, ...keyOf(before) },
          ...{ started_at: one.started_at, data: JSON.stringify(one) },
        })),
      ),
    ),
    list(
      changes.flatMap(({ changedAttempts }) =>
        changedAttempts.map((one) => ({ id: one.id, data: JSON.stringify(one) })),
      ),
    ),
    list(
      paid.map(({ key, payment: { transaction_id, amount, currency }, form }) => ({
        ...{ ...key, transaction_id: transaction_id.toWellFormed(), amount, currency, form },
      })),
    ),
    list(
      writes.flatMap(({ before, after }) =>
        droppedTransactions(before, after).map((id) => ({ ...keyOf(before), transaction_id: id.toWellFormed() })),
      ),
    ),
    list(writes.flatMap(({ lead }) => (lead ? [{ ...lead.key, earlier: undefined, subject: lead.subject }] : []))),
    list(writes.flatMap(({ events }) => events.map(newEventRow))),
    list(groups),
    list(groupsOf(writes.flatMap(({ uncounted }) => uncounted ?? []))),
    list(writes.flatMap(({ answered }) => answered ?? [])),
    list(auditRows(writes.map(({ audit }) => audit))),
    list(shared.map(({ key, payment }) => ({ ...key, transaction_id: payment.transaction_id.toWellFormed() }))),
  ];
}

const nameOf = ({ before }: OrderWrite): string => `${before.account} ${before.order_no}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Half of a surrogate pair is no character for the server. */
function keyOf({ account, order_no }: OrderWrite['before']): { account: string; order_no: string } {
  return { account, order_no: order_no.toWellFormed() };
}

/** When the next query was planned (ISO 8601), where this write plans it. A plan that was read is in the server's time already. */
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

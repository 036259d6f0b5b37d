import { otherForm } from '../../payments/operations/transaction-form.ts';
import type { StoredOrder } from '../../payments/order.ts';
import type { Session } from '../../payments/session.ts';
import type { OrderKey, OrderStore, OrderWritten, SpellingKnown, TransactionKnown } from '../facets/orders.ts';
import { inOrder, type OrderCache } from '../order-cache.ts';
import {
  type ChangedSession,
  changedSessionRow,
  changesOf,
  droppedTransactions,
  formToCheck,
  newSessionRow,
  orderData,
  transactionsOf,
  writtenOrder,
} from '../order-changes.ts';
import type { Row } from '../row.ts';
import { knownOfForms } from '../sql/spellings.ts';
import type { SqliteAppends } from './appends.ts';
import { dialect } from './dialect.ts';
import type { SqliteDatabase } from './file/database.ts';
import type { SqliteKeys } from './keys.ts';
import { type OrderReads, sqliteTerms } from './order-reads.ts';
import type { SqliteQuotas } from './quotas/quotas.ts';

type OrderMethods = Pick<OrderStore, 'get' | 'getMany' | 'ofSession' | 'write'>;

/** The parts of the store that writes of orders use. */
type Parts = { reads: OrderReads; keys: SqliteKeys; quotas: SqliteQuotas; appends: SqliteAppends };

/** The reads, writes and leases of orders with their sessions and attempts. */
export function sqliteOrders(
  db: SqliteDatabase,
  cache: OrderCache,
  { reads, keys, quotas, appends }: Parts,
): OrderMethods {
  const sql = statements(db);
  const terms = sqliteTerms(db);

  const { load, peek } = reads;

  const durable = (order: StoredOrder): Promise<StoredOrder> => db.durable(order, cache.commitOf(order));

  const isUnchanged = ({ account, order_no, version }: StoredOrder, changed: readonly ChangedSession[]): boolean => {
    const known = cache.get({ account, order_no });
    const versionOf = (id: string): unknown =>
      known ? known.sessions.find((session) => session.id === id)?.version : sql.sessionVersion.get(id)?.version;
    return (
      (known?.version ?? sql.version.get(account, order_no)?.version ?? 0) === version &&
      changed.every(({ session }) => versionOf(session.id) === session.version - 1)
    );
  };

  /**
   * If the cached order differs from the file, another process wrote the file, which is not allowed. The change is then
   * undone, and run again with the order of the file.
   */
  const demandWritten = (changes: number | bigint, order: OrderKey): void => {
    if (changes === 1) return;
    cache.drop(order);
    throw new Error('the order at hand is not as it stands in the file');
  };

  const putSession = ({ session, hasNewTerms }: ChangedSession): void => {
    if (hasNewTerms) terms.put(session);
    const { status, revision, expires_at, unknown_since, needs_attention, filled, state, settled } =
      changedSessionRow(session);
    const { changes } = sql.updateSession.run(
      ...[status, session.version, revision, expires_at, unknown_since, needs_attention ? 1 : 0],
      ...[filled, state, settled, session.id],
    );
    demandWritten(changes, session);
  };

  const addSession = (session: Session): void => {
    const { terms: _, ...row } = newSessionRow(session);
    sql.insertSession.run(row);
    terms.add(session);
  };

  const putOrder = (before: StoredOrder, after: StoredOrder, release: string | undefined): void => {
    const { account, order_no } = after;
    const values = [after.hold, after.next_query_at ?? null, after.planned_at ?? null, orderData(after)] as const;
    const write = before.version === 0 ? sql.addOrder : sql.putOrder;
    demandWritten(write.run(account, order_no, before.version + 1, ...values).changes, after);
    // The pause to the next query counts from the query itself, not from the lease.
    if (release) sql.asked.run(after.queries.last?.at ?? '', account, order_no);
    for (const id of droppedTransactions(before, after)) sql.dropTransaction.run(account, id, order_no);
    for (const { transaction_id, amount, currency } of transactionsOf(before, after)) {
      sql.putTransaction.run(account, transaction_id, order_no, amount, currency);
    }
  };

  /** A transaction that the write adds although it paid another order. */
  const knownOf = (before: StoredOrder, after: StoredOrder): TransactionKnown | undefined => {
    for (const { transaction_id, also_paid } of transactionsOf(before, after)) {
      const paid = also_paid === undefined ? sql.paidBy.get(after.account, transaction_id) : undefined;
      if (paid && paid.order_no !== after.order_no) {
        return { kind: 'transaction_known', transaction_id, order_no: orderNoFrom(paid) };
      }
    }
    return undefined;
  };

  /** The known spelling of a transaction_id that the write adds because a person reported it. */
  const spellingOf = (before: StoredOrder, after: StoredOrder): SpellingKnown | undefined => {
    for (const payment of transactionsOf(before, after)) {
      const form = formToCheck(before, payment);
      if (form === undefined) continue;
      const { transaction_id } = payment;
      const known = sql.ofForms.all(after.account, transaction_id, form).map((row) => String(row.transaction_id));
      const other = otherForm([transaction_id], known);
      if (other) return { kind: 'other_form', known: other.known };
    }
    return undefined;
  };

  /** Caches the written order. Sessions that other writes changed since stay as they are cached. */
  const keep = (written: StoredOrder, known: StoredOrder | undefined): void => {
    if (!known) return;
    const changed = new Map(written.sessions.map((session) => [session.id, session]));
    const isNewer = (session: Session): boolean => session.version >= (changed.get(session.id)?.version ?? Infinity);
    const sessions = known.sessions.map((session) =>
      isNewer(session) ? session : (changed.get(session.id) ?? session),
    );
    const added = written.sessions.filter(({ id }) => known.sessions.every((session) => session.id !== id));
    const order = {
      ...written,
      notices: known.notices,
      sessions: added.length > 0 ? inOrder([...sessions, ...added], ({ created_at }) => created_at) : sessions,
      attempts: inOrder(written.attempts, ({ started_at }) => started_at),
    };
    cache.put(order, db.commit());
  };

  return {
    get: async (account, orderNo) => durable(load(account, orderNo)),

    ofSession: async (id) => {
      const known = cache.ofSession(id);
      if (known) return durable(known);
      const [key] = db.all(sql.keyOf, [id], ({ account, order_no }) => ({ account, order_no }));
      return key && durable(load(String(key.account), String(key.order_no)));
    },

    getMany: async (account, orderNos) => db.durable(orderNos.map((orderNo) => peek(account, orderNo))),

    write: ({ before, after, events: caused, quotas: counted, uncounted, lead, release, ...more }) =>
      db.write<OrderWritten>(() => {
        const written = writtenOrder(before, after);
        const changes = changesOf(before, written);
        if (!isUnchanged(before, changes.changedSessions)) return { kind: 'changed' };
        const known = knownOf(before, after) ?? spellingOf(before, after);
        if (known) return known;
        const limited = counted && quotas.limited(counted.counted, counted.at);
        if (limited) return limited;
        if (lead && !keys.lead(lead.key, lead.subject)) return { kind: 'key_lost' };
        if (counted) quotas.count(counted.counted, counted.at);
        if (uncounted) quotas.uncount(uncounted.quotas, uncounted.at);
        putOrder(before, after, release);
        for (const session of changes.newSessions) addSession(session);
        for (const changed of changes.changedSessions) putSession(changed);
        for (const attempt of changes.newAttempts) {
          const { id, session_id, account, order_no, started_at } = attempt;
          sql.insertAttempt.run(id, session_id, account, order_no, started_at, JSON.stringify(attempt));
        }
        for (const attempt of changes.changedAttempts) {
          const { id, account, order_no, started_at } = attempt;
          sql.updateAttempt.run(JSON.stringify(attempt), account, order_no, started_at, id);
        }
        appends.addEvents(caused);
        if (more.answered) keys.answer(more.answered);
        appends.addAudit(more.audit);
        db.undoBy(() => cache.drop(before));
        keep(written, cache.get(before));
        return { kind: 'written' };
      }),
  };
}

const orderNoFrom = ({ order_no }: Row): string => String(order_no);

function statements(db: SqliteDatabase) {
  return {
    paidBy: db.prepare('SELECT order_no FROM transactions WHERE account = ? AND transaction_id = ?'),
    ofForms: db.prepare(knownOfForms(dialect, '?1', (text) => `${text} IN (?2, ?3)`)),
    keyOf: db.prepare('SELECT account, order_no FROM sessions WHERE id = ?'),
    version: db.prepare('SELECT version FROM orders WHERE account = ? AND order_no = ?'),
    sessionVersion: db.prepare('SELECT version FROM sessions WHERE id = ?'),
    addOrder:
      db.prepare(`INSERT OR IGNORE INTO orders (account, order_no, version, hold, next_query_at, planned_at, data)
      VALUES (?, ?, ?, ?, ?, ?, ?)`),
    putOrder: db.prepare(`UPDATE orders SET version = ?3, hold = ?4, next_query_at = ?5, planned_at = ?6, data = ?7
      WHERE account = ?1 AND order_no = ?2 AND version = ?3 - 1`),
    putTransaction: db.prepare(`INSERT INTO transactions (account, transaction_id, order_no, amount, currency)
      VALUES (?, ?, ?, ?, ?) ON CONFLICT (account, transaction_id) DO UPDATE
      SET amount = excluded.amount, currency = excluded.currency WHERE order_no = excluded.order_no`),
    dropTransaction: db.prepare('DELETE FROM transactions WHERE account = ? AND transaction_id = ? AND order_no = ?'),
    insertSession: db.prepare(`INSERT INTO sessions
      (id, account, order_no, status, version, revision, created_at, expires_at, filled, state)
      VALUES (:id, :account, :order_no, :status, :version, :revision, :created_at, :expires_at, :filled, :state)`),
    updateSession: db.prepare(`UPDATE sessions SET status = ?1, version = ?2, revision = ?3, expires_at = ?4,
      unknown_since = ?5, needs_attention = ?6, leased_until = NULL, filled = ?7, state = ?8, settled = ?9
      WHERE id = ?10 AND version = ?2 - 1`),
    insertAttempt: db.prepare(`INSERT INTO attempts (id, session_id, account, order_no, started_at, data)
      VALUES (?, ?, ?, ?, ?, ?)`),
    updateAttempt: db.prepare(
      'UPDATE attempts SET data = ? WHERE account = ? AND order_no = ? AND started_at = ? AND id = ?',
    ),
    asked: db.prepare(`UPDATE orders SET leased_until = NULL, queried_at = max(coalesce(queried_at, ''), ?)
      WHERE account = ? AND order_no = ?`),
  };
}

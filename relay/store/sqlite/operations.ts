import type { StatementSync } from 'node:sqlite';
import {
  cameToNothing,
  heldRequestId,
  lookPlannedAt,
  needsPerson,
  nextLookAt,
  type Operation,
} from '../../payments/operations/operation.ts';
import { type Payment, refundRefusal, withRemembered } from '../../payments/operations/refund-rule.ts';
import { otherForm } from '../../payments/operations/transaction-form.ts';
import { leasedAhead, plannedAhead } from '../ahead.ts';
import { knownSpellings } from '../forms/spellings.ts';
import { knownOfForms, mayHaveHappened, sqliteForm } from '../forms/transaction-forms.ts';
import { operationFrom, refundedFrom } from '../rows.ts';
import type { Begun, Lease, Store } from '../store.ts';
import type { SqliteAudit } from './audit.ts';
import type { SqliteEvents } from './events.ts';
import type { Database } from './file/database.ts';
import type { SqliteKeys } from './keys.ts';

type OperationMethods = Pick<
  Store,
  | 'beginOperation'
  | 'finishOperation'
  | 'operation'
  | 'leaseOrphanedOperations'
  | 'leaseDueOperations'
  | 'keepOperations'
  | 'refundsOf'
  | 'spellingsOf'
  | 'refunded'
>;

/** What operations are written with. */
type Parts = { keys: SqliteKeys; events: SqliteEvents; audit: SqliteAudit };

/** Operations, and what each refund among them takes of its payment. */
export function sqliteOperations(db: Database, { keys, events, audit }: Parts): OperationMethods {
  const sql = statements(db);

  const paymentOf = (account: string, transactionId: string): Payment => {
    const payment = sql.payment.get(account, transactionId);
    const before = sql.refunded.get(account, transactionId);
    const known: Payment = {
      ...(payment ? { paid: { amount: String(payment.amount), currency: String(payment.currency) } } : {}),
      ...(typeof before?.sum === 'bigint' ? { sum: before.sum } : {}),
      ...(typeof before?.original === 'bigint' ? { original: before.original } : {}),
      ...(typeof before?.currency === 'string' ? { currency: before.currency } : {}),
    };
    const past = sql.remembered.get(account, transactionId);
    return withRemembered(known, past && refundedFrom(past));
  };

  const spellingsOf = (account: string, ids: readonly string[], payments: readonly Payment[]): string[] => {
    const { known, forms } = knownSpellings(ids, payments);
    if (forms.length === 0) return known;
    const found = sql.ofForms.all(account, JSON.stringify(forms)).map(({ transaction_id }) => String(transaction_id));
    return [...new Set([...known, ...found])];
  };

  const usedReference = ({ account, name, references = [] }: Operation): Begun | undefined => {
    for (const [item, reference] of references.entries()) {
      const used = sql.reference.get(account, name, reference);
      if (used) return { kind: 'reference_used', item, id: String(used.operation_id) };
    }
    return undefined;
  };

  const lease = async (found: readonly StatementSync[], work: Lease, of: string): Promise<Operation[]> => {
    const { now, until, limit } = work;
    const terms = [now, leasedAhead(work), plannedAhead(now), of];
    if (found.every((some) => db.all(some, [...terms, 1], () => true).length === 0)) return [];
    return db.write(() => {
      const leased = found.flatMap((some) => some.all(...terms, limit).map(operationFrom)).slice(0, limit);
      for (const { id } of leased) sql.lease.run(until, id);
      return leased;
    });
  };

  return {
    beginOperation: (operation, refunds, key, entry) =>
      db.write<Begun>(() => {
        const { id, account, name, request_id, references = [], created_at, version, state } = operation;
        const before = request_id === undefined ? undefined : sql.byRequestId.get(account, request_id);
        if (before) return { kind: 'request_id_used', ...(before.kept === 1 ? { id: String(before.id) } : {}) };
        const used = usedReference(operation);
        if (used) return used;
        const ids = refunds.map(({ transaction_id }) => transaction_id);
        const payments = new Map(ids.map((id) => [id, paymentOf(account, id)]));
        const other = otherForm(ids, spellingsOf(account, [...payments.keys()], [...payments.values()]));
        if (other) return { kind: 'other_form', ...other };
        const refused = refundRefusal(refunds, (id) => payments.get(id) ?? {});
        if (refused) return refused;
        if (key && !keys.lead(key, id)) return { kind: 'key_lost' };
        const values = [id, account, name, request_id ?? null, created_at, version, state.status];
        sql.insert.run(...values, JSON.stringify(operation));
        if (request_id !== undefined) sql.insertRequestId.run(account, request_id, id);
        for (const reference of references) sql.insertReference.run(account, name, reference, id);
        for (const [item, { transaction_id, currency, amount, original }] of refunds.entries()) {
          sql.insertRefund.run(id, item, account, transaction_id, currency, amount, original);
        }
        audit.add(entry);
        return { kind: 'begun' };
      }),

    finishOperation: ({ operation, counted, answered, events: told, audit: entry }) =>
      db.write(() => {
        const { id, account, name, version, state } = operation;
        const request_id = heldRequestId(operation) ?? null;
        const [look, planned] = [nextLookAt(operation) ?? null, lookPlannedAt(operation) ?? null];
        const needy = needsPerson(operation) ? 1 : 0;
        const written = [version, state.status, request_id, look, planned, needy, JSON.stringify(operation)];
        if (sql.update.run(...written, id, version - 1).changes !== 1) return false;
        if (request_id === null && operation.request_id !== undefined) {
          sql.freeRequestId.run(account, operation.request_id, id);
        }
        if (cameToNothing(operation)) {
          for (const reference of operation.references ?? []) sql.freeReference.run(account, name, reference, id);
        }
        for (const [item, counts] of (counted ?? []).entries()) sql.countRefund.run(counts ? 1 : 0, id, item);
        if (answered) keys.answer(answered);
        events.add(told);
        audit.add(entry);
        return true;
      }),

    operation: async (id) => (await db.read(sql.find, [id], operationFrom))[0],
    leaseOrphanedOperations: (work, before) => lease([sql.begunAhead, sql.orphaned], work, before),
    leaseDueOperations: (work, accounts) => lease([sql.ahead, sql.due], work, JSON.stringify(accounts)),
    keepOperations: (ids, { until }) =>
      db.write(() => {
        for (const id of ids) sql.keep.run(until, id);
      }),
    spellingsOf: async (account, ids) =>
      db.durable(
        spellingsOf(
          account,
          ids,
          ids.map((id) => paymentOf(account, id)),
        ),
      ),
    refundsOf: async (account, transactionIds) =>
      db.read(sql.refundsOf, [account, JSON.stringify(transactionIds)], operationFrom),
    refunded: async (account, transactionIds) =>
      db.durable(
        transactionIds.flatMap((transaction_id) => {
          const { sum } = paymentOf(account, transaction_id);
          return sum === undefined ? [] : [{ transaction_id, sum }];
        }),
      ),
  };
}

/** True for a row that is free at ?1; ?2 is the latest end of a lease. */
const isFree = '(leased_until IS NULL OR leased_until <= ?1 OR leased_until > ?2)';

function statements(db: Database) {
  const refunded =
    db.prepare(`SELECT sum(amount) AS sum, min(original) AS original, min(currency) AS currency FROM refunds
    WHERE account = ? AND transaction_id = ? AND counts = 1`);
  refunded.setReadBigInts(true);
  const remembered = db.prepare('SELECT * FROM refunded_payments WHERE account = ? AND transaction_id = ?');
  remembered.setReadBigInts(true);
  return {
    insert: db.prepare(`INSERT INTO operations (id, account, name, request_id, created_at, version, status, data)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    update: db.prepare(`UPDATE operations SET version = ?, status = ?, request_id = ?, next_look_at = ?,
      planned_at = ?, needs_person = ?, leased_until = NULL, data = ? WHERE id = ? AND version = ?`),
    find: db.prepare('SELECT data FROM operations WHERE id = ?'),
    byRequestId:
      db.prepare(`SELECT operation_id AS id, EXISTS (SELECT 1 FROM operations WHERE id = operation_id) AS kept
      FROM payout_requests WHERE account = ? AND request_id = ?`),
    insertRequestId: db.prepare('INSERT INTO payout_requests (account, request_id, operation_id) VALUES (?, ?, ?)'),
    freeRequestId: db.prepare(`DELETE FROM payout_requests
      WHERE account = ? AND request_id = ? AND operation_id = ?`),
    reference: db.prepare(`SELECT operation_id FROM operation_references
      WHERE account = ? AND name = ? AND reference = ?`),
    insertReference: db.prepare(`INSERT INTO operation_references (account, name, reference, operation_id)
      VALUES (?, ?, ?, ?)`),
    freeReference: db.prepare(`DELETE FROM operation_references
      WHERE account = ? AND name = ? AND reference = ? AND operation_id = ?`),
    orphaned: db.prepare(`SELECT data FROM operations WHERE status = 'in_flight' AND created_at <= ?4
      AND ${isFree} ORDER BY created_at LIMIT ?5`),
    begunAhead: db.prepare(`SELECT data FROM operations WHERE status = 'in_flight' AND created_at > ?3
      AND ${isFree} ORDER BY created_at LIMIT ?5`),
    // The sign keeps SQLite from reading all that an account has.
    due: db.prepare(`SELECT data FROM operations WHERE next_look_at <= ?1
      AND +account IN (SELECT value FROM json_each(?4)) AND ${isFree} ORDER BY next_look_at LIMIT ?5`),
    ahead:
      db.prepare(`SELECT data FROM operations INDEXED BY operations_planned WHERE next_look_at > ?1 AND planned_at > ?3
      AND +account IN (SELECT value FROM json_each(?4)) AND ${isFree} ORDER BY planned_at LIMIT ?5`),
    lease: db.prepare('UPDATE operations SET leased_until = ? WHERE id = ?'),
    keep: db.prepare('UPDATE operations SET leased_until = ? WHERE id = ? AND leased_until IS NOT NULL'),
    ofForms: db.prepare(
      knownOfForms(
        '?1',
        (text) => `${text} IN (SELECT value FROM json_each(?2))`,
        sqliteForm,
        mayHaveHappened('counts = 1'),
        {
          using: (index) => ` INDEXED BY ${index}`,
        },
      ),
    ),
    refundsOf: db.prepare(`SELECT data FROM operations WHERE id IN (SELECT operation_id FROM refunds
      WHERE account = ? AND transaction_id IN (SELECT value FROM json_each(?))) ORDER BY created_at`),
    payment: db.prepare('SELECT amount, currency FROM transactions WHERE account = ? AND transaction_id = ?'),
    refunded,
    remembered,
    insertRefund:
      db.prepare(`INSERT INTO refunds (operation_id, item, account, transaction_id, currency, amount, original, counts)
      VALUES (?, ?, ?, ?, ?, ?, ?, 1)`),
    countRefund: db.prepare('UPDATE refunds SET counts = ? WHERE operation_id = ? AND item = ?'),
  };
}

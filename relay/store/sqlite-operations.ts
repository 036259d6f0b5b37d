import { toHundredths } from '../../shared/gateway/amounts.ts';
import type { Attempt } from '../checkout/session.ts';
import type { Operation } from '../operations/operation.ts';
import { type Database, parsed, type Row } from './sqlite-database.ts';
import type { SqliteEvents } from './sqlite-events.ts';
import type { SqliteKeys } from './sqlite-keys.ts';
import type { Begun, Reservation, Store } from './store.ts';

type OperationMethods = Pick<Store, 'beginOperation' | 'finishOperation' | 'operation' | 'strandedOperations'>;

/** Operations, and what each refund among them takes of its payment. */
export function sqliteOperations(db: Database, keys: SqliteKeys, events: SqliteEvents): OperationMethods {
  const sql = statements(db);

  /**
   * The first refund that takes more than is left of its payment, by itself or with those before it in the batch. Of a
   * payment that the relay did not make it knows what the shop said first: the smallest original amount, in one currency.
   */
  const refusalOf = (account: string, refunds: readonly Reservation[]): Begun | undefined => {
    const taken = new Map<string, bigint>();
    for (const [item, { transaction_id, currency, amount, original }] of refunds.entries()) {
      const payment = sql.payment.get(account, transaction_id);
      const before = sql.refunded.get(account, transaction_id);
      const known = payment ? parsed<Attempt>(payment.data) : undefined;
      const inCurrency = known?.currency ?? before?.currency ?? currency;
      if (currency !== inCurrency) return { kind: 'refund_of_other_currency', item, currency: String(inCurrency) };
      const paid = known ? toHundredths(known.amount) : smaller(original, before?.original);
      const refunded = taken.get(transaction_id) ?? (typeof before?.sum === 'bigint' ? before.sum : 0n);
      const left = paid > refunded ? paid - refunded : 0n;
      if (amount > left) return { kind: 'refund_exceeds_payment', item, left };
      taken.set(transaction_id, refunded + amount);
    }
    return undefined;
  };

  return {
    beginOperation: async (operation, refunds, key) =>
      db.write<Begun>(() => {
        const { id, account, request_id, created_at, version, state } = operation;
        const before = request_id === undefined ? undefined : sql.byRequestId.get(account, request_id);
        if (before) return { kind: 'request_id_used', id: String(before.id) };
        const refused = refusalOf(account, refunds);
        if (refused) return refused;
        if (key && !keys.lead(key, id)) return { kind: 'key_lost' };
        sql.insert.run(id, account, request_id ?? null, created_at, version, state.status, JSON.stringify(operation));
        for (const [item, { transaction_id, currency, amount, original }] of refunds.entries()) {
          sql.insertRefund.run(id, item, account, transaction_id, currency, amount, original);
        }
        return { kind: 'begun' };
      }),

    finishOperation: async ({ operation, counted, answered, events: told }) =>
      db.write(() => {
        const { id, version, state } = operation;
        const request_id = state.status === 'not_sent' ? null : (operation.request_id ?? null);
        const values = [version, state.status, request_id, JSON.stringify(operation), id, version - 1];
        if (sql.update.run(...values).changes !== 1) return false;
        for (const [item, counts] of (counted ?? []).entries()) sql.countRefund.run(counts ? 1 : 0, id, item);
        if (answered) keys.answer(answered);
        events.add(told);
        return true;
      }),

    operation: async (id) => db.all(sql.find, [id], operationFrom)[0],
    strandedOperations: async (before, limit) => db.all(sql.stranded, [before, limit], operationFrom),
  };
}

function statements(db: Database) {
  const refunded =
    db.prepare(`SELECT sum(amount) AS sum, min(original) AS original, min(currency) AS currency FROM refunds
    WHERE account = ? AND transaction_id = ? AND counts = 1`);
  refunded.setReadBigInts(true);
  return {
    insert: db.prepare(`INSERT INTO operations (id, account, request_id, created_at, version, status, data)
      VALUES (?, ?, ?, ?, ?, ?, ?)`),
    update: db.prepare(`UPDATE operations SET version = ?, status = ?, request_id = ?, data = ?
      WHERE id = ? AND version = ?`),
    find: db.prepare('SELECT data FROM operations WHERE id = ?'),
    byRequestId: db.prepare('SELECT id FROM operations WHERE account = ? AND request_id = ?'),
    stranded: db.prepare(`SELECT data FROM operations WHERE status = 'in_flight' AND created_at <= ?
      ORDER BY created_at LIMIT ?`),
    payment: db.prepare('SELECT data FROM attempts WHERE account = ? AND paid_transaction_id = ?'),
    refunded,
    insertRefund:
      db.prepare(`INSERT INTO refunds (operation_id, item, account, transaction_id, currency, amount, original, counts)
      VALUES (?, ?, ?, ?, ?, ?, ?, 1)`),
    countRefund: db.prepare('UPDATE refunds SET counts = ? WHERE operation_id = ? AND item = ?'),
  };
}

function operationFrom(row: Row): Operation {
  return parsed(row.data);
}

function smaller(given: bigint, before: unknown): bigint {
  return typeof before === 'bigint' && before < given ? before : given;
}

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

  /** The first refund that takes more than is left of its payment, by itself or with those before it in the batch. */
  const tooMuch = (account: string, refunds: readonly Reservation[]): Begun | undefined => {
    const taken = new Map<string, bigint>();
    for (const [item, { transaction_id, amount, limit }] of refunds.entries()) {
      const payment = sql.payment.get(account, transaction_id);
      const paid = payment ? toHundredths(parsed<Attempt>(payment.data).amount) : limit;
      const before = taken.get(transaction_id) ?? sumOf(sql.refunded.get(account, transaction_id));
      const left = paid > before ? paid - before : 0n;
      if (amount > left) return { kind: 'refund_exceeds_payment', item, left };
      taken.set(transaction_id, before + amount);
    }
    return undefined;
  };

  return {
    beginOperation: async (operation, refunds, key) =>
      db.write<Begun>(() => {
        const { id, account, request_id, created_at, version, state } = operation;
        const before = request_id === undefined ? undefined : sql.byRequestId.get(account, request_id);
        if (before) return { kind: 'request_id_used', id: String(before.id) };
        const refused = tooMuch(account, refunds);
        if (refused) return refused;
        sql.insert.run(id, account, request_id ?? null, created_at, version, state.status, JSON.stringify(operation));
        for (const [item, { transaction_id, amount }] of refunds.entries()) {
          sql.insertRefund.run(id, item, account, transaction_id, amount);
        }
        if (key) keys.lead(key, id);
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
  const refunded = db.prepare(`SELECT sum(amount) AS sum FROM refunds
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
    insertRefund: db.prepare(`INSERT INTO refunds (operation_id, item, account, transaction_id, amount, counts)
      VALUES (?, ?, ?, ?, ?, 1)`),
    countRefund: db.prepare('UPDATE refunds SET counts = ? WHERE operation_id = ? AND item = ?'),
  };
}

function operationFrom(row: Row): Operation {
  return parsed(row.data);
}

function sumOf(row: Row | undefined): bigint {
  return typeof row?.sum === 'bigint' ? row.sum : 0n;
}

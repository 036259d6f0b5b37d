import { isRefund, type KnownPayment, refusalOf, waitsForRefunds } from '../../payments/ledger/accounting.ts';
import { undecidedRefunds } from '../../payments/ledger/payment-operation.ts';
import {
  hadNoEffect,
  heldRequestId,
  needsPerson,
  nextSearchAt,
  type StoredOperation,
  searchPlannedAt,
} from '../../payments/operations/operation.ts';
import { otherForm } from '../../payments/operations/transaction-form.ts';
import type { Begun, OperationStore, OrderAsRead } from '../facets/operations.ts';
import type { OrderCache } from '../order-cache.ts';
import { operationFrom, paymentOperationColumns, paymentOperationFrom, refundedPaymentFrom } from '../rows.ts';
import { isKnownPayment, knownOfForms, knownSpellings, withFound } from '../sql/spellings.ts';
import type { SqliteAppends } from './appends.ts';
import { dialect } from './dialect.ts';
import type { SqliteDatabase } from './file/database.ts';
import type { SqliteKeys } from './keys.ts';

type OperationMethods = Pick<OperationStore, 'begin' | 'finish'>;

/** The parts of the store that writes of operations use. */
type Parts = { cache: OrderCache; keys: SqliteKeys; appends: SqliteAppends };

/** Operations, and their effects on payments. */
export function sqliteOperations(db: SqliteDatabase, { cache, keys, appends }: Parts): OperationMethods {
  const sql = statements(db);

  const paymentOf = ({ account, name }: StoredOperation, transactionId: string): KnownPayment => {
    const [payment, refunded, past] = [sql.payment, sql.refunded, sql.remembered].map((statement) =>
      statement.get(account, transactionId),
    );
    const known = {
      ...refundedPaymentFrom({ ...payment, ...refunded, ...past }),
      operations: sql.onPayment.all(account, transactionId).map(paymentOperationFrom),
    };
    if (!waitsForRefunds(name) || known.sum === undefined) return known;
    const refunds = sql.refundsOf.all(account, transactionId).map(operationFrom);
    return { ...known, undecidedRefunds: undecidedRefunds(refunds, transactionId).map((one) => one.operation_id) };
  };

  const usedReference = ({ account, name, references = [] }: StoredOperation): Begun | undefined => {
    for (const [item, reference] of references.entries()) {
      const used = sql.reference.get(account, name, reference);
      if (used) return { kind: 'reference_used', item, id: String(used.operation_id) };
    }
    return undefined;
  };

  const isAsRead = ({ account, order_no, version }: OrderAsRead): boolean =>
    sql.orderVersion.get(account, order_no)?.version === version;

  return {
    begin: (operation, items, key, entry, approval) =>
      db.write<Begun>(() => {
        const { id, account, name, request_id, references = [], created_at, version, state } = operation;
        if (approval && sql.approvalVersion.get(approval.id)?.version !== approval.version - 1) {
          return { kind: 'approval_changed' };
        }
        const before = request_id === undefined ? undefined : sql.byRequestId.get(account, request_id);
        if (before) return { kind: 'request_id_used', ...(before.kept === 1 ? { id: String(before.id) } : {}) };
        const used = usedReference(operation);
        if (used) return used;
        const ids = items.map(({ transaction_id }) => transaction_id);
        const payments = new Map(ids.map((id) => [id, paymentOf(operation, id)]));
        const { known, forms } = knownSpellings([...payments.keys()], (id) => isKnownPayment(payments.get(id)));
        const others = forms.length === 0 ? [] : sql.ofForms.all(account, JSON.stringify(forms));
        const other = otherForm(ids, withFound(known, others));
        if (other) return { kind: 'other_form', ...other };
        const refused = refusalOf(items, (id) => payments.get(id) ?? {});
        if (refused) return refused;
        if (key && !keys.lead(key, id)) return { kind: 'key_lost' };
        const values = [id, account, name, request_id ?? null, created_at, version, state.status];
        sql.insert.run(...values, JSON.stringify(operation));
        if (request_id !== undefined) sql.insertRequestId.run(account, request_id, id);
        for (const reference of references) sql.insertReference.run(account, name, reference, id);
        for (const [item, { transaction_id, currency, amount, original }] of items.filter(isRefund).entries()) {
          sql.insertRefund.run(id, item, account, transaction_id, currency, amount, original);
        }
        if (approval) sql.approve.run(approval.version, JSON.stringify(approval), approval.id);
        appends.addAudit(entry);
        return { kind: 'begun' };
      }),

    finish: ({ operation, orders = [], counted, answered, events: told, audit: entry }) =>
      db.write(() => {
        if (!orders.every(isAsRead)) return false;
        const { id, account, name, version, state } = operation;
        const request_id = heldRequestId(operation) ?? null;
        const [look, planned] = [nextSearchAt(operation) ?? null, searchPlannedAt(operation) ?? null];
        const needy = needsPerson(operation) ? 1 : 0;
        const written = [version, state.status, request_id, look, planned, needy, JSON.stringify(operation)];
        if (sql.update.run(...written, id, version - 1).changes !== 1) return false;
        if (request_id === null && operation.request_id !== undefined) {
          sql.freeRequestId.run(account, operation.request_id, id);
        }
        if (hadNoEffect(operation)) {
          for (const reference of operation.references ?? []) sql.freeReference.run(account, name, reference, id);
        }
        for (const order of orders) {
          const { account, order_no, due = null } = order;
          sql.touchOrder.run(account, order_no, due);
          cache.drop(order);
        }
        for (const [item, counts] of (counted ?? []).entries()) sql.countRefund.run(counts ? 1 : 0, id, item);
        if (answered) keys.answer(answered);
        appends.addEvents(told);
        appends.addAudit(entry);
        return true;
      }),
  };
}

function statements(db: SqliteDatabase) {
  return {
    insert: db.prepare(`INSERT INTO operations (id, account, name, request_id, created_at, version, status, data)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    update: db.prepare(`UPDATE operations SET version = ?, status = ?, request_id = ?, next_look_at = ?,
      planned_at = ?, needs_person = ?, leased_until = NULL, data = ? WHERE id = ? AND version = ?`),
    approvalVersion: db.prepare('SELECT version FROM approvals WHERE id = ?'),
    approve: db.prepare('UPDATE approvals SET version = ?, data = ? WHERE id = ?'),
    orderVersion: db.prepare('SELECT version FROM orders WHERE account = ? AND order_no = ?'),
    touchOrder: db.prepare(`UPDATE orders SET version = version + 1, next_query_at = coalesce(?3, next_query_at),
      planned_at = coalesce(?3, planned_at) WHERE account = ?1 AND order_no = ?2`),
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
    ofForms: db.prepare(knownOfForms(dialect, '?1', (text) => `${text} ${dialect.anyOf('?2')}`)),
    payment: db.prepare(`SELECT amount AS paid_amount, currency AS paid_currency FROM transactions
      WHERE account = ? AND transaction_id = ?`),
    refunded: db.prepare(`SELECT CAST(sum(amount) AS TEXT) AS sum, CAST(min(original) AS TEXT) AS original,
      min(currency) AS currency FROM refunds WHERE account = ? AND transaction_id = ? AND counts = 1`),
    remembered: db.prepare(`SELECT CAST(sum AS TEXT) AS past_sum, CAST(original AS TEXT) AS past_original,
      currency AS past_currency FROM refunded_payments WHERE account = ? AND transaction_id = ?`),
    refundsOf: db.prepare(`SELECT data FROM operations WHERE id IN
      (SELECT operation_id FROM refunds WHERE account = ? AND transaction_id = ? AND counts = 1)`),
    onPayment: db.prepare(`SELECT ${paymentOperationColumns.join(', ')} FROM payment_operations
      WHERE account = ? AND transaction_id = ? ORDER BY operation_id, item`),
    insertRefund:
      db.prepare(`INSERT INTO refunds (operation_id, item, account, transaction_id, currency, amount, original, counts)
      VALUES (?, ?, ?, ?, ?, ?, ?, 1)`),
    countRefund: db.prepare('UPDATE refunds SET counts = ? WHERE operation_id = ? AND item = ?'),
  };
}

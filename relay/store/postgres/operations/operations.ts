import { StoreError } from '../../../base/errors.ts';
import {
  type KnownPayment,
  type Reservation,
  refusalOf,
  waitsForRefunds,
} from '../../../payments/ledger/accounting.ts';
import { undecidedRefunds } from '../../../payments/ledger/payment-operation.ts';
import type { StoredApproval } from '../../../payments/operations/approval.ts';
import { type StoredOperation, searchPlannedAt } from '../../../payments/operations/operation.ts';
import { otherForm, transactionForm } from '../../../payments/operations/transaction-form.ts';
import type { Claim } from '../../facets/keys.ts';
import type { Begun, OperationStore } from '../../facets/operations.ts';
import type { StoredAuditEntry } from '../../facets/people.ts';
import { parsed, type Row } from '../../row.ts';
import { operationFrom, paymentOperationColumns, paymentOperationFrom, refundedPaymentFrom } from '../../rows.ts';
import { statementsOf } from '../../sql/plan.ts';
import { isKnownPayment, knownSpellings, transactionsOfForms, withFound } from '../../sql/spellings.ts';
import { dialect } from '../dialect.ts';
import { statement } from '../driver.ts';
import { beginParameters, finishParameters } from '../schema/operation-procedures.ts';
import { procedure } from '../schema/parameters.ts';
import { createBatches, createWriteBatches } from '../server/batches.ts';
import type { PostgresDatabase } from '../server/database.ts';
import { type Beginning, beginValues, finishValues, type PaymentAsRead, type TimedFinish } from './operation-writes.ts';

type OperationMethods = Pick<OperationStore, 'begin' | 'finish'>;

type Read = { payment: KnownPayment; asRead: PaymentAsRead };

/** The maximum number of tries of `begin`, if other operations begin meanwhile. */
const MAX_TRIES = 100;

/** Operations, and their effects on payments. */
export function postgresOperations(db: PostgresDatabase): OperationMethods {
  const begin = createWriteBatches<Beginning, string>({
    keysOf: ({ operation: { id, account, name, references = [] }, items, approval }) => [
      ...[id, ...(approval ? [approval.id] : [])],
      ...items.map(({ transaction_id }) => `${account} ${transactionForm(transaction_id)}`),
      ...references.map((reference) => `${account} ${name} ${reference}`),
    ],
    run: async (batch, start, lockMs) => {
      const verdict = await db.call(start, beginOperations, beginValues(batch, lockMs));
      return batch.map(() => verdict ?? 'done');
    },
  });
  const finish = createWriteBatches<TimedFinish, string>({
    keysOf: ({ operation: { id }, orders = [] }) => [
      id,
      ...orders.map(({ account, order_no }) => `${account} ${order_no}`),
    ],
    run: async (batch, start, lockMs) => {
      const verdict = await db.call(start, finishOperations, finishValues(batch, lockMs));
      return batch.map(() => verdict ?? 'done');
    },
  });
  const readPayment = createBatches<{ account: string; id: string }, Read>({
    run: async (batch, start) => {
      const [accounts, ids] = [batch.map(({ account }) => account), batch.map(({ id }) => id)];
      const [read = []] = await db.readAll([[sql.paymentsAsked, accounts, ids]], start);
      return read.map((row) => ({
        payment: {
          ...refundedPaymentFrom(row),
          operations: parsed<Row[]>(row.operations).map(paymentOperationFrom),
        },
        asRead: { sum: row.sum, original: row.original, currency: row.currency, state: row.state },
      }));
    },
  });

  const usedReference = async ({ account, name, references = [] }: StoredOperation): Promise<Begun | undefined> => {
    if (references.length === 0) return undefined;
    const [used] = await db.read(sql.operationByReference, account, name, references);
    return used && { kind: 'reference_used', item: Number(used.nth) - 1, id: String(used.id) };
  };

  /**
   * The data about a payment, with its undecided refunds. Another refund that begins meanwhile changes the payment’s
   * `state`.
   */
  const withRefunds = async (account: string, id: string, payment: KnownPayment): Promise<KnownPayment> => {
    if (payment.sum === undefined) return payment;
    const refunds = (await db.read(sql.refundsOfPayment, account, id)).map(operationFrom);
    return { ...payment, undecidedRefunds: undecidedRefunds(refunds, id).map((one) => one.operation_id) };
  };

  /** `changed`: after the read, another operation on a payment began or ended, in any spelling, or took a reference. */
  const beginAsRead = async (
    operation: StoredOperation,
    items: readonly Reservation[],
    key: Claim | undefined,
    audit: StoredAuditEntry | undefined,
    approval: StoredApproval | undefined,
  ): Promise<Begun | 'changed'> => {
    const { account, name, request_id } = operation;
    if (approval) {
      // If another approval of the same request changed the payment, that must not be reported as the reason.
      const [kept] = await db.read(sql.approvalVersion, approval.id);
      if (Number(kept?.version) !== approval.version - 1) return { kind: 'approval_changed' };
    }
    const ids = [...new Set(items.map(({ transaction_id }) => transaction_id))];
    const reading = ids.map(async (id) => {
      const { payment, asRead } = await readPayment({ account, id });
      return [
        id,
        { payment: waitsForRefunds(name) ? await withRefunds(account, id, payment) : payment, asRead },
      ] as const;
    });
    const [used, found] = await Promise.all([usedReference(operation), Promise.all(reading)]);
    if (used) return used;
    const read = new Map(found);
    const { known, forms } = knownSpellings(ids, (id) => isKnownPayment(read.get(id)?.payment));
    const others = forms.length === 0 ? [] : await db.read(sql.transactionsOfForms, account, forms);
    const other = otherForm(
      items.map(({ transaction_id }) => transaction_id),
      withFound(known, others),
    );
    if (other) return { kind: 'other_form', ...other };
    const refused = refusalOf(items, (id) => read.get(id)?.payment ?? {});
    // The reference may belong to an operation that began after the read above. Then the reference is the reason.
    if (refused) return (await usedReference(operation)) ?? refused;
    const payments = [...read].map(([transaction_id, { payment, asRead }]) => ({
      ...{ transaction_id, asRead },
      ...(isKnownPayment(payment) ? {} : { form: transactionForm(transaction_id) }),
    }));
    const verdict = await begin({ operation, items, payments, key, audit, approval });
    switch (verdict) {
      case 'done':
        return { kind: 'begun' };
      case 'key_lost':
      case 'approval_changed':
        return { kind: verdict };
      case 'taken': {
        if (request_id === undefined) return 'changed';
        const [before] = await db.read(sql.operationByRequestId, account, request_id);
        // The key was released meanwhile.
        if (!before) return 'changed';
        return { kind: 'request_id_used', ...(before.kept === true ? { id: String(before.id) } : {}) };
      }
      default:
        return 'changed';
    }
  };

  return {
    begin: async (operation, items, key, audit, approval) => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const begun = await beginAsRead(operation, items, key, audit, approval);
        if (begun !== 'changed') return begun;
      }
      throw new StoreError('an operation was read anew too often', { wroteNothing: true });
    },
    finish: async (one) => {
      const planned = searchPlannedAt(one.operation) ?? one.orders?.find(({ due }) => due !== undefined)?.due;
      const ahead = planned === undefined ? 0 : await db.ahead(planned);
      return (await finish({ ...one, ahead })) === 'done';
    },
  };
}

const beginOperations = procedure('begin_operations', beginParameters);
const finishOperations = procedure('finish_operations', finishParameters);

const sql = statementsOf(statement, {
  approvalVersion: 'SELECT version FROM turnpike.approvals WHERE id = $1',
  operationByReference: `SELECT nth, used.operation_id AS id FROM unnest($3::text[]) WITH ORDINALITY AS asked (reference, nth)
      CROSS JOIN LATERAL (SELECT operation_id FROM turnpike.operation_references
        WHERE account = $1 AND name = $2 AND reference = asked.reference OFFSET 0) AS used
      ORDER BY nth LIMIT 1`,
  operationByRequestId: `SELECT operation_id AS id, EXISTS (SELECT 1 FROM turnpike.operations WHERE id = operation_id) AS kept
      FROM turnpike.payout_requests WHERE account = $1 AND request_id = $2`,
  refundsOfPayment: `SELECT data FROM turnpike.operations WHERE id IN
      (SELECT operation_id FROM turnpike.refunds WHERE account = $1 AND transaction_id = $2 AND counts)`,
  paymentsAsked: `SELECT paid.amount AS paid_amount, paid.currency AS paid_currency, counted.*, past.sum::text AS past_sum,
        past.original::text AS past_original, past.currency AS past_currency, on_payment.operations, on_payment.state
      FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (account, id, nth)
      CROSS JOIN LATERAL (SELECT sum(amount)::text AS sum, min(original)::text AS original, min(currency) AS currency
        FROM turnpike.refunds WHERE account = asked.account AND transaction_id = asked.id AND counts OFFSET 0) AS counted
      CROSS JOIN LATERAL (SELECT coalesce(json_agg(json_build_object(${paymentOperationColumns.map((name) => `'${name}', ${name}`).join(', ')})
          ORDER BY operation_id, item)::text, '[]') AS operations, turnpike.payment_state(asked.account, asked.id) AS state
        FROM turnpike.payment_operations WHERE account = asked.account AND transaction_id = asked.id OFFSET 0) AS on_payment
      LEFT JOIN LATERAL (SELECT amount, currency FROM turnpike.transactions
        WHERE account = asked.account AND transaction_id = asked.id OFFSET 0) AS paid ON true
      LEFT JOIN LATERAL (SELECT sum, original, currency FROM turnpike.refunded_payments
        WHERE account = asked.account AND transaction_id = asked.id OFFSET 0) AS past ON true
      ORDER BY nth`,
  transactionsOfForms: transactionsOfForms(dialect),
});

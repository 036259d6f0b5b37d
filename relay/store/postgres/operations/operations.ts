import { StoreError } from '../../../base/errors.ts';
import { lookPlannedAt, type StoredOperation } from '../../../payments/operations/operation.ts';
import {
  otherForm,
  type RefundedPayment,
  type Reservation,
  refundRefusal,
  transactionForm,
} from '../../../payments/operations/refund-rule.ts';
import type { Claim } from '../../facets/keys.ts';
import type { Begun, OperationStore } from '../../facets/operations.ts';
import type { StoredAuditEntry } from '../../facets/people.ts';
import { refundedPaymentFrom } from '../../rows.ts';
import { statementsOf } from '../../sql/plan.ts';
import { isKnownPayment, knownSpellings, transactionsOfForms, withFound } from '../../sql/spellings.ts';
import { dialect } from '../dialect.ts';
import { statement } from '../driver.ts';
import { beginParameters, finishParameters } from '../schema/operation-procedures.ts';
import { procedure } from '../schema/parameters.ts';
import { createBatches, createWriteBatches } from '../server/batches.ts';
import type { PostgresDatabase } from '../server/database.ts';
import {
  type Beginning,
  beginValues,
  type CountedRefunds,
  finishValues,
  type TimedFinish,
} from './operation-writes.ts';

type OperationMethods = Pick<OperationStore, 'begin' | 'finish'>;

type Read = { payment: RefundedPayment; counted: CountedRefunds };

/** How often `begin` reads and tries again at most, because another operation began meanwhile. */
const MAX_TRIES = 100;

/** Operations, and what each refund among them takes of its payment. */
export function postgresOperations(db: PostgresDatabase): OperationMethods {
  const begin = createWriteBatches<Beginning, string>({
    keysOf: ({ operation: { id, account, name, references = [] }, refunds }) => [
      id,
      ...refunds.map(({ transaction_id }) => `${account} ${transactionForm(transaction_id)}`),
      ...references.map((reference) => `${account} ${name} ${reference}`),
    ],
    run: async (batch, start, lockMs) => {
      const verdict = await db.call(start, beginOperations, beginValues(batch, lockMs));
      return batch.map(() => verdict ?? 'done');
    },
  });
  const finish = createWriteBatches<TimedFinish, string>({
    keysOf: ({ operation: { id } }) => [id],
    run: async (batch, start, lockMs) => {
      const verdict = await db.call(start, finishOperations, finishValues(batch, lockMs));
      return batch.map(() => verdict ?? 'done');
    },
  });
  const readPayment = createBatches<{ account: string; id: string }, Read>({
    run: async (batch, start) => {
      const [accounts, ids] = [batch.map(({ account }) => account), batch.map(({ id }) => id)];
      const [read = []] = await db.readAll([[sql.refundedPayments, accounts, ids]], start);
      return read.map((row) => ({
        payment: refundedPaymentFrom(row),
        counted: { sum: row.sum, original: row.original, currency: row.currency },
      }));
    },
  });

  const usedReference = async ({ account, name, references = [] }: StoredOperation): Promise<Begun | undefined> => {
    if (references.length === 0) return undefined;
    const [used] = await db.read(sql.operationByReference, account, name, references);
    return used && { kind: 'reference_used', item: Number(used.nth) - 1, id: String(used.id) };
  };

  /** `changed`: after the read another refund of a payment began, in any spelling, or another operation took a reference. */
  const beginAsRead = async (
    operation: StoredOperation,
    refunds: readonly Reservation[],
    key: Claim | undefined,
    audit: StoredAuditEntry | undefined,
  ): Promise<Begun | 'changed'> => {
    const { account, request_id } = operation;
    const ids = [...new Set(refunds.map(({ transaction_id }) => transaction_id))];
    const reading = ids.map(async (id) => [id, await readPayment({ account, id })] as const);
    const [used, found] = await Promise.all([usedReference(operation), Promise.all(reading)]);
    if (used) return used;
    const read = new Map(found);
    const { known, forms } = knownSpellings(ids, (id) => isKnownPayment(read.get(id)?.payment));
    const others = forms.length === 0 ? [] : await db.read(sql.transactionsOfForms, account, forms);
    const other = otherForm(
      refunds.map(({ transaction_id }) => transaction_id),
      withFound(known, others),
    );
    if (other) return { kind: 'other_form', ...other };
    const refused = refundRefusal(refunds, (id) => read.get(id)?.payment ?? {});
    // What refunded the payment may be an operation that took the same reference after the read above. Then that is the reason.
    if (refused) return (await usedReference(operation)) ?? refused;
    const payments = [...read].map(([transaction_id, { payment, counted }]) => ({
      ...{ transaction_id, counted },
      ...(isKnownPayment(payment) ? {} : { form: transactionForm(transaction_id) }),
    }));
    const verdict = await begin({ operation, refunds, payments, key, audit });
    switch (verdict) {
      case 'done':
        return { kind: 'begun' };
      case 'key_lost':
        return { kind: 'key_lost' };
      case 'taken': {
        if (request_id === undefined) return 'changed';
        const [before] = await db.read(sql.operationByRequestId, account, request_id);
        // It was freed meanwhile.
        if (!before) return 'changed';
        return { kind: 'request_id_used', ...(before.kept === true ? { id: String(before.id) } : {}) };
      }
      default:
        return 'changed';
    }
  };

  return {
    begin: async (operation, refunds, key, audit) => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const begun = await beginAsRead(operation, refunds, key, audit);
        if (begun !== 'changed') return begun;
      }
      throw new StoreError('an operation was read anew too often', { wroteNothing: true });
    },
    finish: async (one) => {
      const planned = lookPlannedAt(one.operation);
      const ahead = planned === undefined ? 0 : await db.ahead(planned);
      return (await finish({ ...one, ahead })) === 'done';
    },
  };
}

const beginOperations = procedure('begin_operations', beginParameters);
const finishOperations = procedure('finish_operations', finishParameters);

const sql = statementsOf(statement, {
  operationByReference: `SELECT nth, used.operation_id AS id FROM unnest($3::text[]) WITH ORDINALITY AS asked (reference, nth)
      CROSS JOIN LATERAL (SELECT operation_id FROM turnpike.operation_references
        WHERE account = $1 AND name = $2 AND reference = asked.reference OFFSET 0) AS used
      ORDER BY nth LIMIT 1`,
  operationByRequestId: `SELECT operation_id AS id, EXISTS (SELECT 1 FROM turnpike.operations WHERE id = operation_id) AS kept
      FROM turnpike.payout_requests WHERE account = $1 AND request_id = $2`,
  refundedPayments: `SELECT paid.amount AS paid_amount, paid.currency AS paid_currency, counted.*, past.sum::text AS past_sum,
        past.original::text AS past_original, past.currency AS past_currency
      FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (account, id, nth)
      CROSS JOIN LATERAL (SELECT sum(amount)::text AS sum, min(original)::text AS original, min(currency) AS currency
        FROM turnpike.refunds WHERE account = asked.account AND transaction_id = asked.id AND counts OFFSET 0) AS counted
      LEFT JOIN LATERAL (SELECT amount, currency FROM turnpike.transactions
        WHERE account = asked.account AND transaction_id = asked.id OFFSET 0) AS paid ON true
      LEFT JOIN LATERAL (SELECT sum, original, currency FROM turnpike.refunded_payments
        WHERE account = asked.account AND transaction_id = asked.id OFFSET 0) AS past ON true
      ORDER BY nth`,
  transactionsOfForms: transactionsOfForms(dialect),
});

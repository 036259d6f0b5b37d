import {
  cameToNothing,
  heldRequestId,
  lookPlannedAt,
  needsPerson,
  nextLookAt,
  type Operation,
} from '../../payments/operations/operation.ts';
import {
  type Payment,
  type Reservation,
  refundRefusal,
  withRemembered,
} from '../../payments/operations/refund-rule.ts';
import { later, leasedAhead, plannedAhead } from '../ahead.ts';
import type { AuditEntry } from '../audit.ts';
import { knownOfForms, postgresForm } from '../forms/transaction-forms.ts';
import { operationFrom, type Row, refundedFrom } from '../rows.ts';
import type { Begun, Claim, Finish, Lease, Store } from '../store.ts';
import { auditRows } from './audit.ts';
import { eventRows } from './events.ts';
import { createBatches, createWriteBatches } from './server/batches.ts';
import { type Database, list, type Value } from './server/database.ts';
import { mayDoLess, PostgresFault, RowsLocked, WritesSplit } from './server/errors.ts';

type OperationMethods = Pick<
  Store,
  | 'beginOperation'
  | 'finishOperation'
  | 'operation'
  | 'leaseOrphanedOperations'
  | 'leaseDueOperations'
  | 'refundsOf'
  | 'transactionsOfForms'
  | 'refunded'
>;

/** An operation to begin, with what is known of the payments that it refunds. */
type Beginning = {
  operation: Operation;
  refunds: readonly Reservation[];
  payments: readonly { transaction_id: string; counted: Counted }[];
  key: Claim | undefined;
  audit: AuditEntry | undefined;
};

/** An operation's end, and by how many milliseconds the server's clock is ahead of that of its writer. */
type TimedFinish = Finish & { ahead: number };

/** What the refunds of a payment come to that are still kept, as the server wrote it. */
type Counted = { sum: unknown; original: unknown; currency: unknown };

type Read = { payment: Payment; counted: Counted };

type Verdict = 'done' | 'changed' | 'key_lost' | 'taken';

/** Operations, and what each refund among them takes of its payment. */
export function postgresOperations(db: Database): OperationMethods {
  const begin = createWriteBatches<Beginning, Verdict>({
    keysOf: ({ operation: { id, account, name, references = [] }, refunds }) => [
      id,
      ...refunds.map(({ transaction_id }) => `${account} ${transaction_id}`),
      ...references.map((reference) => `${account} ${name} ${reference}`),
    ],
    run: async (batch, start, lockMs) =>
      verdicts(batch, await db.call(start, sql.begin, lockMs, batch.length, ...beginValues(batch))),
    mayRepeat: mayDoLess,
  });
  const finish = createWriteBatches<TimedFinish, Verdict>({
    keysOf: ({ operation: { id } }) => [id],
    run: async (batch, start, lockMs) =>
      verdicts(batch, await db.call(start, sql.finish, lockMs, batch.length, ...finishValues(batch))),
    mayRepeat: mayDoLess,
  });
  const readPayment = createBatches<{ account: string; id: string }, Read>({
    keysOf: () => [],
    run: async (batch, start) => {
      const [accounts, ids] = [batch.map(({ account }) => account), batch.map(({ id }) => id)];
      return (await db.readSince(start, sql.payments, accounts, ids)).map(readFrom);
    },
    mayRepeat: mayDoLess,
  });

  /** The first five values of a lease, in the server's time. */
  const leaseValues = async (work: Lease): Promise<Value[]> => {
    const ahead = await db.ahead(work.now);
    const [now, until] = [later(work.now, ahead), later(work.until, ahead)];
    return [now, until, work.limit, leasedAhead({ until }), plannedAhead(now)];
  };

  const usedReference = async ({ account, name, references = [] }: Operation): Promise<Begun | undefined> => {
    if (references.length === 0) return undefined;
    const [used] = await db.read(sql.byReference, account, name, references);
    return used && { kind: 'reference_used', item: Number(used.nth) - 1, id: String(used.id) };
  };

  /** `changed`: since it was read another refund of a payment began, or another operation took a reference. */
  const beginAsRead = async (
    operation: Operation,
    refunds: readonly Reservation[],
    key: Claim | undefined,
    audit: AuditEntry | undefined,
  ): Promise<Begun | 'changed'> => {
    const { account, request_id } = operation;
    const ids = [...new Set(refunds.map(({ transaction_id }) => transaction_id))];
    const reading = ids.map(async (id) => [id, await readPayment({ account, id })] as const);
    const [used, payment] = await Promise.all([usedReference(operation), Promise.all(reading)]);
    if (used) return used;
    const read = new Map(payment);
    const refused = refundRefusal(refunds, (id) => read.get(id)?.payment ?? {});
    // An operation that took a reference since it was read above may be what refunded the payment: the reference says more.
    if (refused) return (await usedReference(operation)) ?? refused;
    const payments = [...read].map(([transaction_id, { counted }]) => ({ transaction_id, counted }));
    const verdict = await begin({ operation, refunds, payments, key, audit });
    switch (verdict) {
      case 'done':
        return { kind: 'begun' };
      case 'key_lost':
        return { kind: 'key_lost' };
      case 'changed':
        return 'changed';
      case 'taken': {
        if (request_id === undefined) return 'changed';
        const [before] = await db.read(sql.byRequestId, account, request_id);
        // Given back meanwhile.
        if (!before) return 'changed';
        return { kind: 'request_id_used', ...(before.kept === true ? { id: String(before.id) } : {}) };
      }
    }
  };

  return {
    beginOperation: async (operation, refunds, key, audit) => {
      for (;;) {
        const begun = await beginAsRead(operation, refunds, key, audit);
        if (begun !== 'changed') return begun;
      }
    },
    finishOperation: async (one) => {
      const planned = lookPlannedAt(one.operation);
      const ahead = planned === undefined ? 0 : await db.ahead(planned);
      return (await finish({ ...one, ahead })) === 'done';
    },

    operation: async (id) => (await db.read(sql.find, id)).map(operationFrom)[0],
    leaseOrphanedOperations: async (work, before) =>
      (await db.write([sql.leaseOrphaned, ...(await leaseValues(work)), before])).map(operationFrom),
    leaseDueOperations: async (work, accounts) =>
      (await db.write([sql.leaseDue, ...(await leaseValues(work)), accounts])).map(operationFrom),
    transactionsOfForms: async (account, forms) =>
      (await db.read(sql.ofForms, account, forms)).map(({ transaction_id }) => String(transaction_id)),
    refundsOf: async (account, transactionIds) =>
      (await db.read(sql.refundsOf, account, transactionIds)).map(operationFrom),
    refunded: async (account, transactionIds) => {
      const rows = await db.read(
        sql.payments,
        transactionIds.map(() => account),
        transactionIds,
      );
      return rows.flatMap((row) => {
        const { sum } = readFrom(row).payment;
        return sum === undefined ? [] : [{ transaction_id: String(row.id), sum }];
      });
    },
  };
}

/** What a procedure tells of a batch, of which it does all or nothing. Throws PostgresFault where it did nothing. */
function verdicts(batch: readonly unknown[], { verdict }: Row): Verdict[] {
  switch (verdict) {
    case null:
      return batch.map(() => 'done');
    case 'changed':
    case 'key_lost':
    case 'taken':
      return [verdict];
    case 'split':
      throw new WritesSplit();
    case 'locked':
      throw new RowsLocked();
    default:
      throw new PostgresFault('the server gave no verdict');
  }
}

function beginValues(batch: readonly Beginning[]): Value[] {
  const operations = batch.map(({ operation }) => {
    const { id, account, request_id, created_at, version, state } = operation;
    return { id, account, request_id, created_at, version, status: state.status, data: JSON.stringify(operation) };
  });
  const payments = batch.flatMap(({ operation: { account }, payments }) =>
    payments.map(({ transaction_id, counted }) => ({ account, transaction_id, ...counted })),
  );
  const refunds = batch.flatMap(({ operation: { id, account }, refunds }) =>
    refunds.map(({ transaction_id, currency, amount, original }, item) => ({
      ...{ operation_id: id, item, account, transaction_id, currency },
      ...{ amount: String(amount), original: String(original) },
    })),
  );
  const leads = batch.flatMap(({ operation, key }) =>
    key ? [{ ...key, earlier: undefined, subject: operation.id }] : [],
  );
  const named = batch.flatMap(({ operation }) => referenceRows(operation));
  const audits = auditRows(batch.map(({ audit }) => audit));
  return [operations, payments, refunds, leads, named, audits].map(list);
}

function finishValues(batch: readonly TimedFinish[]): Value[] {
  const operations = batch.map(({ operation, ahead }) => ({
    ...{ id: operation.id, version: operation.version, status: operation.state.status },
    request_id: heldRequestId(operation),
    ...planOf(operation, ahead),
    needs_person: needsPerson(operation),
    data: JSON.stringify(operation),
  }));
  const recounted = batch.flatMap(({ operation: { id }, counted = [] }) =>
    counted.map((counts, item) => ({ operation_id: id, item, counts })),
  );
  const freed = batch.flatMap(({ operation: { id, account, request_id }, operation }) =>
    request_id !== undefined && heldRequestId(operation) === undefined
      ? [{ account, request_id, operation_id: id }]
      : [],
  );
  const answers = batch.flatMap(({ answered }) => answered ?? []);
  const unnamed = batch.flatMap(({ operation }) => (cameToNothing(operation) ? referenceRows(operation) : []));
  const [told, audits] = [eventRows(batch.flatMap(({ events }) => events)), auditRows(batch.map(({ audit }) => audit))];
  return [operations, recounted, answers, freed, told, unnamed, audits].map(list);
}

/** When the next look is due, and when that was planned. */
function planOf(operation: Operation, ahead: number): { next_look_at?: string; planned_at?: string } {
  const [next, planned] = [nextLookAt(operation), lookPlannedAt(operation)];
  if (next === undefined || planned === undefined) return next === undefined ? {} : { next_look_at: next };
  return { next_look_at: later(next, ahead), planned_at: later(planned, ahead) };
}

function referenceRows({ id, account, name, references = [] }: Operation): object[] {
  return references.map((reference) => ({ account, name, reference, operation_id: id }));
}

/**
 * Leases operations that are free; `$1` is now, `$2` the lease's end, `$3` how many, `$4` the latest end of a lease,
 * `$5` the latest moment of a plan.
 */
function lease(found: string, order: string): string {
  return `WITH due AS (SELECT id FROM turnpike.operations WHERE ${found}
      AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $4) ORDER BY ${order} LIMIT $3 FOR UPDATE SKIP LOCKED),
    leased AS (UPDATE turnpike.operations AS o SET leased_until = $2 FROM due WHERE o.id = due.id RETURNING o.*)
    SELECT data FROM leased ORDER BY ${order}`;
}

const sql = {
  begin: { name: 'begin-operations', text: 'CALL turnpike.begin_operations($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL)' },
  finish: {
    name: 'finish-operations',
    text: 'CALL turnpike.finish_operations($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL)',
  },
  byReference: {
    name: 'operation-by-reference',
    text: `SELECT nth, used.operation_id AS id FROM unnest($3::text[]) WITH ORDINALITY AS asked (reference, nth)
      CROSS JOIN LATERAL (SELECT operation_id FROM turnpike.operation_references
        WHERE account = $1 AND name = $2 AND reference = asked.reference OFFSET 0) AS used
      ORDER BY nth LIMIT 1`,
  },
  byRequestId: {
    name: 'operation-by-request-id',
    text: `SELECT operation_id AS id, EXISTS (SELECT 1 FROM turnpike.operations WHERE id = operation_id) AS kept
      FROM turnpike.payout_requests WHERE account = $1 AND request_id = $2`,
  },
  payments: {
    name: 'refunded-payments',
    text: `SELECT asked.id, paid.amount AS paid_amount, paid.currency AS paid_currency, counted.*, past.sum::text AS past_sum,
        past.original::text AS past_original, past.currency AS past_currency
      FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (account, id, nth)
      CROSS JOIN LATERAL (SELECT sum(amount)::text AS sum, min(original)::text AS original, min(currency) AS currency
        FROM turnpike.refunds WHERE account = asked.account AND transaction_id = asked.id AND counts OFFSET 0) AS counted
      LEFT JOIN LATERAL (SELECT amount, currency FROM turnpike.transactions
        WHERE account = asked.account AND transaction_id = asked.id OFFSET 0) AS paid ON true
      LEFT JOIN LATERAL (SELECT sum, original, currency FROM turnpike.refunded_payments
        WHERE account = asked.account AND transaction_id = asked.id OFFSET 0) AS past ON true
      ORDER BY nth`,
  },
  find: { name: 'operation', text: 'SELECT data FROM turnpike.operations WHERE id = $1' },
  leaseOrphaned: {
    name: 'lease-orphaned-operations',
    text: lease("status = 'in_flight' AND (created_at <= $6 OR created_at > $5)", 'created_at'),
  },
  leaseDue: {
    name: 'lease-due-operations',
    text: lease(
      '(next_look_at <= $1 OR next_look_at > $1 AND planned_at > $5) AND account = ANY ($6::text[])',
      'next_look_at',
    ),
  },
  ofForms: {
    name: 'transactions-of-forms',
    text: knownOfForms('$1', (text) => `${text} = ANY ($2::text[])`, postgresForm, { schema: 'turnpike.' }),
  },
  refundsOf: {
    name: 'refunds-of',
    text: `SELECT data FROM turnpike.operations WHERE id IN (SELECT operation_id FROM turnpike.refunds
      WHERE account = $1 AND transaction_id = ANY ($2::text[])) ORDER BY created_at`,
  },
};

function readFrom(row: Row): Read {
  const { id, paid_amount, paid_currency, sum, original, currency, past_sum, past_original, past_currency } = row;
  const known: Payment = {
    ...(typeof paid_amount === 'string' ? { paid: { amount: paid_amount, currency: String(paid_currency) } } : {}),
    ...(typeof sum === 'string' ? { sum: BigInt(sum) } : {}),
    ...(typeof original === 'string' ? { original: BigInt(original) } : {}),
    ...(typeof currency === 'string' ? { currency } : {}),
  };
  const past = { transaction_id: id, sum: past_sum, original: past_original, currency: past_currency };
  const payment = withRemembered(known, typeof past_sum === 'string' ? refundedFrom(past) : undefined);
  return { payment, counted: { sum, original, currency } };
}

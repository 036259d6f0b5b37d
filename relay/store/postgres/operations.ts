import { needsPerson, nextLookAt, type Operation } from '../../payments/operations/operation.ts';
import {
  type Payment,
  type Reservation,
  refundRefusal,
  withRemembered,
} from '../../payments/operations/refund-rule.ts';
import { operationFrom, type Row, refundedFrom } from '../rows.ts';
import type { Begun, Claim, Store } from '../store.ts';
import { eventRows } from './events.ts';
import { answerKey, answerValues, leading, leadValues } from './keys.ts';
import { lock, locks } from './locks.ts';
import { type Database, type Step, type Value, values } from './server/database.ts';

type OperationMethods = Pick<
  Store,
  'beginOperation' | 'finishOperation' | 'operation' | 'leaseOrphanedOperations' | 'leaseDueOperations' | 'refundsOf'
>;

/** Operations, and what each refund among them takes of its payment. */
export function postgresOperations(db: Database): OperationMethods {
  /** A refund is begun while no other one of its payments is: what both read and wrote would be wrong together. */
  const beginRefund = ({ account }: Operation, refunds: readonly Reservation[], insert: Step) =>
    db.transaction<Begun | undefined>(async (run) => {
      const ids = [...new Set(refunds.map(({ transaction_id }) => transaction_id))];
      const locked = ids.map((id) => locks.payment(account, id));
      const [, found = []] = await run([lock, locked], [sql.payments, account, ids]);
      const payments = new Map(found.map((row) => [String(row.id), paymentFrom(row)]));
      const refused = refundRefusal(refunds, (id) => payments.get(id) ?? {});
      if (refused) return refused;
      const [rows = []] = await run(insert);
      return rows.length === 1 ? { kind: 'begun' } : undefined;
    });

  return {
    beginOperation: async (operation, refunds, key) => {
      const { id, account, request_id } = operation;
      const insert = insertStep(operation, refunds, key);
      const begun: Begun | undefined =
        refunds.length > 0
          ? await beginRefund(operation, refunds, insert)
          : (await db.write(insert)).length === 1
            ? { kind: 'begun' }
            : undefined;
      if (begun) return begun;
      const [before] = request_id === undefined ? [] : await db.read(sql.byRequestId, account, request_id);
      if (before && before.id !== id) {
        return { kind: 'request_id_used', ...(before.kept === true ? { id: String(before.id) } : {}) };
      }
      return { kind: 'key_lost' };
    },

    finishOperation: async ({ operation, counted, answered, events: told }) => {
      const { id, version, state } = operation;
      const cameToNothing = state.status === 'not_sent' || state.status === 'refused';
      const request_id = cameToNothing ? null : (operation.request_id ?? null);
      const freed = [operation.account, cameToNothing ? (operation.request_id ?? null) : null];
      const look = [nextLookAt(operation) ?? null, needsPerson(operation)];
      const changed = [id, version, state.status, request_id, ...look, JSON.stringify(operation), counted ?? []];
      const step: Step = [sql.finish, ...changed, ...answerValues(answered), ...freed];
      const events = told.length > 0 ? JSON.stringify(eventRows(told)) : null;
      return (await db.write([...step, events])).length === 1;
    },

    operation: async (id) => (await db.read(sql.find, id)).map(operationFrom)[0],
    leaseOrphanedOperations: async ({ now, until, limit }, before) =>
      (await db.write([sql.leaseOrphaned, now, until, limit, before])).map(operationFrom),
    leaseDueOperations: async ({ now, until, limit }, accounts) =>
      (await db.write([sql.leaseDue, now, until, limit, accounts])).map(operationFrom),
    refundsOf: async (account, transactionIds) =>
      (await db.read(sql.refundsOf, account, transactionIds)).map(operationFrom),
  };
}

function insertStep(operation: Operation, refunds: readonly Reservation[], key: Claim | undefined): Step {
  const { id, account, request_id, created_at, version, state } = operation;
  const inserted: Value[] = [
    ...[id, account, request_id ?? null, created_at, version, state.status, JSON.stringify(operation)],
    refunds.map(({ transaction_id }) => transaction_id),
    refunds.map(({ currency }) => currency),
    refunds.map(({ amount }) => String(amount)),
    refunds.map(({ original }) => String(original)),
  ];
  return key ? [sql.beginWithKey, ...inserted, ...leadValues(key)] : [sql.begin, ...inserted];
}

function begin(key: { own: string; lead: string } | undefined): string {
  return `WITH own AS (${key ? key.own : 'SELECT 1'}),
    made AS (INSERT INTO turnpike.operations (id, account, request_id, created_at, version, status, data)
      SELECT ${values(1, 7)} FROM own
      WHERE NOT EXISTS (SELECT 1 FROM turnpike.payout_requests WHERE account = $2 AND request_id = $3)
      ON CONFLICT (account, request_id) WHERE request_id IS NOT NULL DO NOTHING RETURNING id),
    named AS (INSERT INTO turnpike.payout_requests (account, request_id, operation_id)
      SELECT $2, $3, id FROM made WHERE $3 IS NOT NULL),
    ${key ? `led AS (${key.lead}),` : ''}
    reserved AS (INSERT INTO turnpike.refunds
      (operation_id, item, account, transaction_id, currency, amount, original, counts)
      SELECT $1, item - 1, $2, transaction_id, currency, amount::bigint, original::bigint, true FROM made,
      unnest($8::text[], $9::text[], $10::text[], $11::text[])
        WITH ORDINALITY AS given (transaction_id, currency, amount, original, item))
    SELECT id FROM made`;
}

/** Gives out operations that nobody else works on; `$1` is now, `$2` the lease's end, `$3` how many. */
function lease(found: string, order: string): string {
  return `WITH due AS (SELECT id FROM turnpike.operations WHERE ${found}
      AND (leased_until IS NULL OR leased_until <= $1) ORDER BY ${order} LIMIT $3 FOR UPDATE SKIP LOCKED),
    leased AS (UPDATE turnpike.operations AS o SET leased_until = $2 FROM due WHERE o.id = due.id RETURNING o.*)
    SELECT data FROM leased ORDER BY ${order}`;
}

const sql = {
  begin: { name: 'begin-operation', text: begin(undefined) },
  beginWithKey: {
    name: 'begin-operation-with-key',
    text: begin(leading(12, '$1', 'EXISTS (SELECT 1 FROM made)')),
  },
  byRequestId: {
    name: 'operation-by-request-id',
    text: `SELECT operation_id AS id, EXISTS (SELECT 1 FROM turnpike.operations WHERE id = operation_id) AS kept
      FROM turnpike.payout_requests WHERE account = $1 AND request_id = $2`,
  },
  payments: {
    name: 'refunded-payments',
    text: `SELECT asked.id, paid.amount AS paid_amount, paid.currency AS paid_currency, counted.*, past.sum::text AS past_sum, past.original::text AS past_original,
        past.currency AS past_currency
      FROM unnest($2::text[]) AS asked (id) CROSS JOIN LATERAL (SELECT sum(amount)::text AS sum, min(original)::text AS original,
        min(currency) AS currency FROM turnpike.refunds WHERE account = $1 AND transaction_id = asked.id AND counts)
        AS counted
      LEFT JOIN turnpike.transactions AS paid ON paid.account = $1 AND paid.transaction_id = asked.id
      LEFT JOIN turnpike.refunded_payments AS past ON past.account = $1 AND past.transaction_id = asked.id`,
  },
  finish: {
    name: 'finish-operation',
    text: `WITH moved AS (UPDATE turnpike.operations SET version = $2, status = $3, request_id = $4, next_look_at = $5,
        needs_person = $6, leased_until = NULL, data = $7 WHERE id = $1 AND version = $2 - 1 RETURNING id),
      recounted AS (UPDATE turnpike.refunds SET counts = given.counts FROM moved,
        unnest($8::boolean[]) WITH ORDINALITY AS given (counts, item)
        WHERE operation_id = $1 AND refunds.item = given.item - 1),
      freed AS (DELETE FROM turnpike.payout_requests USING moved
        WHERE account = $14 AND request_id = $15 AND operation_id = $1),
      answered AS (${answerKey(9, 'EXISTS (SELECT 1 FROM moved)')}),
      told AS (SELECT turnpike.add_events($16) FROM moved WHERE $16::json IS NOT NULL)
      SELECT id, (SELECT count(*) FROM told) FROM moved`,
  },
  find: { name: 'operation', text: 'SELECT data FROM turnpike.operations WHERE id = $1' },
  leaseOrphaned: {
    name: 'lease-orphaned-operations',
    text: lease("status = 'in_flight' AND created_at <= $4", 'created_at'),
  },
  leaseDue: {
    name: 'lease-due-operations',
    text: lease('next_look_at <= $1 AND account = ANY ($4::text[])', 'next_look_at'),
  },
  refundsOf: {
    name: 'refunds-of',
    text: `SELECT data FROM turnpike.operations WHERE id IN (SELECT operation_id FROM turnpike.refunds
      WHERE account = $1 AND transaction_id = ANY ($2::text[])) ORDER BY created_at`,
  },
};

function paymentFrom(row: Row): Payment {
  const { id, paid_amount, paid_currency, sum, original, currency, past_sum, past_original, past_currency } = row;
  const known: Payment = {
    ...(typeof paid_amount === 'string' ? { paid: { amount: paid_amount, currency: String(paid_currency) } } : {}),
    ...(typeof sum === 'string' ? { sum: BigInt(sum) } : {}),
    ...(typeof original === 'string' ? { original: BigInt(original) } : {}),
    ...(typeof currency === 'string' ? { currency } : {}),
  };
  const past = { transaction_id: id, sum: past_sum, original: past_original, currency: past_currency };
  return withRemembered(known, typeof past_sum === 'string' ? refundedFrom(past) : undefined);
}

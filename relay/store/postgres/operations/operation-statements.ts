import { knownOfForms, mayHaveHappened, postgresForm } from '../../forms/transaction-forms.ts';

/**
 * Leases operations that are free; `$1` is now, `$2` the lease's end, `$3` how many, `$4` the latest end of a lease,
 * `$5` the latest moment of a plan or of a beginning.
 */
function lease(found: string, order: string): string {
  return `WITH due AS (SELECT id FROM turnpike.operations WHERE ${found}
      AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $4) ORDER BY ${order} LIMIT $3 FOR UPDATE SKIP LOCKED),
    leased AS (UPDATE turnpike.operations AS o SET leased_until = $2 FROM due WHERE o.id = due.id RETURNING o.*)
    SELECT data FROM leased ORDER BY ${order}`;
}

/** The statements about operations and their refunds. */
export const sql = {
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
  keep: {
    name: 'keep-operations',
    text: 'UPDATE turnpike.operations SET leased_until = $2 WHERE leased_until IS NOT NULL AND id = ANY ($1::text[])',
  },
  ofForms: {
    name: 'transactions-of-forms',
    text: knownOfForms(
      '$1',
      (text) => `${text} = ANY ($2::text[])`,
      postgresForm,
      mayHaveHappened('counts', 'turnpike.'),
      {
        schema: 'turnpike.',
      },
    ),
  },
  refundsOf: {
    name: 'refunds-of',
    text: `SELECT data FROM turnpike.operations WHERE id IN (SELECT operation_id FROM turnpike.refunds
      WHERE account = $1 AND transaction_id = ANY ($2::text[])) ORDER BY created_at`,
  },
};

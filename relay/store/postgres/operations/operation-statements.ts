import { knownOfForms, mayHaveHappened } from '../../forms/transaction-forms.ts';
import { dialect } from '../dialect.ts';

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
  ofForms: {
    name: 'transactions-of-forms',
    text: knownOfForms(
      '$1',
      (text) => `${text} = ANY ($2::text[])`,
      dialect.form,
      mayHaveHappened('counts', dialect.table),
      dialect.table,
    ),
  },
};

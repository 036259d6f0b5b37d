import type { SchemaStep } from './schema.ts';

/**
 * Whether a payment that statistics count is reversed. All orders are listed again, now also under the term of their
 * reversed payments, and all tallies are made again, because those of the previous version lack these sums.
 */
export const reversedPayments: SchemaStep = ({ schema }) => `
  ALTER TABLE ${schema}listed_payments ADD COLUMN reversed INTEGER NOT NULL DEFAULT 0;
  DELETE FROM ${schema}stats_tallies;
  DELETE FROM ${schema}stats_changes;
  DELETE FROM ${schema}stats_span;
  INSERT INTO ${schema}unlisted (account, order_no) SELECT account, order_no FROM ${schema}listed_orders;
`;

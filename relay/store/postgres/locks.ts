import type { Statement } from '../sql/plan.ts';

/**
 * Waits until no other transaction has one of these locks, and keeps them until the transaction ends. In order, so that
 * no two wait for each other. The statements after it see what the others wrote.
 */
export const lock: Statement = {
  name: 'lock',
  text: `SELECT pg_advisory_xact_lock(key) FROM (SELECT DISTINCT hashtextextended(name, 0) AS key
    FROM unnest($1::text[]) AS name ORDER BY key) AS keys`,
};

/**
 * What is locked: the webhooks of a subject, the refunds of a payment. The procedures lock single webhooks and quotas, too, and
 * payments by the form of their transaction_id.
 */
export const locks = {
  subject: (subject: string): string => `subject ${subject}`,
  payment: (account: string, transactionId: string): string => `payment ${account} ${transactionId}`,
};

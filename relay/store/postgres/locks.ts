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

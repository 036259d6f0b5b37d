import { knownOfForms } from '../../sql/spellings.ts';
import { dialect } from '../dialect.ts';
import { unless } from './transactions.ts';

/** Locks payments by their transaction_ids and forms, sorted so that no two transactions wait for each other. */
export const lockPayments = (list: string): string =>
  `PERFORM pg_advisory_xact_lock(hash) FROM (SELECT DISTINCT hashtextextended('payment ' || account || ' ' || name, 0) AS hash
        FROM json_to_recordset(${list}) AS p (account text, transaction_id text, form text),
          LATERAL (VALUES (transaction_id), (form)) AS names (name) WHERE name IS NOT NULL ORDER BY hash) AS hashes;`;

/** Selects the known transaction_ids that equal the one of the row `p`, or have its form. */
const ofForm = knownOfForms(dialect, 'p.account', (text) => `${text} IN (p.transaction_id, p.form)`);

/**
 * Raises `changed` if another spelling of a transaction_id became known since the relay read it. A transaction_id that
 * was unknown then has a `form`, by which it is locked; if it is known itself by now, it passes (as in `otherForm`).
 */
export const unlessReadTooEarly = `
      PERFORM 1 FROM json_to_recordset(payments) AS p (account text, transaction_id text, form text)
        WHERE form IS NOT NULL AND (SELECT NOT bool_or(known.transaction_id = p.transaction_id)
          FROM (${ofForm}) AS known);${unless('done = 0', 'changed')}`;

/**
 * If a transaction_id has a `form`: locks both, and raises the known other spelling, unless the transaction_id is known
 * itself.
 */
export const unlessSpelled = `
      IF EXISTS (SELECT 1 FROM json_to_recordset(transactions) AS t (form text) WHERE form IS NOT NULL) THEN
        ${lockPayments('transactions')}
        SELECT 'spelled ' || to_json(other.id)::text INTO reason
          FROM json_to_recordset(transactions) AS p (account text, transaction_id text, form text), LATERAL (
            SELECT min(known.transaction_id) AS id FROM (${ofForm}) AS known
            HAVING NOT bool_or(known.transaction_id = p.transaction_id)) AS other
          WHERE p.form IS NOT NULL LIMIT 1;
        IF FOUND THEN
          RAISE '%', reason USING ERRCODE = 'TP001';
        END IF;
      END IF;`;

/** Raises the transaction that paid another order, unless it is in `shared`. */
export const unlessKnown = `
      GET DIAGNOSTICS updated = ROW_COUNT;
      IF updated < json_array_length(transactions) THEN
        SELECT 'known ' || json_build_array(k.transaction_id, k.order_no)::text INTO reason
          FROM json_to_recordset(transactions) AS t (account text, transaction_id text, order_no text)
          JOIN turnpike.transactions AS k ON k.account = t.account AND k.transaction_id = t.transaction_id
          WHERE k.order_no <> t.order_no AND NOT EXISTS (SELECT 1 FROM json_to_recordset(shared)
            AS s (account text, transaction_id text, order_no text)
            WHERE s.account = t.account AND s.transaction_id = t.transaction_id AND s.order_no = t.order_no)
          LIMIT 1;
        IF FOUND THEN
          RAISE '%', reason USING ERRCODE = 'TP001';
        END IF;
      END IF;`;

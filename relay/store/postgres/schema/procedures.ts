import { addAudits, keepAnswers, operationProcedures } from './operation-procedures.ts';
import { unlessKnown, unlessSpelled } from './payment-checks.ts';
import { nextTransaction, outcome, settings, TIME_LEFT, unlessLate } from './transactions.ts';

/**
 * Counts attempts, and gives NULL. Where a quota is used up nothing is counted: gives which, each with the last second that
 * must be out of its window, or \`split\` where only some of these attempts may be made. What lies ahead limits nothing (\`countedAhead\`).
 */
export const countAttempts = `
CREATE FUNCTION turnpike.count_attempts(quotas json) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  used_up text;
BEGIN
  PERFORM pg_advisory_xact_lock(hash) FROM (SELECT DISTINCT hashtextextended('quota ' || key, 0) AS hash
    FROM json_to_recordset(quotas) AS q (key text) ORDER BY hash) AS hashes;
  FOR run IN 1..10 LOOP
    IF NOT EXISTS (SELECT 1 FROM json_to_recordset(quotas) AS q (key text, most bigint, since bigint, wanted integer, at bigint)
        WHERE wanted + (SELECT coalesce(sum(c.n), 0) FROM turnpike.counted AS c WHERE c.key = q.key AND c.at > q.since AND c.at <= q.at + 30) > most)
    THEN
      INSERT INTO turnpike.counted AS c (key, at, n)
        SELECT key, at, n FROM json_to_recordset(quotas) AS q (key text, at bigint, n integer)
        ON CONFLICT (key, at) DO UPDATE SET n = c.n + excluded.n;
      RETURN NULL;
    END IF;
    SELECT json_agg(json_build_array(i, blocking))::text INTO used_up
      FROM json_to_recordset(quotas) AS q (i integer, key text, most bigint, since bigint, at bigint), LATERAL (
        SELECT at AS blocking FROM (SELECT c.at, sum(c.n) OVER (ORDER BY c.at DESC) AS total
          FROM turnpike.counted AS c WHERE c.key = q.key AND c.at > q.since AND c.at <= q.at + 30) AS newest
        WHERE total >= q.most ORDER BY at DESC LIMIT 1) AS last;
    IF used_up IS NOT NULL THEN
      RETURN used_up;
    END IF;
    IF EXISTS (SELECT 1 FROM json_to_recordset(quotas) AS q (wanted integer) WHERE wanted > 1) THEN
      RETURN 'split';
    END IF;
    -- What was used up a moment ago was released.
  END LOOP;
  RETURN 'split';
END $$;
`;

/** Gives counted attempts back. */
const giveBack = (list: string): string => `
  UPDATE turnpike.counted AS c SET n = c.n - g.n FROM json_to_recordset(${list}) AS g (key text, at bigint, n integer)
    WHERE c.key = g.key AND c.at = g.at AND c.n >= g.n;`;

/**
 * Writes changes of orders, all or none. \`verdict\` is NULL then; else nothing was written, and it is the quotas that
 * are used up (JSON), \`changed\` or \`key_lost\` of a job that lost, \`known\` and which transaction paid which other order,
 * \`spelled\` and another spelling of a transaction_id that is known, \`locked\` of a job that did not get a lock within
 * \`lock_ms\`, or \`split\`: fewer must be written together. Raises TP003 where it could not be done before \`deadline\`.
 *
 * Attempts are counted in a transaction of their own, before: while one waits for the disk, others can count.
 * What is counted for attempts that are then not written is released. Until then others see it, and may be refused for it;
 * a short \`lock_ms\` keeps that time short where there are several jobs.
 */
const writeOrders = (more: {
  parameters: string;
  checks?: { spelled: string; known: string };
  statements: string;
}): string => `
CREATE PROCEDURE turnpike.write_orders(deadline bigint, lock_ms integer, jobs integer, orders json, changed integer, changed_sessions json,
  new_sessions json, new_attempts json, changed_attempts json, transactions json, dropped json, leads json, events json,
  quotas json, uncounted json${more.parameters}, INOUT verdict text) LANGUAGE plpgsql AS $$
DECLARE
  written integer := 0;
  updated integer;
  state text;
  reason text;
BEGIN
  ${nextTransaction}
  ${unlessLate}
  IF quotas IS NOT NULL THEN
    ${settings('off', TIME_LEFT)}
    verdict := turnpike.count_attempts(quotas);
    ${nextTransaction}
    IF verdict IS NOT NULL THEN
      RETURN;
    END IF;
  END IF;
  ${settings('on', `least(lock_ms, ${TIME_LEFT})`)}
  BEGIN
    INSERT INTO turnpike.orders (account, order_no, hold, version, next_query_at, planned_at, data, queried_at)
      SELECT account, order_no, hold, 1, next_query_at, planned_at, data, nullif(released, '') FROM json_to_recordset(orders)
        AS o (account text, order_no text, version integer, hold text, next_query_at text, planned_at text, data text,
          released text)
      WHERE version = 0 ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < jobs THEN
      UPDATE turnpike.orders AS k SET version = k.version + 1, hold = o.hold, next_query_at = o.next_query_at,
          planned_at = o.planned_at, data = o.data, leased_until = CASE WHEN o.released IS NULL THEN k.leased_until END,
          queried_at = greatest(k.queried_at, nullif(o.released, ''))
        FROM json_to_recordset(orders)
          AS o (account text, order_no text, version integer, hold text, next_query_at text, planned_at text, data text,
            released text)
        WHERE k.account = o.account AND k.order_no = o.order_no AND k.version = o.version AND o.version > 0;
      GET DIAGNOSTICS updated = ROW_COUNT;
      IF written + updated < jobs THEN
        RAISE 'changed' USING ERRCODE = 'TP001';
      END IF;
    END IF;
    IF changed > 0 THEN
      UPDATE turnpike.sessions AS k SET status = s.status, version = s.version, revision = s.revision,
          expires_at = s.expires_at, unknown_since = s.unknown_since, needs_attention = s.needs_attention,
          leased_until = NULL, terms = coalesce(s.terms, k.terms), filled = s.filled, state = s.state, settled = s.settled
        FROM json_to_recordset(changed_sessions) AS s (id text, status text, version integer, revision integer,
          expires_at text, unknown_since text, needs_attention boolean, terms text, filled text, state text, settled text)
        WHERE k.id = s.id AND k.version = s.version - 1;
      GET DIAGNOSTICS updated = ROW_COUNT;
      IF updated < changed THEN
        RAISE 'changed' USING ERRCODE = 'TP001';
      END IF;
    END IF;
    IF leads IS NOT NULL THEN
      UPDATE turnpike.idempotency_keys AS k SET subject = l.subject FROM json_to_recordset(leads)
          AS l (account text, route text, key text, claimed_at text, subject text)
        WHERE k.account = l.account AND k.route = l.route AND k.key = l.key AND k.claimed_at = l.claimed_at
          AND k.subject IS NULL AND k.reply IS NULL;
      GET DIAGNOSTICS updated = ROW_COUNT;
      IF updated < json_array_length(leads) THEN
        RAISE 'key_lost' USING ERRCODE = 'TP002';
      END IF;
    END IF;
    IF new_sessions IS NOT NULL THEN
      INSERT INTO turnpike.sessions
          (id, account, order_no, status, version, revision, created_at, expires_at, terms, filled, state)
        SELECT * FROM json_to_recordset(new_sessions) AS s (id text, account text, order_no text, status text,
          version integer, revision integer, created_at text, expires_at text, terms text, filled text, state text);
    END IF;
    IF new_attempts IS NOT NULL THEN
      INSERT INTO turnpike.attempts (id, session_id, account, order_no, started_at, data)
        SELECT * FROM json_to_recordset(new_attempts) AS a (id text, session_id text, account text, order_no text,
          started_at text, data text);
    END IF;
    IF changed_attempts IS NOT NULL THEN
      UPDATE turnpike.attempts AS k SET data = a.data FROM json_to_recordset(changed_attempts) AS a (id text, data text)
        WHERE k.id = a.id;
    END IF;
    IF dropped IS NOT NULL THEN
      DELETE FROM turnpike.transactions AS k USING json_to_recordset(dropped)
          AS d (account text, order_no text, transaction_id text)
        WHERE k.account = d.account AND k.order_no = d.order_no AND k.transaction_id = d.transaction_id;
    END IF;
    IF transactions IS NOT NULL THEN${more.checks?.spelled ?? ''}
      INSERT INTO turnpike.transactions AS known (account, transaction_id, order_no, amount, currency)
        SELECT * FROM json_to_recordset(transactions)
          AS t (account text, transaction_id text, order_no text, amount text, currency text)
        ON CONFLICT (account, transaction_id) DO UPDATE SET amount = excluded.amount, currency = excluded.currency
          WHERE known.order_no = excluded.order_no;${more.checks?.known ?? ''}
    END IF;
    IF events IS NOT NULL THEN
      PERFORM turnpike.add_events(events);
    END IF;${more.statements}
    ${unlessLate}
  EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, reason = MESSAGE_TEXT;
  END;
  ${nextTransaction}
  IF state IS NOT NULL OR uncounted IS NOT NULL THEN
    ${settings('off', '5000')}
    BEGIN
      IF state IS NULL THEN
        ${giveBack('uncounted')}
      ELSIF quotas IS NOT NULL THEN
        ${giveBack('quotas')}
      END IF;
    EXCEPTION WHEN OTHERS THEN
      -- What was written stays written; these attempts count until they are out of their windows.
      NULL;
    END;
    COMMIT;
  END IF;
  ${outcome}
END $$;
`;

/** When an event was created, but not later than now by the server's clock. */
const BY_NOW = `least(created_at, to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/**
 * Adds webhooks, those of one subject in their order; one whose id is there is left out. Of each subject the first that is
 * pending has a \`next_try_at\`; the others wait in line without being looked at. Subjects are locked, so that their order
 * is that of the commits, and ids, so that of two that are the same the later one is left out in time. What is asked
 * about leaves the server no other way than by subject and by id: it would read all that are pending, which are many where a
 * receiver is down.
 */
const addEvents = `
CREATE FUNCTION turnpike.add_events(events json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hash) FROM (SELECT DISTINCT hashtextextended(name, 0) AS hash
    FROM json_to_recordset(events) AS e (id text, subject text),
      LATERAL (VALUES ('event ' || id), ('subject ' || subject)) AS names (name) ORDER BY hash) AS hashes;
  INSERT INTO turnpike.events (id, account, subject, type, created_at, body, status, next_try_at, planned_at, delivery)
    SELECT id, account, subject, type, created_at, body, 'pending', CASE WHEN nth = 1 AND
      (SELECT bool_or(status = 'pending') FROM turnpike.events AS before WHERE before.subject = new.subject) IS NOT TRUE
      THEN ${BY_NOW} END, ${BY_NOW}, delivery
    FROM (SELECT given.*, row_number() OVER (PARTITION BY subject ORDER BY i) AS nth
      FROM ROWS FROM (json_to_recordset(events) AS (id text, account text, subject text, type text, created_at text,
        body text, delivery text)) WITH ORDINALITY AS given (id, account, subject, type, created_at, body, delivery, i)
      WHERE (SELECT true FROM turnpike.events AS same WHERE same.id = given.id LIMIT 1) IS NULL) AS new
    ORDER BY i ON CONFLICT (id) DO NOTHING;
END $$;
`;

/** What the server does by itself in one call, so that nobody waits for the network in a transaction. */
export const procedures = `${countAttempts}${addEvents}${writeOrders({ parameters: '', statements: '' })}${operationProcedures}`;

/** The same beside kept answers and the audit log. Relays of an earlier version go on with theirs. */
export const writeOrdersAnswered = writeOrders({
  parameters: ', answers json, audits json',
  statements: `${keepAnswers}${addAudits}`,
});

/** The same, where one transaction pays one order, and a person names one spelling of it. */
export const writeOrdersOnce = writeOrders({
  parameters: ', answers json, audits json, shared json',
  checks: { spelled: unlessSpelled, known: unlessKnown },
  statements: `${keepAnswers}${addAudits}`,
});

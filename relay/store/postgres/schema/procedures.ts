import { addAudits, keepAnswers, operationProcedures } from './operation-procedures.ts';
import { declared, jobParameters, type ProcedureParameters } from './parameters.ts';
import { unlessKnown, unlessSpelled } from './payment-checks.ts';
import { nextTransaction, outcome, settings, TIME_LEFT, unlessLate } from './transactions.ts';

/**
 * Counts attempts (`CountedGroup`) and returns NULL. If a quota is used up, nothing is counted. The result is then a
 * JSON list of the quotas that are used up, each with the last second that must leave its window, or `split` if only
 * some of the attempts may be counted. Attempts that another clock counted more than 30 seconds ahead limit nothing
 * (`countedAhead`).
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

/** Takes back counted attempts. */
const giveBack = (list: string): string => `
  UPDATE turnpike.counted AS c SET n = c.n - g.n FROM json_to_recordset(${list}) AS g (key text, at bigint, n integer)
    WHERE c.key = g.key AND c.at = g.at AND c.n >= g.n;`;

/** The condition that finds a row among those of its order only. */
const ofOrder = (given: string): string => ` AND k.account = ${given}.account AND k.order_no = ${given}.order_no`;

const changeSessions = (own: string): string => `
      UPDATE turnpike.sessions AS k SET status = s.status, version = s.version, revision = s.revision,
          expires_at = s.expires_at, unknown_since = s.unknown_since, needs_attention = s.needs_attention,
          leased_until = NULL, terms = coalesce(s.terms, k.terms), filled = s.filled, state = s.state, settled = s.settled
        FROM json_to_recordset(changed_sessions) AS s (id text, account text, order_no text, status text, version integer,
          revision integer, expires_at text, unknown_since text, needs_attention boolean, terms text, filled text, state text,
          settled text)
        WHERE k.id = s.id AND k.version = s.version - 1${own};
      GET DIAGNOSTICS updated = ROW_COUNT;`;

const changeAttempts = (own: string): string => `
      UPDATE turnpike.attempts AS k SET data = a.data
        FROM json_to_recordset(changed_attempts) AS a (id text, account text, order_no text, data text) WHERE k.id = a.id${own};`;

/**
 * The parameters of the first `write_orders`: lists of rows to write into each table; `changed` is the number of
 * changed sessions.
 */
const firstParameters = {
  ...jobParameters,
  orders: 'json',
  changed: 'integer',
  changed_sessions: 'json',
  new_sessions: 'json',
  new_attempts: 'json',
  changed_attempts: 'json',
  transactions: 'json',
  dropped: 'json',
  leads: 'json',
  events: 'json',
  quotas: 'json',
  uncounted: 'json',
} as const;

const answeredParameters = { ...firstParameters, answers: 'json', audits: 'json' } as const;

/**
 * The parameters of the newest `write_orders`, which relays of this version call: `shared` are transactions that may
 * pay several orders.
 */
export const writeOrdersParameters = { ...answeredParameters, shared: 'json' } as const;

/**
 * Writes changes of orders, all or none. If all were written, `verdict` is NULL; otherwise nothing was written, and it
 * is the reason:
 *
 * - a JSON list: these quotas are used up (see `countAttempts`);
 * - `changed`: another writer changed the order since it was read; `key_lost`: another request has the idempotency key;
 * - `known` and JSON: this transaction paid that other order; `spelled` and JSON: this other spelling of the transaction_id is known;
 * - `locked`: a lock was not free within `lock_ms`; `split`: one of several jobs failed, so fewer must be written together.
 *
 * Raises TP003 if the `deadline` is over. Attempts are counted first, in a transaction of their own, so that other
 * writers can count while this one waits for the disk. If the attempts are then not written, their count is taken back.
 * Until then they limit other attempts; with several jobs a short `lock_ms` keeps that time short.
 */
const writeOrders = (
  parameters: ProcedureParameters,
  more: { checks?: { spelled: string; known: string }; statements: string },
): string => `
CREATE PROCEDURE turnpike.write_orders(${declared(parameters)}) LANGUAGE plpgsql AS $$
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
    -- Relays of the version before name no order beside a session or an attempt.
    IF changed > 0 AND changed_sessions -> 0 ->> 'order_no' IS NULL THEN${changeSessions('')}
    ELSIF changed > 0 THEN${changeSessions(ofOrder('s'))}
    END IF;
    IF changed > 0 THEN
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
    IF changed_attempts -> 0 ->> 'order_no' IS NULL THEN${changeAttempts('')}
    ELSE${changeAttempts(ofOrder('a'))}
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

/** The creation of an event, or now by the server's clock if that is earlier. */
const BY_NOW = `least(created_at, to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/**
 * Adds rows of events (see `newEventRows`), those of one subject in order. An event whose id exists is left out. Of
 * each subject and endpoint only the first pending row has a `next_try_at`; the others wait for it. Locks of the
 * subjects make their order that of the commits; locks of the ids let the later of two equal events see the earlier
 * one. The subqueries force the server to search by subject and id: it would otherwise read all pending rows, which are
 * many while a receiver is down. Relays of the previous version give neither status nor endpoint.
 */
export const addEvents = `
CREATE FUNCTION turnpike.add_events(events json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hash) FROM (SELECT DISTINCT hashtextextended(name, 0) AS hash
    FROM json_to_recordset(events) AS e (id text, subject text),
      LATERAL (VALUES ('event ' || id), ('subject ' || subject)) AS names (name) ORDER BY hash) AS hashes;
  INSERT INTO turnpike.events (id, account, subject, type, created_at, body, status, next_try_at, planned_at, delivery, endpoint, event_id)
    SELECT id, account, subject, type, created_at, body, coalesce(status, 'pending'), CASE WHEN nth = 1 AND to_endpoint <> '' AND
      (SELECT bool_or(before.status = 'pending') FROM turnpike.events AS before
        WHERE before.subject = new.subject AND before.endpoint = to_endpoint) IS NOT TRUE
      THEN ${BY_NOW} END, ${BY_NOW}, delivery, to_endpoint, event_id
    FROM (SELECT given.*, coalesce(endpoint, 'default') AS to_endpoint,
        row_number() OVER (PARTITION BY subject, coalesce(endpoint, 'default') ORDER BY i) AS nth
      FROM ROWS FROM (json_to_recordset(events) AS (id text, account text, subject text, type text, created_at text,
          body text, status text, delivery text, endpoint text, event_id text))
        WITH ORDINALITY AS given (id, account, subject, type, created_at, body, status, delivery, endpoint, event_id, i)
      WHERE (SELECT true FROM turnpike.events AS same WHERE same.id = coalesce(given.event_id, given.id) LIMIT 1) IS NULL) AS new
    ORDER BY i ON CONFLICT DO NOTHING;
END $$;
`;

/** The procedures of the first version: the server does in one call what would else wait for the network in a transaction. */
export const procedures = `${countAttempts}${addEvents}${writeOrders(firstParameters, { statements: '' })}${operationProcedures}`;

/**
 * The second `write_orders`, which also stores answers and writes the audit log. Relays of an earlier version call the
 * first.
 */
export const writeOrdersAnswered = writeOrders(answeredParameters, { statements: `${keepAnswers}${addAudits}` });

/**
 * The third: one transaction pays one order, and a person can name only one spelling of it. Relays of this version call
 * it.
 */
export const writeOrdersOnce = writeOrders(writeOrdersParameters, {
  checks: { spelled: unlessSpelled, known: unlessKnown },
  statements: `${keepAnswers}${addAudits}`,
});

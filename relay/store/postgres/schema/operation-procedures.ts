import { declared, jobParameters, type ProcedureParameters } from './parameters.ts';
import { lockPayments, unlessReadTooEarly } from './payment-checks.ts';
import { nextTransaction, outcome, settings, TIME_LEFT, unless, unlessLate } from './transactions.ts';

/**
 * A procedure that does all of the `statements` or nothing. If all were done, `verdict` is NULL; otherwise it is the
 * reason that they raised with TP001, or `locked` or `split` (see `outcome` in transactions.ts). The statements count
 * rows in `done`.
 */
const allOrNothing = (name: string, parameters: ProcedureParameters, statements: string): string => `
CREATE PROCEDURE turnpike.${name}(${declared(parameters)}) LANGUAGE plpgsql AS $$
DECLARE
  done integer;
  wanted integer;
  state text;
  reason text;
BEGIN
  ${nextTransaction}
  ${unlessLate}
  ${settings('on', `least(lock_ms, ${TIME_LEFT})`)}
  BEGIN${statements}
    ${unlessLate}
  EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, reason = MESSAGE_TEXT;
  END;
  COMMIT;
  ${outcome}
END $$;
`;

/**
 * The parameters of `begin_operations`: `payments` are those of the operations' items, as they were read; `named` are
 * references. An operation may have the `approval` with which it begins. Relays of the previous version leave out the
 * approval and the `state` of a payment.
 */
export const beginParameters = {
  ...jobParameters,
  operations: 'json',
  payments: 'json',
  refunds: 'json',
  leads: 'json',
  named: 'json',
  audits: 'json',
} as const;

/**
 * Adds operations with their refunds. `changed`: another operation on a payment began or ended since the payment was read, so that the
 * relay must apply the rules again. `approval_changed`: an approval was decided since. `taken`: a payout has this request_id.
 */
const beginStatements = `
    SELECT count(approval) INTO wanted FROM json_to_recordset(operations) AS o (approval text);
    IF wanted > 0 THEN
      UPDATE turnpike.approvals AS k SET version = o.approval_version, data = o.approval_data
        FROM json_to_recordset(operations) AS o (approval text, approval_version integer, approval_data text)
        WHERE k.id = o.approval AND k.version = o.approval_version - 1;${unless('done = wanted', 'approval_changed')}
    END IF;
    IF payments IS NOT NULL THEN
      ${lockPayments('payments')}
      PERFORM 1 FROM json_to_recordset(payments)
          AS p (account text, transaction_id text, sum text, original text, currency text, state text), LATERAL (
        SELECT sum(amount)::text AS sum, min(r.original)::text AS original, min(r.currency) AS currency FROM turnpike.refunds AS r
          WHERE r.account = p.account AND r.transaction_id = p.transaction_id AND counts OFFSET 0) AS now
        WHERE (now.sum, now.original, now.currency) IS DISTINCT FROM (p.sum, p.original, p.currency)
          OR p.state <> turnpike.payment_state(p.account, p.transaction_id);${unless('done = 0', 'changed')}${unlessReadTooEarly}
    END IF;
    IF leads IS NOT NULL THEN
      UPDATE turnpike.idempotency_keys AS k SET subject = l.subject FROM json_to_recordset(leads)
          AS l (account text, route text, key text, claimed_at text, subject text)
        WHERE k.account = l.account AND k.route = l.route AND k.key = l.key AND k.claimed_at = l.claimed_at
          AND k.subject IS NULL AND k.reply IS NULL;${unless('done = json_array_length(leads)', 'key_lost')}
    END IF;
    INSERT INTO turnpike.operations (id, account, request_id, created_at, version, status, data)
      SELECT * FROM json_to_recordset(operations) AS o (id text, account text, request_id text, created_at text,
        version integer, status text, data text)
      WHERE NOT EXISTS (SELECT 1 FROM turnpike.payout_requests AS q WHERE q.account = o.account AND q.request_id = o.request_id)
      ON CONFLICT DO NOTHING;${unless('done = jobs', 'taken')}
    INSERT INTO turnpike.payout_requests (account, request_id, operation_id)
      SELECT account, request_id, id FROM json_to_recordset(operations) AS o (id text, account text, request_id text)
      WHERE request_id IS NOT NULL;
    IF refunds IS NOT NULL THEN
      INSERT INTO turnpike.refunds (operation_id, item, account, transaction_id, currency, amount, original, counts)
        SELECT operation_id, item, account, transaction_id, currency, amount, original, true FROM json_to_recordset(refunds)
          AS r (operation_id text, item integer, account text, transaction_id text, currency text, amount bigint, original bigint);
    END IF;`;

/** Keeps answers under their keys. */
export const keepAnswers = `
    IF answers IS NOT NULL THEN
      UPDATE turnpike.idempotency_keys AS k SET reply = a.reply, subject = coalesce(k.subject, a.subject)
        FROM json_to_recordset(answers) AS a (account text, route text, key text, reply text, subject text)
        WHERE k.account = a.account AND k.route = a.route AND k.key = a.key AND k.reply IS NULL;
    END IF;`;

/**
 * The parameters of `finish_operations`: `recounted` are refunds that may no longer count; `freed` are request_ids, and
 * `unnamed` references, that other operations may use again.
 */
export const finishParameters = {
  ...jobParameters,
  operations: 'json',
  recounted: 'json',
  answers: 'json',
  freed: 'json',
  events: 'json',
  unnamed: 'json',
  audits: 'json',
} as const;

/**
 * Writes the outcomes of operations. `changed`: another writer changed the operation, or an order of its payments,
 * since it was read.
 */
const finishStatements = `
    UPDATE turnpike.operations AS k SET version = o.version, status = o.status, request_id = o.request_id,
        next_look_at = o.next_look_at, planned_at = o.planned_at, needs_person = o.needs_person, leased_until = NULL, data = o.data
      FROM json_to_recordset(operations) AS o (id text, version integer, status text, request_id text, next_look_at text,
        planned_at text, needs_person boolean, data text)
      WHERE k.id = o.id AND k.version = o.version - 1;${unless('done = jobs', 'changed')}
    SELECT sum(json_array_length(orders)) INTO wanted FROM json_to_recordset(operations) AS o (orders json);
    IF wanted > 0 THEN
      UPDATE turnpike.orders AS k SET version = k.version + 1, next_query_at = coalesce(r.due, k.next_query_at),
          planned_at = coalesce(r.due, k.planned_at)
        FROM json_to_recordset(operations) AS o (orders json),
          json_to_recordset(o.orders) AS r (account text, order_no text, version integer, due text)
        WHERE k.account = r.account AND k.order_no = r.order_no AND k.version = r.version;${unless('done = wanted', 'changed')}
    END IF;
    IF recounted IS NOT NULL THEN
      UPDATE turnpike.refunds AS k SET counts = r.counts
        FROM json_to_recordset(recounted) AS r (operation_id text, item integer, counts boolean)
        WHERE k.operation_id = r.operation_id AND k.item = r.item AND k.counts <> r.counts;
    END IF;${keepAnswers}
    IF freed IS NOT NULL THEN
      DELETE FROM turnpike.payout_requests AS k
        USING json_to_recordset(freed) AS f (account text, request_id text, operation_id text)
        WHERE k.account = f.account AND k.request_id = f.request_id AND k.operation_id = f.operation_id;
    END IF;
    IF events IS NOT NULL THEN
      PERFORM turnpike.add_events(events);
    END IF;`;

/** Adds entries of the audit log, each under every term by which it is found. */
const addAuditsFunction = `
CREATE FUNCTION turnpike.add_audits(audits json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH given AS MATERIALIZED (SELECT nextval('turnpike.audit_seq_seq') AS seq, account, at, data, terms
      FROM json_to_recordset(audits) AS a (account text, at text, data text, terms json)),
    added AS (INSERT INTO turnpike.audit (seq, account, at, data) OVERRIDING SYSTEM VALUE
      SELECT seq, account, at, data FROM given)
  INSERT INTO turnpike.audit_terms (account, term, seq)
    SELECT account, term, seq FROM given, json_array_elements_text(terms) AS term;
END $$;
`;

/** Adds entries of the audit log. */
export const addAudits = `
    IF audits IS NOT NULL THEN
      PERFORM turnpike.add_audits(audits);
    END IF;`;

/** The same with references and the audit log. `taken`: an operation has one of the references, or the request_id. */
export const beginOperations = allOrNothing(
  'begin_operations',
  beginParameters,
  `${beginStatements}
    IF named IS NOT NULL THEN
      INSERT INTO turnpike.operation_references (account, name, reference, operation_id)
        SELECT account, name, reference, operation_id FROM json_to_recordset(named)
          AS n (account text, name text, reference text, operation_id text)
        ORDER BY account COLLATE "C", name COLLATE "C", reference COLLATE "C"
        ON CONFLICT DO NOTHING;${unless('done = json_array_length(named)', 'taken')}
    END IF;${addAudits}`,
);

export const finishOperations = allOrNothing(
  'finish_operations',
  finishParameters,
  `${finishStatements}
    IF unnamed IS NOT NULL THEN
      DELETE FROM turnpike.operation_references AS k
        USING json_to_recordset(unnamed) AS u (account text, name text, reference text, operation_id text)
        WHERE k.account = u.account AND k.name = u.name AND k.reference = u.reference AND k.operation_id = u.operation_id;
    END IF;${addAudits}`,
);

/** The procedures of operations, and the function that adds to the audit log. */
export const operationProcedures = `
${addAuditsFunction}
${beginOperations}
${finishOperations}`;

import { referencedOperations } from './operation-procedures.ts';
import { procedures } from './procedures.ts';

/** The JSON in a TEXT column, less the escapes for what PostgreSQL cannot read: NUL, or one half of a surrogate pair. */
function asJson(column: string): string {
  const [escaped, backslash] = ['chr(92) || chr(92)', 'chr(92)'];
  return `replace(replace(replace(${column}, ${escaped}, chr(1)), ${backslash} || 'u', '?u'), chr(1), ${escaped})::json`;
}

/** Stands for what begins an escape that PostgreSQL cannot read: a noncharacter, which no text needs. */
const MARK = 'chr(64976)';
const [BACKSLASH, ESCAPED_BACKSLASH] = ['chr(92)', 'chr(92) || chr(92)'];

/** The JSON in a TEXT column, its escapes masked so that PostgreSQL can read it. `unmasked` has them again. */
function masked(column: string): string {
  const marked = `replace(${column}, ${MARK}, ${BACKSLASH} || 'ufdd0')`;
  const split = `replace(${marked}, ${ESCAPED_BACKSLASH}, chr(1))`;
  return `replace(replace(${split}, ${BACKSLASH} || 'u', ${MARK}), chr(1), ${ESCAPED_BACKSLASH})::json`;
}

function unmasked(json: string): string {
  return `replace((${json})::text, ${MARK}, ${BACKSLASH} || 'u')`;
}

/** The PostgreSQL schema, step by step. Everything is in a schema of its own, `turnpike`. Never edit a step. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE turnpike.sessions (
    id TEXT COLLATE "C" PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL,
    order_no TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    version INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    expires_at TEXT COLLATE "C" NOT NULL,
    started_at TEXT COLLATE "C",
    next_look_at TEXT COLLATE "C",
    unknown_since TEXT COLLATE "C",
    needs_attention BOOLEAN NOT NULL DEFAULT false,
    leased_until TEXT COLLATE "C",
    notified_at TEXT COLLATE "C",
    noticed_at TEXT COLLATE "C",
    notice_leased_until TEXT COLLATE "C",
    terms TEXT NOT NULL,
    state TEXT NOT NULL,
    watch TEXT
  );
  CREATE INDEX sessions_due ON turnpike.sessions (next_look_at) WHERE next_look_at IS NOT NULL;
  CREATE INDEX sessions_processing ON turnpike.sessions (started_at) WHERE status = 'processing';
  CREATE INDEX sessions_open ON turnpike.sessions (expires_at) WHERE status = 'open';
  CREATE INDEX sessions_unknown ON turnpike.sessions (unknown_since, needs_attention) WHERE unknown_since IS NOT NULL;
  CREATE INDEX sessions_notified ON turnpike.sessions (notified_at) WHERE notified_at IS NOT NULL;
  CREATE INDEX sessions_old ON turnpike.sessions (created_at);

  CREATE TABLE turnpike.attempts (
    id TEXT COLLATE "C" PRIMARY KEY,
    session_id TEXT COLLATE "C" NOT NULL REFERENCES turnpike.sessions (id),
    account TEXT COLLATE "C" NOT NULL,
    order_no TEXT COLLATE "C" NOT NULL,
    started_at TEXT COLLATE "C" NOT NULL,
    paid_transaction_id TEXT COLLATE "C",
    data TEXT NOT NULL
  );
  CREATE INDEX attempts_of_order ON turnpike.attempts (account, order_no, started_at);
  CREATE INDEX attempts_of_session ON turnpike.attempts (session_id);
  CREATE INDEX attempts_paid ON turnpike.attempts (account, paid_transaction_id) WHERE paid_transaction_id IS NOT NULL;

  CREATE TABLE turnpike.orders (
    account TEXT COLLATE "C" NOT NULL,
    order_no TEXT COLLATE "C" NOT NULL,
    hold TEXT COLLATE "C" NOT NULL CHECK (hold IN ('free', 'held', 'paid')),
    PRIMARY KEY (account, order_no)
  );

  CREATE TABLE turnpike.idempotency_keys (
    account TEXT COLLATE "C" NOT NULL,
    route TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    fingerprint TEXT COLLATE "C" NOT NULL,
    claimed_at TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C",
    reply TEXT,
    PRIMARY KEY (account, route, key)
  );
  CREATE INDEX idempotency_keys_old ON turnpike.idempotency_keys (claimed_at);

  CREATE TABLE turnpike.operations (
    id TEXT COLLATE "C" PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL,
    request_id TEXT COLLATE "C",
    created_at TEXT COLLATE "C" NOT NULL,
    version INTEGER NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    next_look_at TEXT COLLATE "C",
    leased_until TEXT COLLATE "C",
    needs_person BOOLEAN NOT NULL DEFAULT false,
    data TEXT NOT NULL
  );
  CREATE UNIQUE INDEX operations_request_id ON turnpike.operations (account, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX operations_in_flight ON turnpike.operations (created_at) WHERE status = 'in_flight';
  CREATE INDEX operations_due ON turnpike.operations (next_look_at) WHERE next_look_at IS NOT NULL;
  CREATE INDEX operations_unknown ON turnpike.operations (created_at) WHERE needs_person;
  CREATE INDEX operations_old ON turnpike.operations (created_at);

  CREATE TABLE turnpike.refunds (
    operation_id TEXT COLLATE "C" NOT NULL REFERENCES turnpike.operations (id),
    item INTEGER NOT NULL,
    account TEXT COLLATE "C" NOT NULL,
    transaction_id TEXT COLLATE "C" NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    amount BIGINT NOT NULL,
    original BIGINT NOT NULL,
    counts BOOLEAN NOT NULL,
    PRIMARY KEY (operation_id, item)
  );
  CREATE INDEX refunds_of_payment ON turnpike.refunds (account, transaction_id);

  -- Events of a subject are delivered by their place, or by seq where they have none.
  CREATE TABLE turnpike.events (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    place BIGINT,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    account TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    body TEXT NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    next_try_at TEXT COLLATE "C",
    delivery TEXT NOT NULL
  );
  CREATE INDEX events_due ON turnpike.events (account, next_try_at) WHERE next_try_at IS NOT NULL;
  CREATE INDEX events_of_subject ON turnpike.events (subject, seq);
  CREATE INDEX events_pending ON turnpike.events (seq) WHERE status = 'pending';
  CREATE INDEX events_failed ON turnpike.events (seq) WHERE status = 'failed';
  CREATE INDEX events_of_account ON turnpike.events (account, seq, type);
  CREATE INDEX events_old ON turnpike.events (created_at) WHERE status <> 'pending';

  CREATE TABLE turnpike.pulse (id INTEGER PRIMARY KEY, beats BIGINT NOT NULL);

  CREATE TABLE turnpike.notifications (
    subject TEXT COLLATE "C" NOT NULL,
    sha256 TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    account TEXT COLLATE "C" NOT NULL,
    received_at TEXT COLLATE "C" NOT NULL,
    last_at TEXT COLLATE "C" NOT NULL,
    times INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    fields TEXT NOT NULL,
    PRIMARY KEY (subject, sha256)
  );
  CREATE INDEX notifications_old ON turnpike.notifications (last_at);

  CREATE TABLE turnpike.tries (
    key TEXT COLLATE "C" NOT NULL,
    n BIGINT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (key, n)
  );
  CREATE INDEX tries_old ON turnpike.tries (at);
  `,
  `
  CREATE TABLE turnpike.payout_requests (
    account TEXT COLLATE "C" NOT NULL,
    request_id TEXT COLLATE "C" NOT NULL,
    operation_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account, request_id)
  );
  INSERT INTO turnpike.payout_requests
    SELECT account, request_id, id FROM turnpike.operations WHERE request_id IS NOT NULL;

  -- A fingerprint had a part before it that told one signing secret from another.
  UPDATE turnpike.idempotency_keys SET fingerprint = substr(fingerprint, strpos(fingerprint, '.') + 1);

  -- Refunds whose operations are no longer kept.
  CREATE TABLE turnpike.refunded_payments (
    account TEXT COLLATE "C" NOT NULL,
    transaction_id TEXT COLLATE "C" NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    sum BIGINT NOT NULL,
    original BIGINT NOT NULL,
    PRIMARY KEY (account, transaction_id)
  );
  `,
  `
  ALTER TABLE turnpike.orders ADD COLUMN version INTEGER NOT NULL DEFAULT 1, ADD COLUMN notices INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN next_query_at TEXT COLLATE "C", ADD COLUMN leased_until TEXT COLLATE "C",
    ADD COLUMN queried_at TEXT COLLATE "C", ADD COLUMN data TEXT NOT NULL DEFAULT '{}';
  CREATE INDEX sessions_of_order ON turnpike.sessions (account, order_no);
  -- A purge left attempts of an order without its row.
  INSERT INTO turnpike.orders (account, order_no, hold) SELECT DISTINCT account, order_no, 'free' FROM turnpike.attempts
    ON CONFLICT DO NOTHING;

  CREATE TABLE turnpike.paid (account TEXT COLLATE "C", order_no TEXT COLLATE "C", transaction_id TEXT COLLATE "C",
    amount TEXT, currency TEXT, attempt_id TEXT COLLATE "C", recurring_id TEXT, date TEXT, settled_at TEXT COLLATE "C");
  INSERT INTO turnpike.paid SELECT account, order_no, paid_transaction_id, data ->> 'amount', data ->> 'currency', id,
      coalesce(data #>> '{state,recurring_id}', CASE WHEN state ->> 'attempt_id' = id THEN state ->> 'recurring_id' END),
      started_at, coalesce(data ->> 'settled_at', started_at)
    FROM (SELECT a.account, a.order_no, a.id, a.started_at, paid_transaction_id, ${asJson('data')} AS data,
        ${asJson('state')} AS state FROM turnpike.attempts AS a JOIN turnpike.sessions AS s ON s.id = session_id
      WHERE paid_transaction_id IS NOT NULL) AS paying;
  CREATE INDEX paid_of_order ON turnpike.paid (account, order_no, transaction_id);
  -- Payments that sessions told of and that no attempt has.
  INSERT INTO turnpike.paid SELECT told.account, told.order_no, told.id, min(data ->> 'amount'), min(data ->> 'currency'),
      NULL, NULL, min(started_at), NULL
    FROM (SELECT account, order_no, state ->> 'attempt_id' AS attempt_id,
        json_array_elements_text(state -> 'paid_twice') AS id
      FROM (SELECT account, order_no, ${asJson('state')} AS state FROM turnpike.sessions
        WHERE status = 'approved' AND state LIKE '%"paid_twice":%') AS approved) AS told
    JOIN (SELECT id, started_at, ${asJson('data')} AS data FROM turnpike.attempts) AS a ON a.id = told.attempt_id
    WHERE NOT EXISTS (SELECT 1 FROM turnpike.paid WHERE paid.account = told.account
      AND paid.order_no = told.order_no AND paid.transaction_id = told.id)
    GROUP BY told.account, told.order_no, told.id;
  UPDATE turnpike.orders AS o SET data = json_strip_nulls(json_build_object('payments', coalesce((SELECT json_agg(
        json_build_object('transaction_id', transaction_id, 'amount', amount, 'currency', currency, 'attempt_id',
          attempt_id, 'proof', 'record', 'date', date, 'recurring_id', recurring_id)
        ORDER BY settled_at NULLS LAST, attempt_id, transaction_id)
      FROM turnpike.paid WHERE paid.account = o.account AND paid.order_no = o.order_no), '[]'::json),
    'wasPaid', CASE WHEN hold = 'paid' AND NOT EXISTS (SELECT 1 FROM turnpike.paid WHERE paid.account = o.account
      AND paid.order_no = o.order_no) THEN true END,
    'decided', '[]'::json, 'queries', json_build_object('failures', 0), 'noticed', 0))::text;

  -- What ended unpaid without a proof is asked about for thirty days, at first tomorrow at the time of day at which it ended.
  UPDATE turnpike.orders AS o SET next_query_at = due.at, notices = due.notices
    FROM (SELECT account, order_no, min(at) AS at, sum(notices) AS notices FROM (
        SELECT account, order_no, least(notified_at, next_look_at,
          CASE WHEN status = 'processing' THEN started_at END) AS at, (notified_at IS NOT NULL)::integer AS notices
          FROM turnpike.sessions
        UNION ALL SELECT account, order_no,
            to_char((now() AT TIME ZONE 'UTC')::date + 1, 'YYYY-MM-DD') || substr(data ->> 'settled_at', 11), 0
          FROM (SELECT account, order_no, ${asJson('data')} AS data FROM turnpike.attempts) AS a
          WHERE data #>> '{state,status}' IN ('declined', 'refused', 'not_paid')
            AND data ->> 'settled_at' COLLATE "C" > to_char((now() AT TIME ZONE 'UTC')::date - 30, 'YYYY-MM-DD')) AS open
      GROUP BY account, order_no) AS due
    WHERE due.account = o.account AND due.order_no = o.order_no;
  CREATE INDEX orders_due ON turnpike.orders (next_query_at) WHERE next_query_at IS NOT NULL;

  -- A reason that is a status of its own now; and an unknown attempt knows since when.
  UPDATE turnpike.attempts SET data = replace(replace(data, '"reason":"pending"', '"reason":"codes_not_listed"'),
      '"state":{"status":"unknown",', '"state":{"status":"unknown","since":"' || unknown_since || '",')
    FROM turnpike.sessions AS s WHERE s.id = session_id AND unknown_since IS NOT NULL;
  UPDATE turnpike.sessions SET state = replace(state, '"reason":"pending"', '"reason":"codes_not_listed"')
    WHERE unknown_since IS NOT NULL;

  CREATE TABLE turnpike.transactions (
    account TEXT COLLATE "C" NOT NULL,
    transaction_id TEXT COLLATE "C" NOT NULL,
    order_no TEXT COLLATE "C" NOT NULL,
    amount TEXT COLLATE "C" NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account, transaction_id)
  );
  -- Where two have one transaction_id the first one counts; no refund can name a longer one.
  INSERT INTO turnpike.transactions (account, transaction_id, order_no, amount, currency)
    SELECT account, transaction_id, order_no, amount, currency FROM turnpike.paid WHERE length(transaction_id) <= 255
    ORDER BY settled_at NULLS LAST, attempt_id ON CONFLICT DO NOTHING;
  DROP TABLE turnpike.paid;
  ALTER TABLE turnpike.attempts DROP COLUMN paid_transaction_id;

  ALTER TABLE turnpike.sessions DROP COLUMN started_at, DROP COLUMN next_look_at, DROP COLUMN watch, DROP COLUMN notified_at,
    DROP COLUMN noticed_at, DROP COLUMN notice_leased_until, ADD COLUMN settled TEXT;
  CREATE INDEX sessions_needy ON turnpike.sessions (created_at) WHERE needs_attention;
  `,
  `
  -- What the shopper filled in, apart from the terms that hardly change: it is forgotten in the end.
  ALTER TABLE turnpike.sessions ADD COLUMN filled TEXT;
  UPDATE turnpike.sessions SET filled = ${unmasked(`${masked('terms')} -> 'filled'`)},
      terms = ${unmasked(`SELECT json_object_agg(key, value) FROM json_each(${masked('terms')}) WHERE key <> 'filled'`)}
    WHERE terms LIKE '%"filled":%';

  -- Attempts are written once before and once after each payment: what only finds them is left to their orders.
  ALTER TABLE turnpike.attempts DROP CONSTRAINT attempts_session_id_fkey;
  DROP INDEX turnpike.attempts_of_session;

  -- How many attempts were counted by a key in a second, at whose end (in seconds since 1970) they are taken to be made.
  CREATE TABLE turnpike.counted (
    key TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (key, at)
  ) WITH (fillfactor = 70);
  CREATE INDEX counted_old ON turnpike.counted USING brin (at);
  INSERT INTO turnpike.counted (key, at, n) SELECT key, ceil(extract(epoch FROM at::timestamptz)), count(*)
    FROM turnpike.tries GROUP BY 1, 2;
  DROP TABLE turnpike.tries;

  -- Orders of accounts that are no longer served stay due.
  DROP INDEX turnpike.orders_due;
  CREATE INDEX orders_due ON turnpike.orders (account, next_query_at) WHERE next_query_at IS NOT NULL;
  ${procedures}`,
  `
  -- What a notification says, until its shop is told (told_at) or need not be; due_at is there as long.
  ALTER TABLE turnpike.notifications ADD COLUMN notice TEXT, ADD COLUMN due_at TEXT COLLATE "C",
    ADD COLUMN told_at TEXT COLLATE "C";
  CREATE INDEX notifications_due ON turnpike.notifications (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX notifications_waiting ON turnpike.notifications (subject) WHERE due_at IS NOT NULL;
  CREATE INDEX notifications_told ON turnpike.notifications (subject, told_at) WHERE told_at IS NOT NULL;
  `,
  `
  -- Refunds were counted in hundredths of every currency; now in thousandths, or ten-thousandths, of those that have them.
  UPDATE turnpike.refunds SET amount = 10 * least(amount, 922337203685477580), original = 10 * least(original, 922337203685477580)
    WHERE currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
  UPDATE turnpike.refunds SET amount = 100 * least(amount, 92233720368547758), original = 100 * least(original, 92233720368547758)
    WHERE currency IN ('CLF', 'UYW');
  UPDATE turnpike.refunded_payments SET sum = 10 * least(sum, 922337203685477580), original = 10 * least(original, 922337203685477580)
    WHERE currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
  UPDATE turnpike.refunded_payments SET sum = 100 * least(sum, 92233720368547758), original = 100 * least(original, 92233720368547758)
    WHERE currency IN ('CLF', 'UYW');
  `,
  `
  -- What is signed has a limit of its own, for which it is known when the rest is forgotten.
  ALTER TABLE turnpike.notifications ADD COLUMN verified BOOLEAN NOT NULL DEFAULT FALSE;
  UPDATE turnpike.notifications SET verified = TRUE WHERE notice LIKE '{"verified":true,%';
  `,
  `
  -- The list of orders: each row once, and under every term that it is found by. What a payment changes only stands in line;
  -- a relay lists it a moment later, many at once.
  CREATE TABLE turnpike.listed_orders (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL,
    order_no TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    terms TEXT NOT NULL,
    summary TEXT NOT NULL,
    UNIQUE (account, order_no)
  ) WITH (fillfactor = 80);
  CREATE TABLE turnpike.order_terms (
    account TEXT COLLATE "C" NOT NULL,
    term TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    order_id BIGINT NOT NULL,
    PRIMARY KEY (account, term, created_at, order_id)
  );
  CREATE TABLE turnpike.operation_terms (
    account TEXT COLLATE "C" NOT NULL,
    term TEXT COLLATE "C" NOT NULL,
    operation_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account, term, operation_id)
  );
  CREATE INDEX operation_terms_of ON turnpike.operation_terms (operation_id);

  -- An order_no, or the id of an operation.
  CREATE TABLE turnpike.unlisted (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account TEXT COLLATE "C" NOT NULL,
    order_no TEXT COLLATE "C", operation_id TEXT COLLATE "C");
  INSERT INTO turnpike.unlisted (account, order_no) SELECT DISTINCT account, order_no FROM turnpike.sessions;
  INSERT INTO turnpike.unlisted (account, operation_id) SELECT account, id FROM turnpike.operations;
  CREATE FUNCTION turnpike.order_unlisted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      INSERT INTO turnpike.unlisted (account, order_no) VALUES (OLD.account, OLD.order_no);
    ELSE
      INSERT INTO turnpike.unlisted (account, order_no) VALUES (NEW.account, NEW.order_no);
    END IF;
    RETURN NULL;
  END $$;
  CREATE FUNCTION turnpike.operation_unlisted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      DELETE FROM turnpike.operation_terms WHERE operation_id = OLD.id;
    ELSE
      INSERT INTO turnpike.unlisted (account, operation_id) VALUES (NEW.account, NEW.id);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER order_added AFTER INSERT ON turnpike.orders FOR EACH ROW EXECUTE FUNCTION turnpike.order_unlisted();
  CREATE TRIGGER order_changed AFTER UPDATE ON turnpike.orders FOR EACH ROW WHEN (OLD.version <> NEW.version)
    EXECUTE FUNCTION turnpike.order_unlisted();
  CREATE TRIGGER session_added AFTER INSERT OR DELETE ON turnpike.sessions FOR EACH ROW
    EXECUTE FUNCTION turnpike.order_unlisted();
  CREATE TRIGGER session_changed AFTER UPDATE ON turnpike.sessions FOR EACH ROW WHEN (OLD.revision <> NEW.revision)
    EXECUTE FUNCTION turnpike.order_unlisted();
  CREATE TRIGGER operation_changed AFTER INSERT OR DELETE ON turnpike.operations FOR EACH ROW
    EXECUTE FUNCTION turnpike.operation_unlisted();
  `,
  `
  -- The shop's own names of the items of operations, for good.
  CREATE TABLE turnpike.operation_references (
    account TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    reference TEXT COLLATE "C" NOT NULL,
    operation_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account, name, reference)
  );

  CREATE TABLE turnpike.audit (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    data TEXT NOT NULL
  );
  CREATE TABLE turnpike.audit_terms (
    account TEXT COLLATE "C" NOT NULL,
    term TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (account, term, seq)
  );
  CREATE INDEX audit_terms_of ON turnpike.audit_terms (seq);
  CREATE INDEX audit_of_account ON turnpike.audit (account, seq);
  CREATE INDEX audit_old ON turnpike.audit (at);

  CREATE INDEX events_acknowledged ON turnpike.events (seq) WHERE status = 'acknowledged';
  ${referencedOperations}`,
  `
  -- Who is signed in to the console.
  CREATE TABLE turnpike.sign_ins (
    token_sha256 TEXT COLLATE "C" PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL,
    credential TEXT COLLATE "C" NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    seen_at TEXT COLLATE "C" NOT NULL
  );
  CREATE INDEX sign_ins_old ON turnpike.sign_ins (created_at);
  `,
  `
  -- The list of operations: by name and status, and those that wait for a person. Each place is in one column, which
  -- no other index has: by the index of times the server would read all that are newer.
  ALTER TABLE turnpike.operations
    ADD COLUMN name TEXT COLLATE "C" GENERATED ALWAYS AS (substring(data FROM '"name":"([a-z_]+)"')) STORED,
    ADD COLUMN place TEXT COLLATE "C" GENERATED ALWAYS AS (created_at || id) STORED;
  CREATE INDEX operations_listed ON turnpike.operations (account, name, status, place) INCLUDE (id);
  CREATE INDEX operations_waiting ON turnpike.operations (account, created_at, id)
    WHERE needs_person AND next_look_at IS NULL;

  -- Every order is listed once more: with its payments, by codes of declines and by what is unsettled.
  INSERT INTO turnpike.unlisted (account, order_no) SELECT account, order_no FROM turnpike.listed_orders;
  `,
  `
  -- What the last reconciliation of each account came to.
  CREATE TABLE turnpike.reconciliations (
    account TEXT COLLATE "C" PRIMARY KEY,
    reported_at TEXT COLLATE "C" NOT NULL,
    data TEXT NOT NULL
  );
  CREATE INDEX reconciliations_old ON turnpike.reconciliations (reported_at);

  -- What waits in one account is found whatever waits in others.
  CREATE INDEX operations_asked ON turnpike.operations (account, created_at)
    WHERE needs_person AND next_look_at IS NOT NULL;
  DROP INDEX turnpike.events_failed;
  CREATE INDEX events_failed ON turnpike.events (account, seq) WHERE status = 'failed';
  `,
  `
  -- Orders that began a contract are listed under it, too.
  INSERT INTO turnpike.unlisted (account, order_no)
    SELECT account, order_no FROM turnpike.orders WHERE data LIKE '%"recurring_id":%';
  `,
  `
  -- Tallies of hours and of days. What changes in an hour before \`claimed\` is noted, until the hour is counted again.
  CREATE TABLE turnpike.stats_span (
    id INTEGER PRIMARY KEY,
    since TEXT COLLATE "C" NOT NULL,
    until TEXT COLLATE "C" NOT NULL,
    claimed TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    leased_until TEXT COLLATE "C"
  );
  CREATE TABLE turnpike.stats_tallies (
    period TEXT COLLATE "C" NOT NULL,
    account TEXT COLLATE "C" NOT NULL,
    tally TEXT NOT NULL,
    PRIMARY KEY (period, account)
  );
  CREATE TABLE turnpike.stats_changes (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL, hour TEXT COLLATE "C" NOT NULL);
  CREATE INDEX stats_changes_of ON turnpike.stats_changes (hour, account);
  -- What a transaction writes is noted unless it wrote something of these tables before the claim was committed.
  CREATE FUNCTION turnpike.attempt_counted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      INSERT INTO turnpike.stats_changes (account, hour) SELECT OLD.account, left(OLD.started_at, 13)
        FROM turnpike.stats_span WHERE id = 1 AND OLD.started_at < claimed;
    ELSE
      INSERT INTO turnpike.stats_changes (account, hour) SELECT NEW.account, left(NEW.started_at, 13)
        FROM turnpike.stats_span WHERE id = 1 AND NEW.started_at < claimed;
    END IF;
    RETURN NULL;
  END $$;
  CREATE FUNCTION turnpike.refund_counted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO turnpike.stats_changes (account, hour) SELECT o.account, left(o.created_at, 13)
      FROM turnpike.operations AS o, turnpike.stats_span AS s
      WHERE o.id = NEW.operation_id AND s.id = 1 AND o.created_at < s.claimed;
    RETURN NULL;
  END $$;
  CREATE FUNCTION turnpike.operation_uncounted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO turnpike.stats_changes (account, hour) SELECT OLD.account, left(OLD.created_at, 13)
      FROM turnpike.stats_span WHERE id = 1 AND OLD.created_at < claimed;
    RETURN NULL;
  END $$;
  CREATE TRIGGER attempt_counted AFTER INSERT OR UPDATE OR DELETE ON turnpike.attempts FOR EACH ROW
    EXECUTE FUNCTION turnpike.attempt_counted();
  CREATE TRIGGER refund_counted AFTER INSERT ON turnpike.refunds FOR EACH ROW EXECUTE FUNCTION turnpike.refund_counted();
  CREATE TRIGGER refund_recounted AFTER UPDATE ON turnpike.refunds FOR EACH ROW WHEN (OLD.counts <> NEW.counts)
    EXECUTE FUNCTION turnpike.refund_counted();
  CREATE TRIGGER operation_uncounted AFTER DELETE ON turnpike.operations FOR EACH ROW
    EXECUTE FUNCTION turnpike.operation_uncounted();
  `,
  `
  -- Webhooks of a type that few have, and those of a type that were given up, are found without reading the others. What every
  -- payment tells stays out of it: its webhook is written as fast as before.
  CREATE INDEX events_of_type ON turnpike.events (account, type, seq) WHERE type <> 'session.approved';
  DROP INDEX turnpike.events_failed;
  CREATE INDEX events_failed ON turnpike.events (account, seq, type) WHERE status = 'failed';
  `,
];

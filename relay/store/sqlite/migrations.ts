/** The SQLite schema, step by step; `PRAGMA user_version` tells how many steps a file has had. Never edit a step. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    order_no TEXT NOT NULL,
    status TEXT NOT NULL,
    version INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    started_at TEXT,
    next_look_at TEXT,
    terms TEXT NOT NULL,
    state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_due ON sessions (next_look_at) WHERE next_look_at IS NOT NULL;
  CREATE INDEX sessions_processing ON sessions (started_at) WHERE status = 'processing';
  CREATE INDEX sessions_open ON sessions (expires_at) WHERE status = 'open';

  CREATE TABLE attempts (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id),
    account TEXT NOT NULL,
    order_no TEXT NOT NULL,
    started_at TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX attempts_of_order ON attempts (account, order_no, started_at);

  CREATE TABLE orders (
    account TEXT NOT NULL,
    order_no TEXT NOT NULL,
    hold TEXT NOT NULL CHECK (hold IN ('free', 'held', 'paid')),
    PRIMARY KEY (account, order_no)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE attempts ADD COLUMN paid_transaction_id TEXT;
  UPDATE attempts SET paid_transaction_id = data ->> '$.transaction_id' WHERE data ->> '$.state.status' = 'approved';
  CREATE INDEX attempts_paid ON attempts (account, paid_transaction_id) WHERE paid_transaction_id IS NOT NULL;

  CREATE TABLE idempotency_keys (
    account TEXT NOT NULL,
    route TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    claimed_at TEXT NOT NULL,
    subject TEXT,
    reply TEXT,
    PRIMARY KEY (account, route, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_keys_old ON idempotency_keys (claimed_at);

  CREATE TABLE operations (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    request_id TEXT,
    created_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX operations_request_id ON operations (account, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX operations_in_flight ON operations (created_at) WHERE status = 'in_flight';

  CREATE TABLE refunds (
    operation_id TEXT NOT NULL REFERENCES operations (id),
    item INTEGER NOT NULL,
    account TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL,
    original INTEGER NOT NULL,
    counts INTEGER NOT NULL,
    PRIMARY KEY (operation_id, item)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX refunds_of_payment ON refunds (account, transaction_id) WHERE counts = 1;

  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    subject TEXT NOT NULL,
    type TEXT NOT NULL,
    created_at TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL,
    next_try_at TEXT,
    delivery TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_due ON events (next_try_at) WHERE next_try_at IS NOT NULL;
  CREATE INDEX events_of_subject ON events (subject, seq) WHERE next_try_at IS NOT NULL;
  `,
  `
  DROP INDEX events_due;
  DROP INDEX events_of_subject;
  CREATE INDEX events_due ON events (account, next_try_at) WHERE next_try_at IS NOT NULL;
  CREATE INDEX events_of_subject ON events (subject, seq) WHERE status = 'pending';
  `,
  `
  ALTER TABLE sessions ADD COLUMN watch TEXT;
  ALTER TABLE sessions ADD COLUMN unknown_since TEXT;
  ALTER TABLE sessions ADD COLUMN needs_attention INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN leased_until TEXT;
  ALTER TABLE sessions ADD COLUMN notified_at TEXT;
  ALTER TABLE sessions ADD COLUMN noticed_at TEXT;
  ALTER TABLE sessions ADD COLUMN notice_leased_until TEXT;
  UPDATE sessions SET unknown_since = state ->> '$.search.since', needs_attention = state ->> '$.search.needs_attention'
    WHERE status = 'unknown';
  CREATE INDEX sessions_unknown ON sessions (unknown_since, needs_attention) WHERE unknown_since IS NOT NULL;
  CREATE INDEX sessions_notified ON sessions (notified_at) WHERE notified_at IS NOT NULL;
  CREATE INDEX sessions_old ON sessions (created_at);
  CREATE INDEX attempts_of_session ON attempts (session_id);

  ALTER TABLE operations ADD COLUMN next_look_at TEXT;
  ALTER TABLE operations ADD COLUMN leased_until TEXT;
  CREATE INDEX operations_due ON operations (next_look_at) WHERE next_look_at IS NOT NULL;
  ALTER TABLE operations ADD COLUMN needs_person INTEGER NOT NULL DEFAULT 0;
  UPDATE operations SET needs_person = 1 WHERE status = 'unknown' OR (data ->> '$.name' <> 'payout'
    AND status = 'answered' AND EXISTS (SELECT 1 FROM json_each(data, '$.state.items') WHERE value = 'unknown'));
  CREATE INDEX operations_unknown ON operations (created_at) WHERE needs_person = 1;
  CREATE INDEX refunds_of_payment_all ON refunds (account, transaction_id);
  CREATE INDEX operations_old ON operations (created_at);

  ALTER TABLE events ADD COLUMN place INTEGER;
  CREATE INDEX events_pending ON events (seq) WHERE status = 'pending';
  CREATE INDEX events_failed ON events (seq) WHERE status = 'failed';
  CREATE INDEX events_of_account ON events (account, seq, type);
  CREATE INDEX events_old ON events (created_at) WHERE status <> 'pending';
  DROP INDEX events_of_subject;
  CREATE INDEX events_of_subject ON events (subject, seq);

  CREATE TABLE pulse (id INTEGER PRIMARY KEY, beats INTEGER NOT NULL) STRICT;

  CREATE TABLE notifications (
    subject TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    kind TEXT NOT NULL,
    account TEXT NOT NULL,
    received_at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    times INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    fields TEXT NOT NULL,
    PRIMARY KEY (subject, sha256)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX notifications_old ON notifications (last_at);

  CREATE TABLE tries (
    key TEXT NOT NULL,
    n INTEGER NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (key, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tries_old ON tries (at);
  `,
  `
  CREATE TABLE payout_requests (
    account TEXT NOT NULL,
    request_id TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    PRIMARY KEY (account, request_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO payout_requests SELECT account, request_id, id FROM operations WHERE request_id IS NOT NULL;

  -- A fingerprint had a part before it that told one signing secret from another.
  UPDATE idempotency_keys SET fingerprint = substr(fingerprint, instr(fingerprint, '.') + 1);

  -- Refunds whose operations are no longer kept.
  CREATE TABLE refunded_payments (
    account TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    sum INTEGER NOT NULL,
    original INTEGER NOT NULL,
    PRIMARY KEY (account, transaction_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE orders ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE orders ADD COLUMN notices INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN next_query_at TEXT;
  ALTER TABLE orders ADD COLUMN leased_until TEXT;
  ALTER TABLE orders ADD COLUMN queried_at TEXT;
  ALTER TABLE orders ADD COLUMN data TEXT NOT NULL DEFAULT '{}';
  CREATE INDEX attempts_by_order ON attempts (account, order_no);
  CREATE INDEX sessions_of_order ON sessions (account, order_no);
  -- A purge left attempts of an order without its row.
  INSERT OR IGNORE INTO orders (account, order_no, hold) SELECT account, order_no, 'free' FROM attempts;

  CREATE TABLE paid (account TEXT, order_no TEXT, transaction_id TEXT, amount TEXT, currency TEXT, attempt_id TEXT,
    recurring_id TEXT, date TEXT, settled_at TEXT);
  INSERT INTO paid SELECT a.account, a.order_no, paid_transaction_id, data ->> '$.amount', data ->> '$.currency', a.id,
      coalesce(data ->> '$.state.recurring_id', iif(state ->> '$.attempt_id' = a.id, state ->> '$.recurring_id', NULL)),
      a.started_at, coalesce(data ->> '$.settled_at', a.started_at)
    FROM attempts AS a JOIN sessions ON sessions.id = session_id WHERE paid_transaction_id IS NOT NULL;
  CREATE INDEX paid_of_order ON paid (account, order_no, transaction_id);
  -- Payments that sessions told of and that no attempt has.
  INSERT INTO paid SELECT s.account, s.order_no, told.value, min(data ->> '$.amount'), min(data ->> '$.currency'), NULL,
      NULL, min(a.started_at), NULL
    FROM sessions AS s JOIN attempts AS a ON a.id = state ->> '$.attempt_id', json_each(state, '$.paid_twice') AS told
    WHERE status = 'approved' AND NOT EXISTS (SELECT 1 FROM paid WHERE paid.account = s.account
      AND paid.order_no = s.order_no AND paid.transaction_id = told.value)
    GROUP BY s.account, s.order_no, told.value;
  UPDATE orders SET data = json_patch('{}', json_object('payments', (SELECT json_group_array(json_patch('{}',
        json_object('transaction_id', transaction_id, 'amount', amount, 'currency', currency, 'attempt_id', attempt_id,
          'proof', 'record', 'date', date, 'recurring_id', recurring_id))
        ORDER BY settled_at NULLS LAST, attempt_id, transaction_id)
      FROM paid WHERE paid.account = orders.account AND paid.order_no = orders.order_no),
    'wasPaid', iif(hold = 'paid' AND NOT EXISTS (SELECT 1 FROM paid WHERE paid.account = orders.account
      AND paid.order_no = orders.order_no), json('true'), NULL),
    'decided', json_array(), 'queries', json_object('failures', 0), 'noticed', 0));

  -- What ended unpaid without a proof is asked about for thirty days, at first tomorrow at the time of day at which it ended.
  UPDATE orders SET notices = due.notices, next_query_at = due.at
    FROM (SELECT account, order_no, min(at) AS at, sum(notices) AS notices FROM (
        SELECT account, order_no, next_look_at AS at, 0 AS notices FROM sessions
        UNION ALL SELECT account, order_no, notified_at, 1 FROM sessions WHERE notified_at IS NOT NULL
        UNION ALL SELECT account, order_no, started_at, 0 FROM sessions WHERE status = 'processing'
        UNION ALL SELECT account, order_no, date('now', '+1 day') || substr(data ->> '$.settled_at', 11), 0
          FROM attempts WHERE data ->> '$.state.status' IN ('declined', 'refused', 'not_paid')
            AND data ->> '$.settled_at' > date('now', '-30 days')) AS open
      GROUP BY account, order_no) AS due
    WHERE due.account = orders.account AND due.order_no = orders.order_no;
  CREATE INDEX orders_due ON orders (next_query_at) WHERE next_query_at IS NOT NULL;

  -- A reason that is a status of its own now; and an unknown attempt knows since when.
  UPDATE attempts SET data = replace(replace(data, '"reason":"pending"', '"reason":"codes_not_listed"'),
      '"state":{"status":"unknown",', '"state":{"status":"unknown","since":"' || unknown_since || '",')
    FROM sessions WHERE sessions.id = session_id AND unknown_since IS NOT NULL;
  UPDATE sessions SET state = replace(state, '"reason":"pending"', '"reason":"codes_not_listed"')
    WHERE unknown_since IS NOT NULL;

  CREATE TABLE transactions (
    account TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    order_no TEXT NOT NULL,
    amount TEXT NOT NULL,
    currency TEXT NOT NULL,
    PRIMARY KEY (account, transaction_id)
  ) STRICT, WITHOUT ROWID;
  -- Where two have one transaction_id the first one counts; no refund can name a longer one.
  INSERT OR IGNORE INTO transactions (account, transaction_id, order_no, amount, currency)
    SELECT account, transaction_id, order_no, amount, currency FROM paid WHERE length(transaction_id) <= 255
    ORDER BY settled_at NULLS LAST, attempt_id;
  DROP TABLE paid;
  DROP INDEX attempts_by_order;
  DROP INDEX attempts_paid;
  ALTER TABLE attempts DROP COLUMN paid_transaction_id;

  DROP INDEX sessions_due;
  DROP INDEX sessions_notified;
  DROP INDEX sessions_processing;
  ALTER TABLE sessions DROP COLUMN started_at;
  ALTER TABLE sessions DROP COLUMN next_look_at;
  ALTER TABLE sessions DROP COLUMN watch;
  ALTER TABLE sessions DROP COLUMN notified_at;
  ALTER TABLE sessions DROP COLUMN noticed_at;
  ALTER TABLE sessions DROP COLUMN notice_leased_until;
  ALTER TABLE sessions ADD COLUMN settled TEXT;
  CREATE INDEX sessions_needy ON sessions (created_at) WHERE needs_attention = 1;
  `,
  `
  -- What the shop fixed is large and hardly ever changes; what the shopper typed is forgotten in the end.
  CREATE TABLE session_terms (session_id TEXT PRIMARY KEY, terms TEXT NOT NULL) STRICT;
  INSERT INTO session_terms SELECT id, json_remove(terms, '$.filled') FROM sessions;
  ALTER TABLE sessions ADD COLUMN filled TEXT;
  UPDATE sessions SET filled = terms -> '$.filled';
  ALTER TABLE sessions DROP COLUMN terms;

  -- The attempts of an order stand together, found by their order alone.
  CREATE TABLE attempts_of_orders (
    account TEXT NOT NULL,
    order_no TEXT NOT NULL,
    started_at TEXT NOT NULL,
    id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (account, order_no, started_at, id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO attempts_of_orders SELECT account, order_no, started_at, id, session_id, data FROM attempts;
  DROP TABLE attempts;
  ALTER TABLE attempts_of_orders RENAME TO attempts;

  -- What attempts were counted by, one row each; the sums are kept in memory.
  CREATE TABLE counted (n INTEGER PRIMARY KEY, at TEXT NOT NULL, keys TEXT NOT NULL) STRICT;
  INSERT INTO counted (at, keys) SELECT at, json_array(key) FROM tries ORDER BY at, n;
  CREATE INDEX counted_at ON counted (at);
  DROP TABLE tries;

  -- Orders of accounts that are no longer served stay due.
  DROP INDEX orders_due;
  CREATE INDEX orders_due ON orders (account, next_query_at) WHERE next_query_at IS NOT NULL;
  `,
  `
  -- What a notification says, until its shop is told (told_at) or need not be; due_at is there as long.
  ALTER TABLE notifications ADD COLUMN notice TEXT;
  ALTER TABLE notifications ADD COLUMN due_at TEXT;
  ALTER TABLE notifications ADD COLUMN told_at TEXT;
  CREATE INDEX notifications_due ON notifications (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX notifications_waiting ON notifications (subject) WHERE due_at IS NOT NULL;
  CREATE INDEX notifications_told ON notifications (subject, told_at) WHERE told_at IS NOT NULL;
  `,
  `
  -- Refunds were counted in hundredths of every currency; now in thousandths, or ten-thousandths, of those that have them.
  UPDATE refunds SET amount = 10 * min(amount, 922337203685477580), original = 10 * min(original, 922337203685477580)
    WHERE currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
  UPDATE refunds SET amount = 100 * min(amount, 92233720368547758), original = 100 * min(original, 92233720368547758)
    WHERE currency IN ('CLF', 'UYW');
  UPDATE refunded_payments SET sum = 10 * min(sum, 922337203685477580), original = 10 * min(original, 922337203685477580)
    WHERE currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
  UPDATE refunded_payments SET sum = 100 * min(sum, 92233720368547758), original = 100 * min(original, 92233720368547758)
    WHERE currency IN ('CLF', 'UYW');
  `,
  `
  -- What is signed has a limit of its own, for which it is known when the rest is forgotten.
  ALTER TABLE notifications ADD COLUMN verified INTEGER NOT NULL DEFAULT 0;
  UPDATE notifications SET verified = 1 WHERE notice LIKE '{"verified":true,%';
  `,
  `
  -- Kept answers are large. In a tree of whole rows each comparison of a key would read such an answer: an index holds keys alone.
  CREATE TABLE claimed_keys (
    account TEXT NOT NULL,
    route TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    claimed_at TEXT NOT NULL,
    subject TEXT,
    reply TEXT,
    PRIMARY KEY (account, route, key)
  ) STRICT;
  INSERT INTO claimed_keys SELECT account, route, key, fingerprint, claimed_at, subject, reply FROM idempotency_keys;
  DROP TABLE idempotency_keys;
  ALTER TABLE claimed_keys RENAME TO idempotency_keys;
  CREATE INDEX idempotency_keys_old ON idempotency_keys (claimed_at);
  `,
  `
  -- Rows of a kilobyte and more: as above, an index of keys is searched with less work than a tree of whole rows.
  CREATE TABLE operations_by_id (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL,
    request_id TEXT,
    created_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    data TEXT NOT NULL,
    next_look_at TEXT,
    leased_until TEXT,
    needs_person INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO operations_by_id SELECT id, account, request_id, created_at, version, status, data, next_look_at, leased_until,
    needs_person FROM operations;
  DROP TABLE operations;
  ALTER TABLE operations_by_id RENAME TO operations;
  CREATE UNIQUE INDEX operations_request_id ON operations (account, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX operations_in_flight ON operations (created_at) WHERE status = 'in_flight';
  CREATE INDEX operations_due ON operations (next_look_at) WHERE next_look_at IS NOT NULL;
  CREATE INDEX operations_unknown ON operations (created_at) WHERE needs_person = 1;
  CREATE INDEX operations_old ON operations (created_at);

  CREATE TABLE sessions_by_id (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL,
    order_no TEXT NOT NULL,
    status TEXT NOT NULL,
    version INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    state TEXT NOT NULL,
    unknown_since TEXT,
    needs_attention INTEGER NOT NULL DEFAULT 0,
    leased_until TEXT,
    settled TEXT,
    filled TEXT
  ) STRICT;
  INSERT INTO sessions_by_id SELECT id, account, order_no, status, version, revision, created_at, expires_at, state, unknown_since,
    needs_attention, leased_until, settled, filled FROM sessions;
  DROP TABLE sessions;
  ALTER TABLE sessions_by_id RENAME TO sessions;
  CREATE INDEX sessions_open ON sessions (expires_at) WHERE status = 'open';
  CREATE INDEX sessions_unknown ON sessions (unknown_since, needs_attention) WHERE unknown_since IS NOT NULL;
  CREATE INDEX sessions_old ON sessions (created_at);
  CREATE INDEX sessions_of_order ON sessions (account, order_no);
  CREATE INDEX sessions_needy ON sessions (created_at) WHERE needs_attention = 1;

  CREATE TABLE attempts_by_order (
    account TEXT NOT NULL,
    order_no TEXT NOT NULL,
    started_at TEXT NOT NULL,
    id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (account, order_no, started_at, id)
  ) STRICT;
  INSERT INTO attempts_by_order SELECT account, order_no, started_at, id, session_id, data FROM attempts;
  DROP TABLE attempts;
  ALTER TABLE attempts_by_order RENAME TO attempts;
  `,
  `
  -- The list of orders: each row once, and under every term that it is found by. What a payment changes only stands in line;
  -- the relay lists it a moment later, many at once.
  CREATE TABLE listed_orders (
    id INTEGER PRIMARY KEY,
    account TEXT NOT NULL,
    order_no TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    terms TEXT NOT NULL,
    summary TEXT NOT NULL,
    UNIQUE (account, order_no)
  ) STRICT;
  CREATE TABLE order_terms (
    account TEXT NOT NULL,
    term TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    order_id INTEGER NOT NULL,
    PRIMARY KEY (account, term, created_at, order_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE operation_terms (
    account TEXT NOT NULL,
    term TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    PRIMARY KEY (account, term, operation_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operation_terms_of ON operation_terms (operation_id);

  -- An order_no, or the id of an operation.
  CREATE TABLE unlisted (seq INTEGER PRIMARY KEY, account TEXT NOT NULL, order_no TEXT, operation_id TEXT) STRICT;
  INSERT INTO unlisted (account, order_no) SELECT DISTINCT account, order_no FROM sessions;
  INSERT INTO unlisted (account, operation_id) SELECT account, id FROM operations;
  CREATE TRIGGER order_added AFTER INSERT ON orders
    BEGIN INSERT INTO unlisted (account, order_no) VALUES (NEW.account, NEW.order_no); END;
  CREATE TRIGGER order_changed AFTER UPDATE OF version ON orders
    BEGIN INSERT INTO unlisted (account, order_no) VALUES (NEW.account, NEW.order_no); END;
  CREATE TRIGGER session_added AFTER INSERT ON sessions
    BEGIN INSERT INTO unlisted (account, order_no) VALUES (NEW.account, NEW.order_no); END;
  CREATE TRIGGER session_changed AFTER UPDATE OF revision ON sessions WHEN OLD.revision <> NEW.revision
    BEGIN INSERT INTO unlisted (account, order_no) VALUES (NEW.account, NEW.order_no); END;
  CREATE TRIGGER session_deleted AFTER DELETE ON sessions
    BEGIN INSERT INTO unlisted (account, order_no) VALUES (OLD.account, OLD.order_no); END;
  CREATE TRIGGER operation_added AFTER INSERT ON operations
    BEGIN INSERT INTO unlisted (account, operation_id) VALUES (NEW.account, NEW.id); END;
  CREATE TRIGGER operation_deleted AFTER DELETE ON operations
    BEGIN DELETE FROM operation_terms WHERE operation_id = OLD.id; END;
  `,
  `
  -- The shop's own names of the items of operations, for good.
  CREATE TABLE operation_references (
    account TEXT NOT NULL,
    name TEXT NOT NULL,
    reference TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    PRIMARY KEY (account, name, reference)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL,
    at TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT;
  CREATE TABLE audit_terms (
    account TEXT NOT NULL,
    term TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (account, term, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX audit_terms_of ON audit_terms (seq);
  CREATE TRIGGER audit_deleted AFTER DELETE ON audit
    BEGIN DELETE FROM audit_terms WHERE seq = OLD.seq; END;
  CREATE INDEX audit_of_account ON audit (account, seq);
  CREATE INDEX audit_old ON audit (at);

  CREATE INDEX events_acknowledged ON events (seq) WHERE status = 'acknowledged';
  `,
  `
  -- Figures are asked for by the time in which attempts began.
  CREATE INDEX attempts_started ON attempts (account, started_at);
  `,
  `
  -- Who is signed in to the console.
  CREATE TABLE sign_ins (
    token_sha256 TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    credential TEXT NOT NULL,
    created_at TEXT NOT NULL,
    seen_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sign_ins_old ON sign_ins (created_at);
  `,
  `
  -- The list of operations: by name and status, and those that wait for a person.
  ALTER TABLE operations ADD COLUMN name TEXT;
  UPDATE operations SET name = data ->> '$.name';
  CREATE INDEX operations_listed ON operations (account, name, status, created_at, id);
  CREATE INDEX operations_waiting ON operations (account, created_at, id) WHERE needs_person = 1 AND next_look_at IS NULL;

  -- Every order is listed once more: with its payments, by codes of declines and by what is unsettled.
  INSERT INTO unlisted (account, order_no) SELECT account, order_no FROM listed_orders;
  `,
  `
  -- What the last reconciliation of each account came to.
  CREATE TABLE reconciliations (account TEXT PRIMARY KEY, reported_at TEXT NOT NULL, data TEXT NOT NULL) STRICT;
  CREATE INDEX reconciliations_old ON reconciliations (reported_at);

  -- What waits in one account is found whatever waits in others.
  CREATE INDEX operations_asked ON operations (account, created_at) WHERE needs_person = 1 AND next_look_at IS NOT NULL;
  DROP INDEX events_failed;
  CREATE INDEX events_failed ON events (account, seq) WHERE status = 'failed';
  `,
  `
  -- Orders that began a contract are listed under it, too.
  INSERT INTO unlisted (account, order_no) SELECT account, order_no FROM orders WHERE data LIKE '%"recurring_id":%';
  `,
  `
  -- Tallies of hours and of days. What changes in an hour before \`claimed\` is noted, until the hour is counted again.
  CREATE TABLE stats_span (
    id INTEGER PRIMARY KEY,
    since TEXT NOT NULL,
    until TEXT NOT NULL,
    claimed TEXT NOT NULL,
    version INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE stats_tallies (
    period TEXT NOT NULL,
    account TEXT NOT NULL,
    tally TEXT NOT NULL,
    PRIMARY KEY (period, account)
  ) STRICT;
  CREATE TABLE stats_changes (seq INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, hour TEXT NOT NULL) STRICT;
  CREATE INDEX stats_changes_of ON stats_changes (hour, account);
  CREATE TRIGGER attempt_counted AFTER INSERT ON attempts
    WHEN NEW.started_at < (SELECT claimed FROM stats_span WHERE id = 1)
    BEGIN INSERT INTO stats_changes (account, hour) VALUES (NEW.account, substr(NEW.started_at, 1, 13)); END;
  CREATE TRIGGER attempt_recounted AFTER UPDATE OF data ON attempts
    WHEN NEW.started_at < (SELECT claimed FROM stats_span WHERE id = 1)
    BEGIN INSERT INTO stats_changes (account, hour) VALUES (NEW.account, substr(NEW.started_at, 1, 13)); END;
  CREATE TRIGGER attempt_uncounted AFTER DELETE ON attempts
    WHEN OLD.started_at < (SELECT claimed FROM stats_span WHERE id = 1)
    BEGIN INSERT INTO stats_changes (account, hour) VALUES (OLD.account, substr(OLD.started_at, 1, 13)); END;
  CREATE TRIGGER refund_counted AFTER INSERT ON refunds
    BEGIN INSERT INTO stats_changes (account, hour) SELECT account, substr(created_at, 1, 13) FROM operations
      WHERE id = NEW.operation_id AND created_at < (SELECT claimed FROM stats_span WHERE id = 1); END;
  CREATE TRIGGER refund_recounted AFTER UPDATE OF counts ON refunds WHEN OLD.counts <> NEW.counts
    BEGIN INSERT INTO stats_changes (account, hour) SELECT account, substr(created_at, 1, 13) FROM operations
      WHERE id = NEW.operation_id AND created_at < (SELECT claimed FROM stats_span WHERE id = 1); END;
  CREATE TRIGGER operation_uncounted AFTER DELETE ON operations
    WHEN OLD.created_at < (SELECT claimed FROM stats_span WHERE id = 1)
    BEGIN INSERT INTO stats_changes (account, hour) VALUES (OLD.account, substr(OLD.created_at, 1, 13)); END;
  `,
  `
  -- Webhooks of a type that few have, and those of a type that were given up, are found without reading the others. What every
  -- payment tells stays out of it: its webhook is written as fast as before.
  CREATE INDEX events_of_type ON events (account, type, seq) WHERE type <> 'session.approved';
  DROP INDEX events_failed;
  CREATE INDEX events_failed ON events (account, seq, type) WHERE status = 'failed';
  `,
];

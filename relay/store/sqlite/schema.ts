import { formIndexes, sqliteForm } from '../forms/transaction-forms.ts';
import type { Schema } from '../schema.ts';

/**
 * The SQLite schema; `PRAGMA user_version` tells the version of a file. A change is a step that is added to `steps`. Never edit
 * one that files have had.
 */
export const sqliteSchema: Schema = {
  version: 21,
  whole: `
  CREATE TABLE orders (
    account TEXT NOT NULL,
    order_no TEXT NOT NULL,
    hold TEXT NOT NULL CHECK (hold IN ('free', 'held', 'paid')),
    version INTEGER NOT NULL DEFAULT 1,
    notices INTEGER NOT NULL DEFAULT 0,
    next_query_at TEXT,
    leased_until TEXT,
    queried_at TEXT,
    data TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (account, order_no)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX orders_due ON orders (account, next_query_at) WHERE next_query_at IS NOT NULL;

  CREATE TABLE sessions (
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
  CREATE INDEX sessions_open ON sessions (expires_at) WHERE status = 'open';
  CREATE INDEX sessions_unknown ON sessions (unknown_since, needs_attention) WHERE unknown_since IS NOT NULL;
  CREATE INDEX sessions_old ON sessions (created_at);
  CREATE INDEX sessions_of_order ON sessions (account, order_no);
  CREATE INDEX sessions_needy ON sessions (created_at) WHERE needs_attention = 1;

  -- What the shop fixed is large and hardly ever changes; what the shopper typed is forgotten in the end.
  CREATE TABLE session_terms (session_id TEXT PRIMARY KEY, terms TEXT NOT NULL) STRICT;

  -- The attempts of an order stand together, found by their order alone.
  CREATE TABLE attempts (
    account TEXT NOT NULL,
    order_no TEXT NOT NULL,
    started_at TEXT NOT NULL,
    id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (account, order_no, started_at, id)
  ) STRICT;
  CREATE INDEX attempts_started ON attempts (account, started_at);

  CREATE TABLE transactions (
    account TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    order_no TEXT NOT NULL,
    amount TEXT NOT NULL,
    currency TEXT NOT NULL,
    PRIMARY KEY (account, transaction_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE operations (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL,
    request_id TEXT,
    created_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    data TEXT NOT NULL,
    next_look_at TEXT,
    leased_until TEXT,
    needs_person INTEGER NOT NULL DEFAULT 0,
    name TEXT
  ) STRICT;
  CREATE UNIQUE INDEX operations_request_id ON operations (account, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX operations_in_flight ON operations (created_at) WHERE status = 'in_flight';
  CREATE INDEX operations_due ON operations (next_look_at) WHERE next_look_at IS NOT NULL;
  CREATE INDEX operations_unknown ON operations (created_at) WHERE needs_person = 1;
  CREATE INDEX operations_old ON operations (created_at);
  CREATE INDEX operations_listed ON operations (account, name, status, created_at, id);
  CREATE INDEX operations_waiting ON operations (account, created_at, id) WHERE needs_person = 1 AND next_look_at IS NULL;
  CREATE INDEX operations_asked ON operations (account, created_at) WHERE needs_person = 1 AND next_look_at IS NOT NULL;

  CREATE TABLE payout_requests (
    account TEXT NOT NULL,
    request_id TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    PRIMARY KEY (account, request_id)
  ) STRICT, WITHOUT ROWID;

  -- The shop’s own names of the items of operations, for good.
  CREATE TABLE operation_references (
    account TEXT NOT NULL,
    name TEXT NOT NULL,
    reference TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    PRIMARY KEY (account, name, reference)
  ) STRICT, WITHOUT ROWID;

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
  CREATE INDEX refunds_of_payment_all ON refunds (account, transaction_id);

  -- Refunds whose operations are no longer kept.
  CREATE TABLE refunded_payments (
    account TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    sum INTEGER NOT NULL,
    original INTEGER NOT NULL,
    PRIMARY KEY (account, transaction_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE idempotency_keys (
    account TEXT NOT NULL,
    route TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    claimed_at TEXT NOT NULL,
    subject TEXT,
    reply TEXT,
    PRIMARY KEY (account, route, key)
  ) STRICT;
  CREATE INDEX idempotency_keys_old ON idempotency_keys (claimed_at);

  -- What attempts were counted by, one row each; the sums are kept in memory.
  CREATE TABLE counted (n INTEGER PRIMARY KEY, at TEXT NOT NULL, keys TEXT NOT NULL) STRICT;
  CREATE INDEX counted_at ON counted (at);

  -- Webhooks. Those of a subject are delivered by their place, or by seq where they have none.
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
    delivery TEXT NOT NULL,
    place INTEGER
  ) STRICT;
  CREATE INDEX events_due ON events (account, next_try_at) WHERE next_try_at IS NOT NULL;
  CREATE INDEX events_pending ON events (seq) WHERE status = 'pending';
  CREATE INDEX events_of_account ON events (account, seq, type);
  CREATE INDEX events_old ON events (created_at) WHERE status <> 'pending';
  CREATE INDEX events_of_subject ON events (subject, seq);
  CREATE INDEX events_acknowledged ON events (seq) WHERE status = 'acknowledged';
  CREATE INDEX events_of_type ON events (account, type, seq) WHERE type <> 'session.approved';
  CREATE INDEX events_failed ON events (account, seq, type) WHERE status = 'failed';

  -- What a notification says is kept until its shop is told (told_at) or need not be; due_at is there as long.
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
    notice TEXT,
    due_at TEXT,
    told_at TEXT,
    verified INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (subject, sha256)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX notifications_old ON notifications (last_at);
  CREATE INDEX notifications_due ON notifications (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX notifications_waiting ON notifications (subject) WHERE due_at IS NOT NULL;
  CREATE INDEX notifications_told ON notifications (subject, told_at) WHERE told_at IS NOT NULL;

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

  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL,
    at TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_of_account ON audit (account, seq);
  CREATE INDEX audit_old ON audit (at);

  CREATE TABLE audit_terms (
    account TEXT NOT NULL,
    term TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (account, term, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX audit_terms_of ON audit_terms (seq);

  -- Who is signed in to the console.
  CREATE TABLE sign_ins (
    token_sha256 TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    credential TEXT NOT NULL,
    created_at TEXT NOT NULL,
    seen_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sign_ins_old ON sign_ins (created_at);

  -- What the last reconciliation of each account came to.
  CREATE TABLE reconciliations (account TEXT PRIMARY KEY, reported_at TEXT NOT NULL, data TEXT NOT NULL) STRICT;
  CREATE INDEX reconciliations_old ON reconciliations (reported_at);

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

  CREATE TABLE pulse (id INTEGER PRIMARY KEY, beats INTEGER NOT NULL) STRICT;

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
  CREATE TRIGGER audit_deleted AFTER DELETE ON audit
    BEGIN DELETE FROM audit_terms WHERE seq = OLD.seq; END;

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
  steps: [
    formIndexes(sqliteForm),
    // When the next query, look, try or turn was planned: one that a clock planned which was ahead is due.
    ['orders', 'operations', 'events', 'notifications']
      .map((table) => `ALTER TABLE ${table} ADD COLUMN planned_at TEXT;`)
      .join('') +
      `
  CREATE INDEX orders_planned ON orders (planned_at) WHERE next_query_at IS NOT NULL;
  CREATE INDEX operations_planned ON operations (planned_at) WHERE next_look_at IS NOT NULL;
  CREATE INDEX events_planned ON events (account, planned_at) WHERE next_try_at IS NOT NULL;
  CREATE INDEX notifications_planned ON notifications (planned_at) WHERE due_at IS NOT NULL;
  `,
  ],
};

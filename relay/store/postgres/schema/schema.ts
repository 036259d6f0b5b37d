import { formIndexes, postgresForm } from '../../forms/transaction-forms.ts';
import type { Schema } from '../../schema.ts';
import { beginOperationsByForm } from './operation-procedures.ts';
import {
  countAttemptsByNow,
  procedures,
  writeOrdersAnswered,
  writeOrdersByForm,
  writeOrdersOnce,
} from './procedures.ts';

/**
 * The PostgreSQL schema. Everything is in a schema of its own, `turnpike`, whose table `migrations` tells the version. A change is
 * a step that is added to `steps`. Never edit one that databases have had.
 */
export const postgresSchema: Schema = {
  version: 15,
  whole: `
  CREATE TABLE turnpike.orders (
    account TEXT COLLATE "C" NOT NULL,
    order_no TEXT COLLATE "C" NOT NULL,
    hold TEXT COLLATE "C" NOT NULL CHECK (hold IN ('free', 'held', 'paid')),
    version INTEGER NOT NULL DEFAULT 1,
    notices INTEGER NOT NULL DEFAULT 0,
    next_query_at TEXT COLLATE "C",
    leased_until TEXT COLLATE "C",
    queried_at TEXT COLLATE "C",
    data TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (account, order_no)
  );
  CREATE INDEX orders_due ON turnpike.orders (account, next_query_at) WHERE next_query_at IS NOT NULL;

  -- What the shop fixed, in terms, hardly ever changes; what the shopper filled in is forgotten in the end.
  CREATE TABLE turnpike.sessions (
    id TEXT COLLATE "C" PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL,
    order_no TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    version INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    expires_at TEXT COLLATE "C" NOT NULL,
    unknown_since TEXT COLLATE "C",
    needs_attention BOOLEAN NOT NULL DEFAULT false,
    leased_until TEXT COLLATE "C",
    terms TEXT NOT NULL,
    state TEXT NOT NULL,
    settled TEXT,
    filled TEXT
  );
  CREATE INDEX sessions_open ON turnpike.sessions (expires_at) WHERE status = 'open';
  CREATE INDEX sessions_unknown ON turnpike.sessions (unknown_since, needs_attention) WHERE unknown_since IS NOT NULL;
  CREATE INDEX sessions_old ON turnpike.sessions (created_at);
  CREATE INDEX sessions_of_order ON turnpike.sessions (account, order_no);
  CREATE INDEX sessions_needy ON turnpike.sessions (created_at) WHERE needs_attention;

  -- Attempts are written once before and once after each payment: what only finds them is left to their orders.
  CREATE TABLE turnpike.attempts (
    id TEXT COLLATE "C" PRIMARY KEY,
    session_id TEXT COLLATE "C" NOT NULL,
    account TEXT COLLATE "C" NOT NULL,
    order_no TEXT COLLATE "C" NOT NULL,
    started_at TEXT COLLATE "C" NOT NULL,
    data TEXT NOT NULL
  );
  CREATE INDEX attempts_of_order ON turnpike.attempts (account, order_no, started_at);

  CREATE TABLE turnpike.transactions (
    account TEXT COLLATE "C" NOT NULL,
    transaction_id TEXT COLLATE "C" NOT NULL,
    order_no TEXT COLLATE "C" NOT NULL,
    amount TEXT COLLATE "C" NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account, transaction_id)
  );

  -- The list of operations is read by name and status, and by what waits for a person. A place is in one column, which
  -- no other index has: by the index of times the server would read all that are newer.
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
    data TEXT NOT NULL,
    name TEXT COLLATE "C" GENERATED ALWAYS AS (substring(data FROM '"name":"([a-z_]+)"')) STORED,
    place TEXT COLLATE "C" GENERATED ALWAYS AS (created_at || id) STORED
  );
  CREATE UNIQUE INDEX operations_request_id ON turnpike.operations (account, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX operations_in_flight ON turnpike.operations (created_at) WHERE status = 'in_flight';
  CREATE INDEX operations_due ON turnpike.operations (next_look_at) WHERE next_look_at IS NOT NULL;
  CREATE INDEX operations_unknown ON turnpike.operations (created_at) WHERE needs_person;
  CREATE INDEX operations_old ON turnpike.operations (created_at);
  CREATE INDEX operations_listed ON turnpike.operations (account, name, status, place) INCLUDE (id);
  CREATE INDEX operations_waiting ON turnpike.operations (account, created_at, id)
    WHERE needs_person AND next_look_at IS NULL;
  CREATE INDEX operations_asked ON turnpike.operations (account, created_at)
    WHERE needs_person AND next_look_at IS NOT NULL;

  CREATE TABLE turnpike.payout_requests (
    account TEXT COLLATE "C" NOT NULL,
    request_id TEXT COLLATE "C" NOT NULL,
    operation_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account, request_id)
  );

  -- The shop’s own names of the items of operations, for good.
  CREATE TABLE turnpike.operation_references (
    account TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    reference TEXT COLLATE "C" NOT NULL,
    operation_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account, name, reference)
  );

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

  -- Refunds whose operations are no longer kept.
  CREATE TABLE turnpike.refunded_payments (
    account TEXT COLLATE "C" NOT NULL,
    transaction_id TEXT COLLATE "C" NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    sum BIGINT NOT NULL,
    original BIGINT NOT NULL,
    PRIMARY KEY (account, transaction_id)
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

  -- How many attempts were counted by a key in a second, at whose end (in seconds since 1970) they are taken to be made.
  CREATE TABLE turnpike.counted (
    key TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (key, at)
  ) WITH (fillfactor = 70);
  CREATE INDEX counted_old ON turnpike.counted USING brin (at);

  -- Events of a subject are delivered by their place, or by seq where they have none. The index of types leaves out what every
  -- payment tells, so that its webhook is written as fast as without it.
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
  CREATE INDEX events_of_account ON turnpike.events (account, seq, type);
  CREATE INDEX events_old ON turnpike.events (created_at) WHERE status <> 'pending';
  CREATE INDEX events_acknowledged ON turnpike.events (seq) WHERE status = 'acknowledged';
  CREATE INDEX events_of_type ON turnpike.events (account, type, seq) WHERE type <> 'session.approved';
  CREATE INDEX events_failed ON turnpike.events (account, seq, type) WHERE status = 'failed';

  -- What a notification says is kept until its shop is told (told_at) or need not be; due_at is there as long. What is
  -- verified has a limit of its own.
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
    notice TEXT,
    due_at TEXT COLLATE "C",
    told_at TEXT COLLATE "C",
    verified BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (subject, sha256)
  );
  CREATE INDEX notifications_old ON turnpike.notifications (last_at);
  CREATE INDEX notifications_due ON turnpike.notifications (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX notifications_waiting ON turnpike.notifications (subject) WHERE due_at IS NOT NULL;
  CREATE INDEX notifications_told ON turnpike.notifications (subject, told_at) WHERE told_at IS NOT NULL;

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

  -- Who is signed in to the console.
  CREATE TABLE turnpike.sign_ins (
    token_sha256 TEXT COLLATE "C" PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL,
    credential TEXT COLLATE "C" NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    seen_at TEXT COLLATE "C" NOT NULL
  );
  CREATE INDEX sign_ins_old ON turnpike.sign_ins (created_at);

  -- What the last reconciliation of each account came to.
  CREATE TABLE turnpike.reconciliations (
    account TEXT COLLATE "C" PRIMARY KEY,
    reported_at TEXT COLLATE "C" NOT NULL,
    data TEXT NOT NULL
  );
  CREATE INDEX reconciliations_old ON turnpike.reconciliations (reported_at);

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

  CREATE TABLE turnpike.pulse (id INTEGER PRIMARY KEY, beats BIGINT NOT NULL);

  ${procedures}`,
  steps: [
    writeOrdersAnswered,
    formIndexes(postgresForm, 'turnpike.'),
    // When the next query, look, try or turn was planned: one that a clock planned which was ahead is due.
    ['orders', 'operations', 'events', 'notifications']
      .map((table) => `ALTER TABLE turnpike.${table} ADD COLUMN planned_at TEXT COLLATE "C";`)
      .join('') +
      `
  CREATE INDEX orders_planned ON turnpike.orders (planned_at) WHERE next_query_at IS NOT NULL;
  CREATE INDEX operations_planned ON turnpike.operations (planned_at) WHERE next_look_at IS NOT NULL;
  CREATE INDEX events_planned ON turnpike.events (account, planned_at) WHERE next_try_at IS NOT NULL;
  CREATE INDEX notifications_planned ON turnpike.notifications (planned_at) WHERE due_at IS NOT NULL;
  ${replacing(procedures + writeOrdersAnswered)}
  `,
    writeOrdersOnce,
    replacing(countAttemptsByNow),
    replacing(beginOperationsByForm + writeOrdersByForm),
  ],
};

/** The same procedures and functions in place of those of their names. */
function replacing(procedures: string): string {
  return procedures.replaceAll(/CREATE (FUNCTION|PROCEDURE)/g, 'CREATE OR REPLACE $1');
}

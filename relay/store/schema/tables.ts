import type { SchemaWords } from './schema.ts';

/**
 * The tables and indexes that both databases have had since their first version. Each database creates the tables
 * sessions, attempts, operations, counted and stats_span itself, before these. Never edit them: a change is a step.
 */
export const commonTables = ({
  schema,
  text,
  bigint,
  boolean,
  serial,
  rowid,
  rows,
  keyed,
  no,
  is,
}: SchemaWords): string => `
  CREATE TABLE ${schema}orders (
    account ${text} NOT NULL,
    order_no ${text} NOT NULL,
    hold ${text} NOT NULL CHECK (hold IN ('free', 'held', 'paid')),
    version INTEGER NOT NULL DEFAULT 1,
    notices INTEGER NOT NULL DEFAULT 0,
    next_query_at ${text},
    leased_until ${text},
    queried_at ${text},
    data TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (account, order_no)
  )${keyed};
  CREATE INDEX orders_due ON ${schema}orders (account, next_query_at) WHERE next_query_at IS NOT NULL;
  CREATE INDEX sessions_open ON ${schema}sessions (expires_at) WHERE status = 'open';
  CREATE INDEX sessions_unknown ON ${schema}sessions (unknown_since, needs_attention) WHERE unknown_since IS NOT NULL;
  CREATE INDEX sessions_old ON ${schema}sessions (created_at);
  CREATE INDEX sessions_of_order ON ${schema}sessions (account, order_no);
  CREATE INDEX sessions_needy ON ${schema}sessions (created_at) WHERE ${is('needs_attention')};

  CREATE TABLE ${schema}transactions (
    account ${text} NOT NULL,
    transaction_id ${text} NOT NULL,
    order_no ${text} NOT NULL,
    amount ${text} NOT NULL,
    currency ${text} NOT NULL,
    PRIMARY KEY (account, transaction_id)
  )${keyed};
  CREATE UNIQUE INDEX operations_request_id ON ${schema}operations (account, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX operations_in_flight ON ${schema}operations (created_at) WHERE status = 'in_flight';
  CREATE INDEX operations_due ON ${schema}operations (next_look_at) WHERE next_look_at IS NOT NULL;
  CREATE INDEX operations_unknown ON ${schema}operations (created_at) WHERE ${is('needs_person')};
  CREATE INDEX operations_old ON ${schema}operations (created_at);
  CREATE INDEX operations_waiting ON ${schema}operations (account, created_at, id)
    WHERE ${is('needs_person')} AND next_look_at IS NULL;
  CREATE INDEX operations_asked ON ${schema}operations (account, created_at)
    WHERE ${is('needs_person')} AND next_look_at IS NOT NULL;

  CREATE TABLE ${schema}payout_requests (
    account ${text} NOT NULL,
    request_id ${text} NOT NULL,
    operation_id ${text} NOT NULL,
    PRIMARY KEY (account, request_id)
  )${keyed};

  -- The shop’s own names of the items of operations, for good.
  CREATE TABLE ${schema}operation_references (
    account ${text} NOT NULL,
    name ${text} NOT NULL,
    reference ${text} NOT NULL,
    operation_id ${text} NOT NULL,
    PRIMARY KEY (account, name, reference)
  )${keyed};

  CREATE TABLE ${schema}refunds (
    operation_id ${text} NOT NULL REFERENCES ${schema}operations (id),
    item INTEGER NOT NULL,
    account ${text} NOT NULL,
    transaction_id ${text} NOT NULL,
    currency ${text} NOT NULL,
    amount ${bigint} NOT NULL,
    original ${bigint} NOT NULL,
    counts ${boolean} NOT NULL,
    PRIMARY KEY (operation_id, item)
  )${keyed};

  -- Refunds whose operations are no longer kept.
  CREATE TABLE ${schema}refunded_payments (
    account ${text} NOT NULL,
    transaction_id ${text} NOT NULL,
    currency ${text} NOT NULL,
    sum ${bigint} NOT NULL,
    original ${bigint} NOT NULL,
    PRIMARY KEY (account, transaction_id)
  )${keyed};

  CREATE TABLE ${schema}idempotency_keys (
    account ${text} NOT NULL,
    route ${text} NOT NULL,
    key ${text} NOT NULL,
    fingerprint ${text} NOT NULL,
    claimed_at ${text} NOT NULL,
    subject ${text},
    reply TEXT,
    PRIMARY KEY (account, route, key)
  )${rows};
  CREATE INDEX idempotency_keys_old ON ${schema}idempotency_keys (claimed_at);

  -- Webhooks. Those of a subject are delivered by their place, or by seq where they have none. The index of types leaves out what every
  -- payment tells, so that its webhook is written as fast as without it.
  CREATE TABLE ${schema}events (
    seq ${serial},
    place ${bigint},
    id ${text} NOT NULL UNIQUE,
    account ${text} NOT NULL,
    subject ${text} NOT NULL,
    type ${text} NOT NULL,
    created_at ${text} NOT NULL,
    body TEXT NOT NULL,
    status ${text} NOT NULL,
    next_try_at ${text},
    delivery TEXT NOT NULL
  )${rows};
  CREATE INDEX events_due ON ${schema}events (account, next_try_at) WHERE next_try_at IS NOT NULL;
  CREATE INDEX events_of_subject ON ${schema}events (subject, seq);
  CREATE INDEX events_pending ON ${schema}events (seq) WHERE status = 'pending';
  CREATE INDEX events_of_account ON ${schema}events (account, seq, type);
  CREATE INDEX events_old ON ${schema}events (created_at) WHERE status <> 'pending';
  CREATE INDEX events_acknowledged ON ${schema}events (seq) WHERE status = 'acknowledged';
  CREATE INDEX events_of_type ON ${schema}events (account, type, seq) WHERE type <> 'session.approved';
  CREATE INDEX events_failed ON ${schema}events (account, seq, type) WHERE status = 'failed';

  -- What a notification says is kept until a webhook reports it (told_at) or none is needed; due_at is set as long. What is
  -- verified has a limit of its own.
  CREATE TABLE ${schema}notifications (
    subject ${text} NOT NULL,
    sha256 ${text} NOT NULL,
    kind ${text} NOT NULL,
    account ${text} NOT NULL,
    received_at ${text} NOT NULL,
    last_at ${text} NOT NULL,
    times INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    fields TEXT NOT NULL,
    notice TEXT,
    due_at ${text},
    told_at ${text},
    verified ${boolean} NOT NULL DEFAULT ${no},
    PRIMARY KEY (subject, sha256)
  )${keyed};
  CREATE INDEX notifications_old ON ${schema}notifications (last_at);
  CREATE INDEX notifications_due ON ${schema}notifications (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX notifications_waiting ON ${schema}notifications (subject) WHERE due_at IS NOT NULL;
  CREATE INDEX notifications_told ON ${schema}notifications (subject, told_at) WHERE told_at IS NOT NULL;

  -- The list of orders: each row once, and under every term that it is found by. What a payment changes only stands in line;
  -- a relay lists it a moment later, many at once.
  CREATE TABLE ${schema}listed_orders (
    id ${rowid},
    account ${text} NOT NULL,
    order_no ${text} NOT NULL,
    created_at ${bigint} NOT NULL,
    terms TEXT NOT NULL,
    summary TEXT NOT NULL,
    UNIQUE (account, order_no)
  )${rows};

  CREATE TABLE ${schema}order_terms (
    account ${text} NOT NULL,
    term ${text} NOT NULL,
    created_at ${bigint} NOT NULL,
    order_id ${bigint} NOT NULL,
    PRIMARY KEY (account, term, created_at, order_id)
  )${keyed};

  CREATE TABLE ${schema}operation_terms (
    account ${text} NOT NULL,
    term ${text} NOT NULL,
    operation_id ${text} NOT NULL,
    PRIMARY KEY (account, term, operation_id)
  )${keyed};
  CREATE INDEX operation_terms_of ON ${schema}operation_terms (operation_id);

  -- An order_no, or the id of an operation.
  CREATE TABLE ${schema}unlisted (seq ${rowid}, account ${text} NOT NULL,
    order_no ${text}, operation_id ${text})${rows};

  CREATE TABLE ${schema}audit (
    seq ${serial},
    account ${text} NOT NULL,
    at ${text} NOT NULL,
    data TEXT NOT NULL
  )${rows};

  CREATE TABLE ${schema}audit_terms (
    account ${text} NOT NULL,
    term ${text} NOT NULL,
    seq ${bigint} NOT NULL,
    PRIMARY KEY (account, term, seq)
  )${keyed};
  CREATE INDEX audit_terms_of ON ${schema}audit_terms (seq);
  CREATE INDEX audit_of_account ON ${schema}audit (account, seq);
  CREATE INDEX audit_old ON ${schema}audit (at);

  -- Who is signed in to the console.
  CREATE TABLE ${schema}sign_ins (
    token_sha256 ${text} PRIMARY KEY,
    person ${text} NOT NULL,
    credential ${text} NOT NULL,
    created_at ${text} NOT NULL,
    seen_at ${text} NOT NULL
  )${keyed};
  CREATE INDEX sign_ins_old ON ${schema}sign_ins (created_at);

  -- What the last reconciliation of each account came to.
  CREATE TABLE ${schema}reconciliations (
    account ${text} PRIMARY KEY,
    reported_at ${text} NOT NULL,
    data TEXT NOT NULL
  )${rows};
  CREATE INDEX reconciliations_old ON ${schema}reconciliations (reported_at);

  CREATE TABLE ${schema}stats_tallies (
    period ${text} NOT NULL,
    account ${text} NOT NULL,
    tally TEXT NOT NULL,
    PRIMARY KEY (period, account)
  )${rows};

  CREATE TABLE ${schema}stats_changes (seq ${serial},
    account ${text} NOT NULL, hour ${text} NOT NULL)${rows};
  CREATE INDEX stats_changes_of ON ${schema}stats_changes (hour, account);

  CREATE TABLE ${schema}pulse (id INTEGER PRIMARY KEY, beats ${bigint} NOT NULL)${rows};
`;

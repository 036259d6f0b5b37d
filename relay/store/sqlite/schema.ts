import type { Schema, SchemaWords } from '../schema/schema.ts';
import { commonSteps, plannedAt } from '../schema/steps.ts';
import { commonTables } from '../schema/tables.ts';
import { formIndexes, sqliteForm } from '../sql/spellings.ts';
import { dialect } from './dialect.ts';

export const sqliteWords: SchemaWords = {
  schema: '',
  text: 'TEXT',
  bigint: 'INTEGER',
  boolean: 'INTEGER',
  serial: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  rowid: 'INTEGER PRIMARY KEY',
  rows: ' STRICT',
  keyed: ' STRICT, WITHOUT ROWID',
  no: '0',
  is: dialect.is,
  form: dialect.form,
  hasProcedures: false,
  replacedProcedures: '',
};

/**
 * The SQLite schema. `PRAGMA user_version` is the version of a file. This file has only the parts that PostgreSQL does
 * not share. A change is a step in `commonSteps`. Never edit a step that files have had.
 */
export const sqliteSchema: Schema = {
  version: 21,
  whole: `
  -- Differs from PostgreSQL’s: the terms have a table of their own, because SQLite writes the whole row of a session that changes.
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

  -- What the shop fixed is large and hardly ever changes; what the shopper typed is forgotten in the end.
  CREATE TABLE session_terms (session_id TEXT PRIMARY KEY, terms TEXT NOT NULL) STRICT;

  -- Differs from PostgreSQL’s: attempts are found by their order alone, so that a payment writes no index of their ids.
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

  -- Differs from PostgreSQL’s: SQLite compares both parts of a place, and needs no generated columns.
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
  CREATE INDEX operations_listed ON operations (account, name, status, created_at, id);

  -- What attempts were counted by, one row each; the moments of each key are kept in memory.
  CREATE TABLE counted (n INTEGER PRIMARY KEY, at TEXT NOT NULL, keys TEXT NOT NULL) STRICT;
  CREATE INDEX counted_at ON counted (at);

  -- Tallies of hours and of days. What changes in an hour before \`claimed\` is noted, until the hour is counted again.
  CREATE TABLE stats_span (
    id INTEGER PRIMARY KEY,
    since TEXT NOT NULL,
    until TEXT NOT NULL,
    claimed TEXT NOT NULL,
    version INTEGER NOT NULL
  ) STRICT;
${commonTables(sqliteWords)}
  CREATE INDEX refunds_of_payment ON refunds (account, transaction_id) WHERE counts = 1;
  CREATE INDEX refunds_of_payment_all ON refunds (account, transaction_id);
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
  steps: [formIndexes(sqliteForm), plannedAt(sqliteWords), ...commonSteps.map((step) => step(sqliteWords))],
};

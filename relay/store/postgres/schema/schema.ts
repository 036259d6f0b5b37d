import type { Schema, SchemaWords } from '../../schema/schema.ts';
import { commonSteps, plannedAt } from '../../schema/steps.ts';
import { commonTables } from '../../schema/tables.ts';
import { formIndexes, postgresForm } from '../../sql/spellings.ts';
import { dialect } from '../dialect.ts';
import { beginOperations, finishOperations } from './operation-procedures.ts';
import { addEvents, countAttempts, procedures, writeOrdersAnswered, writeOrdersOnce } from './procedures.ts';

export const postgresWords: SchemaWords = {
  schema: 'turnpike.',
  text: 'TEXT COLLATE "C"',
  bigint: 'BIGINT',
  boolean: 'BOOLEAN',
  serial: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  rowid: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  rows: '',
  keyed: '',
  no: 'FALSE',
  is: dialect.is,
  form: dialect.form,
  hasProcedures: true,
  replacedProcedures: replacing(addEvents + beginOperations + finishOperations + writeOrdersOnce),
};

/**
 * The PostgreSQL schema. Everything is in the schema `turnpike`, whose table `migrations` contains the version. This
 * file has only the parts that SQLite does not share. A change is a step in `commonSteps`. Never edit a step that
 * databases have had.
 */
export const postgresSchema: Schema = {
  version: 15,
  whole: `
  -- Differs from SQLite’s: the terms, which hardly ever change, are in the row, because PostgreSQL keeps long texts outside of it.
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

  -- Differs from SQLite’s: a procedure changes many attempts at once, and finds each by its id.
  CREATE TABLE turnpike.attempts (
    id TEXT COLLATE "C" PRIMARY KEY,
    session_id TEXT COLLATE "C" NOT NULL,
    account TEXT COLLATE "C" NOT NULL,
    order_no TEXT COLLATE "C" NOT NULL,
    started_at TEXT COLLATE "C" NOT NULL,
    data TEXT NOT NULL
  );
  CREATE INDEX attempts_of_order ON turnpike.attempts (account, order_no, started_at);

  -- Differs from SQLite’s: a place is in one generated column, which no other index has, because by the index of times the server
  -- would read all operations that are newer.
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
  CREATE INDEX operations_listed ON turnpike.operations (account, name, status, place) INCLUDE (id);

  -- How many attempts were counted by a key in a second, at whose end (in seconds since 1970) they are taken to be made.
  CREATE TABLE turnpike.counted (
    key TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (key, at)
  ) WITH (fillfactor = 70);
  CREATE INDEX counted_old ON turnpike.counted USING brin (at);

  -- Tallies of hours and of days. What changes in an hour before \`claimed\` is noted, until the hour is counted again.
  CREATE TABLE turnpike.stats_span (
    id INTEGER PRIMARY KEY,
    since TEXT COLLATE "C" NOT NULL,
    until TEXT COLLATE "C" NOT NULL,
    claimed TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    leased_until TEXT COLLATE "C"
  );
${commonTables(postgresWords)}
  CREATE INDEX refunds_of_payment ON turnpike.refunds (account, transaction_id);
  ALTER TABLE turnpike.listed_orders SET (fillfactor = 80);
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

  ${procedures}`,
  steps: [
    writeOrdersAnswered,
    formIndexes(postgresForm, 'turnpike.'),
    plannedAt(postgresWords) + replacing(procedures + writeOrdersAnswered),
    writeOrdersOnce,
    replacing(countAttempts),
    replacing(beginOperations + writeOrdersOnce),
    ...commonSteps.map((step) => step(postgresWords)),
  ],
};

/** Replaces the procedures and functions that have the same names and parameters. */
function replacing(procedures: string): string {
  return procedures.replaceAll(/CREATE (FUNCTION|PROCEDURE)/g, 'CREATE OR REPLACE $1');
}

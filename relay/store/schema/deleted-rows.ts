import type { SchemaStep } from './schema.ts';

/**
 * The effects of deleting old rows, for all rows of a statement together: each changed hour is recorded once, and an
 * order is listed again if it is still listed. Relays of the previous version use this, too.
 */
export const deletedRows: SchemaStep = ({ hasProcedures }) => (hasProcedures ? postgresParts : sqliteParts);

const sqliteParts = `
  DROP TRIGGER session_deleted;
  CREATE TRIGGER session_deleted AFTER DELETE ON sessions
    WHEN EXISTS (SELECT 1 FROM listed_orders WHERE account = OLD.account AND order_no = OLD.order_no)
    BEGIN INSERT INTO unlisted (account, order_no) VALUES (OLD.account, OLD.order_no); END;`;

/** A trigger for the rows that a statement deleted: together they are the table `gone`. */
const afterDelete = (table: string, name: string, statement: string): string => `
  CREATE FUNCTION turnpike.${name}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    ${statement};
    RETURN NULL;
  END $$;
  CREATE TRIGGER ${name} AFTER DELETE ON turnpike.${table} REFERENCING OLD TABLE AS gone FOR EACH STATEMENT
    EXECUTE FUNCTION turnpike.${name}();`;

/** Records the hours of deleted rows that are counted. */
const noting = (time: string): string => `INSERT INTO turnpike.stats_changes (account, hour)
      SELECT DISTINCT gone.account, left(gone.${time}, 13) FROM gone, turnpike.stats_span AS s
        WHERE s.id = 1 AND gone.${time} < s.claimed`;

const postgresParts = `
  DROP TRIGGER session_added ON turnpike.sessions;
  DROP TRIGGER operation_changed ON turnpike.operations;
  DROP TRIGGER operation_uncounted ON turnpike.operations;
  DROP TRIGGER attempt_counted ON turnpike.attempts;
  DROP TRIGGER payment_counted ON turnpike.listed_payments;
  DROP FUNCTION turnpike.operation_uncounted();
  CREATE TRIGGER session_added AFTER INSERT ON turnpike.sessions FOR EACH ROW EXECUTE FUNCTION turnpike.order_unlisted();
  CREATE TRIGGER operation_changed AFTER INSERT ON turnpike.operations FOR EACH ROW
    EXECUTE FUNCTION turnpike.operation_unlisted();
  CREATE TRIGGER attempt_counted AFTER INSERT OR UPDATE ON turnpike.attempts FOR EACH ROW
    EXECUTE FUNCTION turnpike.attempt_counted();
  CREATE TRIGGER payment_counted AFTER INSERT ON turnpike.listed_payments FOR EACH ROW
    EXECUTE FUNCTION turnpike.payment_counted();
  ${afterDelete(
    'sessions',
    'sessions_forgotten',
    // By the key of each, whatever the server's statistics say about the table.
    `INSERT INTO turnpike.unlisted (account, order_no) SELECT DISTINCT gone.account, gone.order_no FROM gone,
      LATERAL (SELECT 1 FROM turnpike.listed_orders AS l WHERE l.account = gone.account AND l.order_no = gone.order_no OFFSET 0) AS listed`,
  )}
  ${afterDelete(
    'operations',
    'operations_forgotten',
    `DELETE FROM turnpike.operation_terms AS t USING gone WHERE t.operation_id = gone.id;
    ${noting('created_at')}`,
  )}
  ${afterDelete('attempts', 'attempts_forgotten', noting('started_at'))}
  ${afterDelete('listed_payments', 'payments_forgotten', noting('paid_at'))}`;

import type { SchemaStep } from './schema.ts';

/**
 * The payments that statistics count: listed with their orders, and changed with them. Triggers record the hours that
 * change, as for attempts. All orders are listed again, and all tallies made again, because those of the previous
 * version lack the sums of payments.
 */
export const listedPayments: SchemaStep = ({ schema, text, bigint, keyed, hasProcedures }) => `
  CREATE TABLE ${schema}listed_payments (
    account ${text} NOT NULL,
    order_no ${text} NOT NULL,
    n INTEGER NOT NULL,
    paid_at ${text} NOT NULL,
    currency ${text} NOT NULL,
    amount ${bigint} NOT NULL,
    kept ${bigint} NOT NULL,
    renewal INTEGER NOT NULL,
    PRIMARY KEY (account, order_no, n)
  )${keyed};
  CREATE INDEX listed_payments_paid ON ${schema}listed_payments (paid_at);
  ${hasProcedures ? postgresParts : sqliteParts}
  DELETE FROM ${schema}stats_tallies;
  DELETE FROM ${schema}stats_changes;
  DELETE FROM ${schema}stats_span;
  INSERT INTO ${schema}unlisted (account, order_no) SELECT account, order_no FROM ${schema}listed_orders;
`;

const sqliteParts = (['INSERT', 'DELETE'] as const)
  .map((change) => {
    const row = change === 'INSERT' ? 'NEW' : 'OLD';
    return `CREATE TRIGGER payment_${change === 'INSERT' ? 'counted' : 'uncounted'} AFTER ${change} ON listed_payments
    WHEN ${row}.paid_at < (SELECT claimed FROM stats_span WHERE id = 1)
    BEGIN INSERT INTO stats_changes (account, hour) VALUES (${row}.account, substr(${row}.paid_at, 1, 13)); END;`;
  })
  .join('\n  ');

const postgresParts = `
  CREATE FUNCTION turnpike.payment_counted() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    changed turnpike.listed_payments := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  BEGIN
    INSERT INTO turnpike.stats_changes (account, hour) SELECT changed.account, left(changed.paid_at, 13)
      FROM turnpike.stats_span WHERE id = 1 AND changed.paid_at < claimed;
    RETURN NULL;
  END $$;
  CREATE TRIGGER payment_counted AFTER INSERT OR DELETE ON turnpike.listed_payments FOR EACH ROW
    EXECUTE FUNCTION turnpike.payment_counted();`;

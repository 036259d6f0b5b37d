import type { SchemaStep } from './schema.ts';

const columns = 'account, transaction_id, operation_id, item, name, amount, currency, flag, outcome, refused_at';

/**
 * The table of the captures, cancellations and reviews of each payment, one row for each item. Triggers derive it from
 * `operations`, so that relays of the previous version fill it, too. Its rows stay when their operation is deleted.
 * `outcome` is that of `outcomeAt`.
 */
export const paymentOperations: SchemaStep = (words) => {
  const { schema, text, keyed, form } = words;
  const table = `${schema}payment_operations`;
  return `
  CREATE TABLE ${table} (
    account ${text} NOT NULL,
    transaction_id ${text} NOT NULL,
    operation_id ${text} NOT NULL,
    item INTEGER NOT NULL,
    name ${text} NOT NULL,
    amount ${text} NOT NULL,
    currency ${text} NOT NULL,
    flag ${text},
    outcome ${text} NOT NULL,
    refused_at ${text},
    PRIMARY KEY (account, transaction_id, operation_id, item)
  )${keyed};
  CREATE INDEX payment_operations_form ON ${table} (account, (${form})) WHERE transaction_id <> ${form};
  ${words.hasProcedures ? postgresParts : sqliteParts}
  ${words.replacedProcedures}`;
};

const isOfPayment = (row: string): string => `${row}.name IN ('capture', 'cancel', 'review')`;

/** How a database reads an operation: a row for each item, a text of an item, and a text of an item's result. */
type Reading = {
  from: string;
  item: string;
  value(field: string): string;
  result(path: string): string;
  settledAt: string;
};

/** Stores the items of an operation, one in each row. */
function kept(table: string, row: string, { from, item, value, result, settledAt }: Reading): string {
  return `INSERT INTO ${table} (${columns})
    SELECT ${row}.account, ${value('transaction_id')}, ${row}.id, ${item}, ${row}.name, ${value('amount')},
      ${value('currency')}, ${value('review_flag')},
      coalesce(CASE ${row}.status WHEN 'answered' THEN ${result('items')} WHEN 'settled' THEN ${result('settlement.items')}
        WHEN 'not_sent' THEN 'failed' WHEN 'refused' THEN 'failed' END, 'unknown'),
      CASE ${row}.status WHEN 'refused' THEN ${settledAt} END
    FROM ${from} WHERE ${value('transaction_id')} IS NOT NULL AND ${isOfPayment(row)}
    ON CONFLICT (account, transaction_id, operation_id, item) DO UPDATE SET outcome = excluded.outcome,
      refused_at = excluded.refused_at;`;
}

const keptInSqlite = (row: string, before = ''): string =>
  kept('payment_operations', row, {
    from: `${before}json_each(${row}.data, '$.request.' || ${row}.name || '_orders') AS i`,
    item: 'i.key',
    value: (field) => `i.value ->> '${field}'`,
    result: (path) => `${row}.data ->> ('$.state.${path}[' || i.key || ']')`,
    settledAt: `${row}.data ->> '$.settled_at'`,
  });

const sqliteParts = `
  CREATE TRIGGER payment_operation_added AFTER INSERT ON operations WHEN ${isOfPayment('NEW')}
    BEGIN ${keptInSqlite('NEW')} END;
  CREATE TRIGGER payment_operation_changed AFTER UPDATE OF data ON operations WHEN ${isOfPayment('NEW')}
    BEGIN ${keptInSqlite('NEW')} END;
  ${keptInSqlite('o', 'operations AS o, ')}`;

/**
 * Characters that JSON may contain and texts in PostgreSQL may not: NUL, and half of a surrogate pair. Stored texts
 * contain neither.
 */
const UNKEEPABLE = String.raw`(?<!\\)((\\\\)*)\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})`;

const postgresParts = `
  CREATE FUNCTION turnpike.keep_payment_operations(o turnpike.operations) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    data json := CASE WHEN strpos(o.data, '\\u') = 0 THEN o.data ELSE regexp_replace(o.data, '${UNKEEPABLE}', '\\1?', 'g') END;
    results json := data -> 'state';
  BEGIN
    ${kept('turnpike.payment_operations', 'o', {
      from: "json_array_elements(data -> 'request' -> (o.name || '_orders')) WITH ORDINALITY AS i (value, n)",
      item: 'i.n - 1',
      value: (field) => `(i.value ->> '${field}')`,
      result: (path) => `(results -> '${path.replace('.', "' -> '")}' ->> (i.n - 1)::integer)`,
      settledAt: `(data ->> 'settled_at')`,
    })}
  END $$;
  CREATE FUNCTION turnpike.payment_operation_written() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM turnpike.keep_payment_operations(NEW);
    RETURN NULL;
  END $$;
  -- All that the rules about a payment depend on, as one text: if it is the same, nothing changed.
  CREATE FUNCTION turnpike.payment_state(of_account text, of_transaction text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT json_build_array(
      (SELECT json_build_array(amount, currency) FROM turnpike.transactions
        WHERE account = of_account AND transaction_id = of_transaction),
      (SELECT json_agg(json_build_array(operation_id, item) ORDER BY operation_id, item) FROM turnpike.refunds
        WHERE account = of_account AND transaction_id = of_transaction AND counts),
      (SELECT json_agg(json_build_array(operation_id, item, outcome) ORDER BY operation_id, item)
        FROM turnpike.payment_operations WHERE account = of_account AND transaction_id = of_transaction))::text
  $$;
  CREATE TRIGGER payment_operation_written AFTER INSERT OR UPDATE OF data ON turnpike.operations FOR EACH ROW
    WHEN (${isOfPayment('NEW')}) EXECUTE FUNCTION turnpike.payment_operation_written();
  DO $$ BEGIN PERFORM turnpike.keep_payment_operations(o) FROM turnpike.operations AS o WHERE ${isOfPayment('o')}; END $$;`;

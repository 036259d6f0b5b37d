import type { SchemaStep } from './schema.ts';

const columns = 'account, transaction_id, operation_id, item, name, amount, currency, flag, outcome';

/**
 * The table of the captures, cancellations and reviews of each payment, one row an item. Triggers derive it from `operations`, so that
 * relays of the version before fill it as well. Its rows stay when their operation is deleted. `outcome` is that of `itemOutcome`.
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
    PRIMARY KEY (account, transaction_id, operation_id, item)
  )${keyed};
  CREATE INDEX payment_operations_form ON ${table} (account, (${form})) WHERE transaction_id <> ${form};
  ${words.hasProcedures ? postgresTrigger(table) : sqliteTriggers(table)}
  ${words.replacedProcedures}`;
};

const isOfPayment = (row: string): string => `${row}.name IN ('capture', 'cancel', 'review')`;

/** Keeps the items of an operation: `value` reads a field of an item, `state` a text of the operation's state. */
function kept(
  table: string,
  row: string,
  {
    from,
    item,
    value,
    state,
  }: { from: string; item: string; value(field: string): string; state(path: string): string },
): string {
  const outcome = `coalesce(CASE ${row}.status WHEN 'answered' THEN ${state('items')}
      WHEN 'settled' THEN ${state('settlement.items')} WHEN 'not_sent' THEN 'failed' WHEN 'refused' THEN 'failed' END, 'unknown')`;
  return `INSERT INTO ${table} (${columns})
    SELECT ${row}.account, ${value('transaction_id')}, ${row}.id, ${item}, ${row}.name, ${value('amount')},
      ${value('currency')}, ${value('review_flag')}, ${outcome}
    FROM ${from} WHERE ${isOfPayment(row)} AND ${value('transaction_id')} IS NOT NULL
    ON CONFLICT (account, transaction_id, operation_id, item) DO UPDATE SET outcome = excluded.outcome;`;
}

function sqliteTriggers(table: string): string {
  const keptOf = (row: string, before = ''): string =>
    kept(table, row, {
      from: `${before}json_each(${row}.data, '$.request.' || ${row}.name || '_orders') AS i`,
      item: 'i.key',
      value: (field) => `i.value ->> '${field}'`,
      state: (path) => `${row}.data ->> ('$.state.${path}[' || i.key || ']')`,
    });
  return `CREATE TRIGGER payment_operation_added AFTER INSERT ON operations WHEN ${isOfPayment('NEW')}
    BEGIN ${keptOf('NEW')} END;
  CREATE TRIGGER payment_operation_changed AFTER UPDATE OF data ON operations WHEN ${isOfPayment('NEW')}
    BEGIN ${keptOf('NEW')} END;
  ${keptOf('o', 'operations AS o, ')}`;
}

function postgresTrigger(table: string): string {
  const keptOf = (row: string, before = ''): string =>
    kept(table, row, {
      from: `${before}json_array_elements(${row}.data::json -> 'request' -> (${row}.name || '_orders')) WITH ORDINALITY AS i (value, n)`,
      item: 'i.n - 1',
      value: (field) => `(i.value ->> '${field}')`,
      state: (path) => `(${row}.data::json #>> ('{state,${path.replace('.', ',')},' || (i.n - 1) || '}')::text[])`,
    });
  return `CREATE FUNCTION turnpike.payment_operation_kept() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    ${keptOf('NEW')}
    RETURN NULL;
  END $$;
  CREATE TRIGGER payment_operation_kept AFTER INSERT OR UPDATE OF data ON turnpike.operations FOR EACH ROW
    WHEN (${isOfPayment('NEW')}) EXECUTE FUNCTION turnpike.payment_operation_kept();
  ${keptOf('o', 'turnpike.operations AS o, ')}`;
}

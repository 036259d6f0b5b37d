/**
 * The form of a transaction_id (see `transactionForm`) in SQL, as far as databases tell: letters A to Z, blanks and the invisible
 * characters that are met with.
 * @param char makes the character of a code point
 */
function formOf(char: (code: number) => string): string {
  const unseen = [0x20, 0x09, 0xa0, 0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff];
  return unseen.reduce((of, code) => `replace(${of}, ${char(code)}, '')`, 'lower(transaction_id)');
}

export const sqliteForm: string = formOf((code) => `char(${code})`);
export const postgresForm: string = formOf((code) => `chr(${code})`);

/** Adds indexes of the few transaction_ids that are not their own form. Of the others, the key tells. */
export const formIndexes = (form: string, schema = ''): string => `
  CREATE INDEX transactions_form ON ${schema}transactions (account, (${form})) WHERE transaction_id <> ${form};
  CREATE INDEX refunds_form ON ${schema}refunds (account, (${form})) WHERE transaction_id <> ${form};
  CREATE INDEX refunded_payments_form ON ${schema}refunded_payments (account, (${form})) WHERE transaction_id <> ${form};
`;

/** A table, and the index that the database is told to take. */
type TableName = (name: string, index?: string) => string;

/**
 * The condition that a refund may have happened: it counts, or the gateway may still book it though it counts as not made
 * (`isWatched`). A scalar subquery reads the one operation: a database may turn EXISTS into a table of all.
 * @param counts the condition that it counts
 */
export const mayHaveHappened = (counts: string, table: TableName): string =>
  `(${counts} OR (SELECT next_look_at IS NOT NULL AND status IN ('refused', 'settled')
    FROM ${table('operations')} WHERE id = operation_id))`;

/**
 * Selects the transaction_ids of an account that have one of these forms. A refund that did not happen tells no spelling: it may have
 * named a payment that does not exist.
 * @param isOne the condition that a text is one of the forms
 * @param tells the condition that a refund tells its spelling
 */
export function knownOfForms(
  account: string,
  isOne: (text: string) => string,
  form: string,
  tells: string,
  table: TableName,
): string {
  const selects = ['transactions', 'refunds', 'refunded_payments'].flatMap((name) => {
    const own = `account = ${account}${name === 'refunds' ? ` AND ${tells}` : ''}`;
    return [
      `SELECT transaction_id FROM ${table(name)} WHERE ${own} AND ${isOne('transaction_id')}`,
      `SELECT transaction_id FROM ${table(name, `${name}_form`)} WHERE ${own} AND ${isOne(form)} AND transaction_id <> ${form}`,
    ];
  });
  return selects.join(' UNION ALL ');
}

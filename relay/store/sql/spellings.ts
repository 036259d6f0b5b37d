import type { KnownPayment } from '../../payments/ledger/accounting.ts';
import { transactionForm } from '../../payments/operations/transaction-form.ts';
import type { Row } from '../row.ts';
import type { Dialect } from './plan.ts';

/**
 * The form of a transaction_id (see `transactionForm`) as far as SQL can compute it: A to Z in lower case, without
 * blanks and the common invisible characters.
 * @param char returns the SQL of a character by its code point
 */
function formOf(char: (code: number) => string): string {
  const unseen = [0x20, 0x09, 0xa0, 0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff];
  return unseen.reduce((of, code) => `replace(${of}, ${char(code)}, '')`, 'lower(transaction_id)');
}

export const sqliteForm: string = formOf((code) => `char(${code})`);
export const postgresForm: string = formOf((code) => `chr(${code})`);

/** Adds indexes for the few transaction_ids that differ from their own form. The others are found by their key. */
export const formIndexes = (form: string, schema = ''): string => `
  CREATE INDEX transactions_form ON ${schema}transactions (account, (${form})) WHERE transaction_id <> ${form};
  CREATE INDEX refunds_form ON ${schema}refunds (account, (${form})) WHERE transaction_id <> ${form};
  CREATE INDEX refunded_payments_form ON ${schema}refunded_payments (account, (${form})) WHERE transaction_id <> ${form};
`;

/**
 * Selects the transaction_ids of an account with one of some forms. An operation without an effect makes no spelling
 * known, because it may have named a payment that does not exist. A refund that counts as not made but is still watched
 * (`isWatched`) may still happen. A scalar subquery reads its one operation: for EXISTS, a database may read all
 * operations.
 * @param isOne the condition that a text is one of the forms
 */
export function knownOfForms(
  { table, is, form }: Pick<Dialect, 'table' | 'is' | 'form'>,
  account: string,
  isOne: (text: string) => string,
): string {
  const mayHaveHappened = ` AND (${is('counts')} OR (SELECT next_look_at IS NOT NULL AND status IN ('refused', 'settled')
    FROM ${table('operations')} WHERE id = operation_id))`;
  const conditions = {
    ...{ transactions: '', refunds: mayHaveHappened, refunded_payments: '' },
    payment_operations: ` AND outcome <> 'failed'`,
  };
  const selects = Object.entries(conditions).flatMap(([name, condition]) => {
    const own = `account = ${account}${condition}`;
    return [
      `SELECT transaction_id FROM ${table(name)} WHERE ${own} AND ${isOne('transaction_id')}`,
      `SELECT transaction_id FROM ${table(name, `${name}_form`)} WHERE ${own} AND ${isOne(form)} AND transaction_id <> ${form}`,
    ];
  });
  return selects.join(' UNION ALL ');
}

/** Selects the transaction_ids of the account `$1` that have one of the forms `$2`. */
export const transactionsOfForms = (dialect: Dialect): string =>
  knownOfForms(dialect, '$1', (text) => `${text} ${dialect.anyOf('$2')}`);

/**
 * The known transaction_ids, and the forms of the others, for which the store must search. The SQL form of a known one
 * may contain characters that `transactionForm` removes: then the id itself finds it. In nearly all cases all are
 * known, and nothing is searched.
 */
export function knownSpellings(
  ids: readonly string[],
  isKnown: (id: string) => boolean,
): { known: string[]; forms: string[] } {
  return {
    known: ids.filter(isKnown),
    forms: ids.flatMap((id) => (isKnown(id) ? [] : [transactionForm(id), id])),
  };
}

/** The known transaction_ids, with those in the rows that a search by forms found, each once. */
export function withFound(known: readonly string[], rows: readonly Row[]): string[] {
  return [...new Set([...known, ...rows.map(({ transaction_id }) => String(transaction_id))])];
}

/** Whether the data about a payment makes its transaction_id known, so that other spellings do not matter. */
export function isKnownPayment({ paid, sum, operations = [] }: KnownPayment = {}): boolean {
  return paid !== undefined || sum !== undefined || operations.some(({ outcome }) => outcome !== 'failed');
}

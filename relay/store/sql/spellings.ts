import { type RefundedPayment, transactionForm } from '../../payments/operations/refund-rule.ts';
import type { Dialect } from './plan.ts';

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

/**
 * Selects the transaction_ids of an account that have one of some forms. A refund that did not happen tells no spelling: it may have
 * named a payment that does not exist. The gateway may still book one that counts as not made (`isWatched`). A scalar subquery reads the
 * one operation: a database may turn EXISTS into a table of all.
 * @param isOne the condition that a text is one of the forms
 */
export function knownOfForms(
  { table, is, form }: Pick<Dialect, 'table' | 'is' | 'form'>,
  account: string,
  isOne: (text: string) => string,
): string {
  const mayHaveHappened = ` AND (${is('counts')} OR (SELECT next_look_at IS NOT NULL AND status IN ('refused', 'settled')
    FROM ${table('operations')} WHERE id = operation_id))`;
  const selects = ['transactions', 'refunds', 'refunded_payments'].flatMap((name) => {
    const own = `account = ${account}${name === 'refunds' ? mayHaveHappened : ''}`;
    return [
      `SELECT transaction_id FROM ${table(name)} WHERE ${own} AND ${isOne('transaction_id')}`,
      `SELECT transaction_id FROM ${table(name, `${name}_form`)} WHERE ${own} AND ${isOne(form)} AND transaction_id <> ${form}`,
    ];
  });
  return selects.join(' UNION ALL ');
}

/**
 * The transaction_ids that are known themselves, and the others with their forms, for which the store must search. The form of a known
 * one in SQL may keep what `transactionForm` removes: then the id itself finds it. Nearly always all are known, and no search is made.
 * @param ids transaction_ids, each once
 * @param payments what is known of the payment of each
 */
export function knownSpellings(
  ids: readonly string[],
  payments: readonly RefundedPayment[],
): { known: string[]; forms: string[] } {
  return {
    known: ids.filter((_, at) => isKnown(payments[at])),
    forms: ids.flatMap((id, at) => (isKnown(payments[at]) ? [] : [transactionForm(id), id])),
  };
}

/** Whether what is known of a payment makes its transaction_id known itself, so that other spellings of it do not matter. */
export function isKnown(payment: RefundedPayment | undefined): boolean {
  return payment?.paid !== undefined || payment?.sum !== undefined;
}

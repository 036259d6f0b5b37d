import { ProblemError } from '../base/errors.ts';
import { otherForm } from '../payments/operations/refund-rule.ts';
import type { Context } from './context.ts';

/**
 * Refuses transaction_ids of a request where one is another spelling of a known one. Throws ProblemError and StoreError.
 * @param account the account's id
 * @param pathOf where the transaction_id with this number stands in the request
 */
export async function checkTransactionForms(
  { store }: Context,
  account: string,
  ids: readonly string[],
  pathOf: (item: number) => string,
): Promise<void> {
  const found = otherForm(ids, await store.operations.spellingsOf(account, [...new Set(ids)]));
  if (found) throw otherFormProblem(pathOf(found.item), found.known);
}

/**
 * Refuses a transaction_id that is another spelling of a known one.
 * @param path where it stands in the request
 */
export function otherFormProblem(path: string, known: string): ProblemError {
  const detail = 'Another transaction_id that is known differs only in letter case, blanks or invisible characters.';
  return new ProblemError('transaction_id_form', detail, {
    errors: [{ path, message: `must be ${JSON.stringify(known)} exactly` }],
    // If a refund made the other one known, it is forgotten once that refund fails.
    mayLift: true,
  });
}

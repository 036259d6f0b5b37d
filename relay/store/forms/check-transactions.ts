import { type EffectName, type Operation as Entry, operations } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { ProblemError } from '../base/errors.ts';
import type { Account } from '../config/load.ts';
import { itemsOf } from '../payments/operations/operation.ts';
import { otherForm, transactionForm } from '../payments/operations/transaction-form.ts';
import type { Context } from '../store/context.ts';

/** Refuses a batch with a transaction_id that is another spelling of a known one. Throws ProblemError and StoreError. */
export async function checkTransactionForms(
  { store }: Context,
  name: EffectName,
  account: Account,
  request: Message,
): Promise<void> {
  const { batch }: Entry = operations[name];
  if (!batch) return;
  const ids = itemsOf({ name, request }).map(({ transaction_id }) => String(transaction_id));
  const forms = [...new Set(ids.map(transactionForm))];
  const found = otherForm(ids, await store.transactionsOfForms(account.id, forms));
  if (!found) return;
  const detail = 'Another transaction_id that is known differs only in letter case, blanks or invisible characters.';
  const path = `${batch.list}.${found.item}.transaction_id`;
  const errors = [{ path, message: `must be ${JSON.stringify(found.known)} exactly` }];
  throw new ProblemError('transaction_id_form', detail, { errors });
}

import type { Payment } from '../../payments/operations/refund-rule.ts';
import { transactionForm } from '../../payments/operations/transaction-form.ts';

/**
 * The transaction_ids that are known themselves, and the forms of the others, for which the store must search. Nearly always all are
 * known, and no search is made.
 * @param ids transaction_ids, each once
 * @param payments what is known of the payment of each
 */
export function knownSpellings(
  ids: readonly string[],
  payments: readonly Payment[],
): { known: string[]; forms: string[] } {
  const isKnown = (at: number): boolean => payments[at]?.paid !== undefined || payments[at]?.sum !== undefined;
  return {
    known: ids.filter((_, at) => isKnown(at)),
    forms: ids.flatMap((id, at) => (isKnown(at) ? [] : [transactionForm(id)])),
  };
}

import { type RefundedPayment, transactionForm } from '../../payments/operations/refund-rule.ts';

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

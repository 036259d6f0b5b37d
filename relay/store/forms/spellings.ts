import type { Payment } from '../../payments/operations/refund-rule.ts';
import { transactionForm } from '../../payments/operations/transaction-form.ts';

/**
 * The known transaction_ids that are one of these, or have the form of one that is not known itself. Nearly always all are known, and
 * then no search for forms is made.
 * @param paymentOf what is known of the payment with a transaction_id
 * @param ofForms searches for transaction_ids that have one of these forms
 */
export async function spellingsOf(
  ids: readonly string[],
  paymentOf: (id: string) => Promise<Payment>,
  ofForms: (forms: readonly string[]) => Promise<readonly string[]>,
): Promise<string[]> {
  const payments = await Promise.all(ids.map(paymentOf));
  const isKnown = (at: number): boolean => payments[at]?.paid !== undefined || payments[at]?.sum !== undefined;
  const known = ids.filter((_, at) => isKnown(at));
  if (known.length === ids.length) return known;
  const forms = ids.flatMap((id, at) => (isKnown(at) ? [] : [transactionForm(id)]));
  return [...new Set([...known, ...(await ofForms(forms))])];
}

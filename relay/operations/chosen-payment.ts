import type { OrderPaymentAnswer } from '../../shared/api/order-payment.ts';
import { ProblemError } from '../base/errors.ts';
import { paymentAnswers } from '../commit/payment-answer.ts';
import { type Context, refundedOf } from '../context/context.ts';
import { otherFormProblem } from '../context/transaction-form-problem.ts';
import { isOver } from '../payments/ledger/ledger.ts';
import { otherForm } from '../payments/operations/transaction-form.ts';
import type { StoredOrder } from '../payments/order.ts';

/**
 * The payment of an order that a request is about: the one with the given transaction_id, or the only payment that is
 * not over. A later charge of a contract is chosen only by its transaction_id, or if no other payment paid its order.
 * Throws ProblemError `not_paid` and `several_payments`, and StoreError.
 */
export async function chosenPayment(
  context: Context,
  order: StoredOrder,
  transactionId: string | undefined,
): Promise<OrderPaymentAnswer> {
  const payments = await paymentAnswers(context, order, await refundedOf(context, order));
  if (transactionId !== undefined) return namedPayment(payments, transactionId);
  const credited = payments.filter(({ origin }) => origin !== 'renewal');
  const meant = credited.length > 0 ? credited : payments;
  const left = meant.filter(({ status }) => !isOver(status));
  const [chosen, ...others] = left.length > 0 ? left : meant;
  if (!chosen) throw new ProblemError('not_paid', 'This order is not paid.');
  if (others.length > 0) throw severalPayments([chosen, ...others]);
  return chosen;
}

function namedPayment(payments: readonly OrderPaymentAnswer[], transactionId: string): OrderPaymentAnswer {
  const named = payments.find((payment) => payment.transaction_id === transactionId);
  if (named) return named;
  const path = 'transaction_id';
  const ids = payments.map((payment) => payment.transaction_id);
  const other = otherForm([transactionId], ids);
  if (other) throw otherFormProblem(path, other.known);
  throw new ProblemError('not_paid', 'This order was not paid by this transaction.', {
    errors: [{ path, message: ids.length > 0 ? `must be one of ${ids.join(', ')}` : 'is no payment of this order' }],
  });
}

function severalPayments(payments: readonly OrderPaymentAnswer[]): ProblemError {
  const transaction_ids = payments.map((payment) => payment.transaction_id);
  const known = transaction_ids.join(', ');
  return new ProblemError('several_payments', `This order was paid by several transactions: ${known}. Name one.`, {
    transaction_ids,
    errors: [{ path: 'transaction_id', message: `must be one of ${known}` }],
  });
}

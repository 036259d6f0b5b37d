import { paymentAnswers } from '../../../../relay/commit/payment-answer.ts';
import { type Context, refundedOf } from '../../../../relay/context/context.ts';
import * as right from '../../../../relay/operations/chosen-payment.ts';

/** Wrong: an operation on an order with several payments always uses the last payment. */
export const chosenPayment: typeof right.chosenPayment = async (context: Context, order, transactionId) => {
  const payments = await paymentAnswers(context, order, await refundedOf(context, order));
  return payments.at(-1) ?? right.chosenPayment(context, order, transactionId);
};

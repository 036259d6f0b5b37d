import { z } from 'zod';
import type { OrderActionName } from '../../shared/api/order-action.ts';
import type { OrderPaymentAnswer } from '../../shared/api/order-payment.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import { fromMinor, minorUnits } from '../../shared/gateway/amounts.ts';
import { type EffectName, operations } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { knownPayments } from '../commit/payment-answer.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../context/context.ts';
import { parseBody } from '../http/parse.ts';

/**
 * The default amounts of an operation: the part of the payment that can still be refunded or captured, or the amount of
 * the payment. If nothing is left, the default is larger, so that the store refuses the operation and names the reason.
 */
export function amountsOf(name: OrderActionName, payment: OrderPaymentAnswer): Message {
  const { amount, currency, refundable, capturable } = payment;
  const whole = minorUnits(amount, currency);
  const left = (sum: string): string => {
    const units = [minorUnits(sum, currency), whole].find((one) => one > 0n);
    return fromMinor(units ?? 1n, currency);
  };
  switch (name) {
    case 'refund':
      return { amount: fromMinor(whole, currency), refund_amount: left(refundable) };
    case 'capture':
      return { amount: left(capturable) };
    case 'cancel':
    case 'review':
      return { amount: fromMinor(whole, currency) };
  }
}

/**
 * Adds the missing fields of a batch's items from payments that the relay knows, and leaves other messages unchanged.
 * Throws ProblemError that names the missing fields of other items, and StoreError.
 */
export async function withDefaultAmounts(
  context: Context,
  account: Account,
  name: EffectName,
  message: Message,
): Promise<Message> {
  if (name === 'payout' || name === 'subscription_cancel') return message;
  const { list, item } = operations[name].batch;
  const fields = Object.keys(item.shape).filter((field) => /^(order_no|currency|(refund_)?amount)$/.test(field));
  const given: unknown = message[list];
  const items: Message[] = Array.isArray(given) ? given.filter(isObject) : [];
  const open = items.filter((one) => fields.some((field) => one[field] === undefined));
  if (open.length === 0) return message;
  const ids = [...new Set(open.map(({ transaction_id }) => String(transaction_id)))];
  const known = new Map(
    (await knownPayments(context, account.id, ids)).map((payment) => [payment.transaction_id, payment]),
  );
  const filled = items.map((one) => {
    const payment = known.get(String(one.transaction_id));
    if (!payment) return one;
    const { order_no, currency } = payment;
    // A request with the payment's amount must contain the refunded amount, too.
    const amounts = one.amount === undefined ? amountsOf(name, payment) : {};
    return { order_no, currency, ...amounts, ...one };
  });
  const whole = z.object({ [list]: z.array(item) });
  return { ...message, ...parseBody(whole, { [list]: filled }, { mayLift: true }) };
}

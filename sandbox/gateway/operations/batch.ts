import { sameAmount } from '../../../shared/gateway/amounts.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { ItemRefused } from '../base/item-refused.ts';
import type { Payment, Payments } from '../books/payments.ts';
import type { Answer } from './handler.ts';

export type Account = { merchant_id: string; account_id: string };

/** What every item of a batch names (§2.5, §2.6). */
export type Item = { transaction_id: string; order_no?: string | undefined; currency: string; amount: string };

type Batch<AnItem> = { list: string; limit: number; items: readonly AnItem[] };

/**
 * §2.7: the answer to a batch, with one result for each item, in their order. A batch over its limit (§8) is refused as a
 * whole, and nothing of it is done.
 */
export function answerBatch<AnItem>(
  { merchant_id, account_id }: Account,
  { list, limit, items }: Batch<AnItem>,
  resultOf: (item: AnItem) => Message,
): Answer {
  const account = { merchant_id, account_id };
  if (items.length > limit) {
    const return_message = `At most ${limit} orders in one request`;
    return { fields: { ...account, return_status: '0', return_message, [list]: [] } };
  }
  return { fields: { ...account, return_status: '1', return_message: 'OK', [list]: items.map(resultOf) } };
}

/** Does what an item asks for; gives what came of it, or why it is refused. */
export function tried<Done>(attempt: () => Done): Done | ItemRefused {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof ItemRefused) return error;
    throw error;
  }
}

/** Does what an item asks for; gives why it is refused, or undefined when it was done. */
export function whyRefused(attempt: () => unknown): ItemRefused | undefined {
  const done = tried(attempt);
  return done instanceof ItemRefused ? done : undefined;
}

/** What every result repeats of its item; the order's number from the books when the item does not name it. */
export function echoOf(item: Item, account: Account, payments: Payments) {
  const { transaction_id, currency, amount } = item;
  const payment = ownPayment(payments, account, transaction_id);
  return { transaction_id, order_no: item.order_no ?? payment?.order.order_no ?? '', currency, amount };
}

/** The approved payment that an item names. Throws ItemRefused when there is none, or when the item names it wrongly. */
export function approvedPayment(item: Item, account: Account, payments: Payments) {
  const payment = ownPayment(payments, account, item.transaction_id);
  if (!payment) throw new ItemRefused('V0001');
  if (item.order_no !== undefined && item.order_no !== payment.order.order_no) throw new ItemRefused('V0002');
  if (item.currency !== payment.order.currency) throw new ItemRefused('V0003');
  const { state } = payment;
  switch (state.status) {
    case 'undecided':
      throw new ItemRefused('V0001');
    case 'declined':
      throw new ItemRefused('V0005');
    case 'cancelled':
      throw new ItemRefused('V0006');
    case 'approved':
      return { payment, state };
  }
}

/** Throws ItemRefused when an item's amount is not the one that the payment was made with. */
export function checkOriginalAmount(item: Item, payment: Payment): void {
  if (!sameAmount(item.amount, payment.order.amount)) throw new ItemRefused('V0004');
}

function ownPayment(payments: Payments, account: Account, transaction_id: string): Payment | undefined {
  const payment = payments.withTransaction(transaction_id);
  return payment?.merchant_id === account.merchant_id && payment.account_id === account.account_id
    ? payment
    : undefined;
}

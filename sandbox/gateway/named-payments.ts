import { isObject } from '../../shared/checkout/is-object.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { split } from './base/filters.ts';
import type { Books } from './books/books.ts';
import type { Payment } from './books/payments.ts';
import type { Account } from './operations/batch.ts';

/** Where a form names payments by transaction_id, or by the refund_reference_id of a refund of theirs. */
const LISTS = ['trades', 'refund_orders', 'refund_references', 'merchant_refunds'];

/**
 * The payments of an account that a message is about without their order_no being in it: those that it, an item of its
 * batch or one of its lists names by what the gateway called them, and the first one of a subscription.
 */
export function namedPayments(
  message: Message,
  account: Account,
  books: Pick<Books, 'payments' | 'refunds' | 'contracts'>,
): Payment[] {
  const { payments, refunds, contracts } = books;
  const found = namesIn(message).flatMap((name) => [
    payments.withTransaction(name) ?? refunds.withReference(name)?.payment,
    contracts.firstPayment(name),
  ]);
  const own = found
    .filter((payment) => payment !== undefined)
    .filter(({ merchant_id, account_id }) => merchant_id === account.merchant_id && account_id === account.account_id);
  return [...new Set(own)];
}

function namesIn(message: Message): string[] {
  return Object.entries(message).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.flatMap((item: unknown) => (isObject(item) ? namesIn(item) : []));
    if (typeof value !== 'string') return [];
    if (name === 'transaction_id' || name === 'recurring_id') return [value];
    return LISTS.includes(name) ? split(value) : [];
  });
}

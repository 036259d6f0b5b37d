import type { OrderWithTimeline } from '../../../shared/api/order.ts';
import type { MoneyAction, MoneyItem } from '../../api/api.ts';
import { amountOf, isPossible, itemOf, maxOf, paymentIn, type SeenPayment } from '../../intent/money-action.ts';
import { added, compareAmounts } from '../../parts/amount.ts';

/** The plan for one order: the item to send and the payment as the person saw it, or why the order is left out. */
export type Planned = { orderNo: string } & (
  | { item: MoneyItem; seen: SeenPayment }
  | { leftOut: LeftOut | { rule: string } }
);

/** Why an order is left out. A rule about the amount has its own text. */
export type LeftOut = 'not_read' | 'nothing' | 'several';

/**
 * The plan for an order: the whole remaining amount of its only payment that allows the action. An order with several such payments
 * is left out, because a person must choose one.
 * @param order undefined if it could not be read
 * @param ruleOf why an amount must not be moved by this person
 */
export function planOf(
  action: MoneyAction,
  orderNo: string,
  order: OrderWithTimeline | undefined,
  ruleOf: (amount: string, currency: string) => string | undefined,
): Planned {
  if (!order) return { orderNo, leftOut: 'not_read' };
  const [payment, ...others] = order.payments.filter((one) => isPossible(action, order, one));
  const read = payment && paymentIn(order, action, payment.transaction_id);
  if (!read) return { orderNo, leftOut: 'nothing' };
  if (others.length > 0) return { orderNo, leftOut: 'several' };
  const part = maxOf(action, read);
  const rule = ruleOf(part, read.currency);
  if (rule !== undefined) return { orderNo, leftOut: { rule } };
  const { amount, capturable, refundable, counted, tries } = read;
  const seen = { amount, capturable, refundable, counted, tries };
  return { orderNo, item: itemOf(action, orderNo, read, part, ''), seen };
}

/** An item with the text for the whole batch: the reason of the refunds, or the flag of the reviews. */
export function withExtra(action: MoneyAction, item: MoneyItem, extra: string): MoneyItem {
  if (action === 'review') return { ...item, review_flag: extra };
  return action === 'refund' && extra !== '' ? { ...item, refund_reason: extra } : item;
}

/** The text for the batch of an item. */
export const extraOf = (item: MoneyItem | undefined): string => item?.refund_reason ?? item?.review_flag ?? '';

/** The sums of the items by currency. */
export function sumsOf(items: readonly MoneyItem[]): [currency: string, sum: string][] {
  const sums = new Map<string, string>();
  for (const item of items) sums.set(item.currency, added(sums.get(item.currency) ?? '0', amountOf(item)));
  return [...sums];
}

/** Whether a sum is so large that a person must confirm it by typing. */
export function isLarge(
  sums: readonly (readonly [string, string])[],
  above: Readonly<Record<string, string>>,
): boolean {
  return sums.some(([currency, sum]) => {
    const limit = above[currency];
    return limit !== undefined && compareAmounts(sum, limit) > 0;
  });
}

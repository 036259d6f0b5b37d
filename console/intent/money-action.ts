import type { OrderWithTimeline } from '../../shared/api/order.ts';
import type { Api, MoneyAction, MoneyItem } from '../api/api.ts';
import { Refused } from '../api/send.ts';
import { fill, type Words } from '../locales/words.ts';
import { added, compareAmounts, isNothing, isSame, subtracted } from '../parts/amount.ts';

/**
 * A payment, its sum of refunds (undecided ones included), and the number of earlier tries of the dialog's action on its order: two
 * people may have the same dialog open.
 */
export type Payment = OrderWithTimeline['payments'][number] & { counted: string; tries: number };

/** A payment as the person saw it. It is compared with the current payment before a request is sent. */
export type SeenPayment = Pick<Payment, 'amount' | 'capturable' | 'refundable' | 'counted' | 'tries'>;

/** The payment of a dialog, as its order shows it. */
export function paymentIn(order: OrderWithTimeline, action: MoneyAction, transactionId: string): Payment | undefined {
  const payment = order.payments.find(({ transaction_id }) => transaction_id === transactionId);
  const tries = order.timeline.filter((entry) => entry.type === 'operation' && entry.operation === action).length;
  return payment && { ...payment, counted: added(payment.refunded, payment.refund_undecided), tries };
}

/** The maximum amount that an action can move. */
export function maxOf(
  action: MoneyAction,
  { amount, capturable, refundable }: Pick<Payment, 'amount' | 'capturable' | 'refundable'>,
): string {
  return action === 'refund' ? refundable : action === 'capture' ? capturable : amount;
}

/** Whether the relay would send an action: the payment allows it, and no other action on it is undecided. */
export function isPossible(
  action: MoneyAction,
  { timeline }: Pick<OrderWithTimeline, 'timeline'>,
  payment: OrderWithTimeline['payments'][number],
): boolean {
  // An operation that is still being sent has no outcome.
  const isThere = (wanted: 'succeeded' | 'unknown', ...names: MoneyAction[]): boolean =>
    timeline.some(
      (entry) =>
        entry.type === 'operation' &&
        names.some((name) => name === entry.operation) &&
        entry.items.some(
          ({ outcome = 'unknown', request }) => outcome === wanted && request.transaction_id === payment.transaction_id,
        ),
    );
  const isEnded = payment.status === 'cancelled' || payment.status === 'rejected';
  switch (action) {
    case 'refund':
    case 'capture':
      return !isNothing(maxOf(action, payment)) && !isThere('unknown', 'cancel');
    case 'cancel':
      // A cancellation of the rest after a partial capture does not change the status.
      return !isEnded && !isThere('succeeded', 'cancel') && !isThere('unknown', 'cancel', 'capture', 'refund');
    case 'review':
      return !isEnded && !isThere('unknown', 'review');
  }
}

/** The fault of a typed amount; undefined if the amount can be moved. */
export function faultOf(
  { dialog }: Words,
  part: string | undefined,
  max: string,
  example: string,
  shown: (amount: string) => string,
): string | undefined {
  if (part === undefined || isNothing(part)) return fill(dialog.bad_amount, { example });
  return compareAmounts(part, max) > 0 ? fill(dialog.too_much, { max: shown(max) }) : undefined;
}

/** A change of the payment by another person since `before`; undefined if there is none. */
export function meanwhileOf(
  { dialog }: Words,
  before: SeenPayment,
  now: SeenPayment,
  shown: (amount: string) => string,
): string | undefined {
  if (compareAmounts(now.counted, before.counted) > 0) {
    return fill(dialog.refunded_meanwhile, { amount: shown(subtracted(now.counted, before.counted)) });
  }
  const isSameStill = (['amount', 'capturable', 'refundable'] as const).every((sum) => isSame(now[sum], before[sum]));
  return isSameStill && now.tries === before.tries ? undefined : dialog.changed_meanwhile;
}

/** The request body. */
export function itemOf(action: MoneyAction, orderNo: string, payment: Payment, part: string, extra: string): MoneyItem {
  const { transaction_id, currency, amount } = payment;
  const item = { transaction_id, order_no: orderNo, currency, amount };
  switch (action) {
    case 'refund':
      return {
        ...{ ...item, refund_amount: part, refunded: payment.counted },
        ...(extra === '' ? {} : { refund_reason: extra }),
      };
    case 'capture':
      return { ...item, amount: part };
    case 'cancel':
      return item;
    case 'review':
      return { ...item, review_flag: extra };
  }
}

/** The amount that an item moves. */
export const amountOf = ({ refund_amount, amount }: MoneyItem): string => refund_amount ?? amount;

/**
 * Reads the order once more before the request is sent. Throws Refused if the order cannot be read, or if `changeOf` finds a
 * change by another person.
 */
export async function checkUnchanged(
  api: Api,
  action: MoneyAction,
  item: MoneyItem,
  words: Words,
  changeOf: (now: Payment) => string | undefined,
): Promise<void> {
  const order = await api.order(item.order_no).catch(() => undefined);
  refuseChanged(order, action, item, words, changeOf);
}

/** Throws Refused if the order could not be read, or if `changeOf` finds a change. */
export function refuseChanged(
  order: OrderWithTimeline | undefined,
  action: MoneyAction,
  { transaction_id }: MoneyItem,
  words: Words,
  changeOf: (now: Payment) => string | undefined,
): void {
  const now = order && paymentIn(order, action, transaction_id);
  const detail = now ? changeOf(now) : words.not_loaded;
  if (detail === undefined) return;
  throw new Refused({ status: 409, code: 'changed', detail });
}

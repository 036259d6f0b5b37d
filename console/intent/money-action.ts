import type { OrderWithTimeline } from '../../shared/api/order.ts';
import type { Api, MoneyAction, MoneyItem } from '../api/api.ts';
import { Refused } from '../api/send.ts';
import { fill, type Words } from '../locales/words.ts';
import { added, compareAmounts, isNothing, isSame, subtracted } from '../parts/amount.ts';

/**
 * A payment, with all that counts as refunded of it, and how often what the dialog does was tried with its order: two people may have
 * the same dialog open.
 */
export type Payment = OrderWithTimeline['payments'][number] & { counted: string; tries: number };

/** What a person saw of a payment. It is compared with the payment before a request is sent. */
export type SeenPayment = Pick<Payment, 'amount' | 'capturable' | 'refundable' | 'counted' | 'tries'>;

/** The payment that a dialog is about, as its order shows it. */
export function paymentIn(order: OrderWithTimeline, action: MoneyAction, transactionId: string): Payment | undefined {
  const payment = order.payments.find(({ transaction_id }) => transaction_id === transactionId);
  const tries = order.timeline.filter((entry) => entry.type === 'operation' && entry.operation === action).length;
  return payment && { ...payment, counted: added(payment.refunded, payment.refund_undecided), tries };
}

/** The most that an action can move. */
export function mostOf(
  action: MoneyAction,
  { amount, capturable, refundable }: Pick<Payment, 'amount' | 'capturable' | 'refundable'>,
): string {
  return action === 'refund' ? refundable : action === 'capture' ? capturable : amount;
}

/** True for an action that the relay would send: the payment allows it, and it waits for no other one. */
export function isPossible(
  action: MoneyAction,
  { timeline }: Pick<OrderWithTimeline, 'timeline'>,
  payment: OrderWithTimeline['payments'][number],
): boolean {
  // A relay that is still sending it knows no outcome.
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
      return !isNothing(mostOf(action, payment)) && !isThere('unknown', 'cancel');
    case 'cancel':
      // One that ended the rest after a capture leaves the status as it was.
      return !isEnded && !isThere('succeeded', 'cancel') && !isThere('unknown', 'cancel', 'capture', 'refund');
    case 'review':
      return !isEnded && !isThere('unknown', 'review');
  }
}

/** What is wrong with an amount that was typed; undefined where it can be moved. */
export function faultOf(
  { dialog }: Words,
  part: string | undefined,
  most: string,
  example: string,
  shown: (amount: string) => string,
): string | undefined {
  if (part === undefined || isNothing(part)) return fill(dialog.bad_amount, { example });
  return compareAmounts(part, most) > 0 ? fill(dialog.too_much, { most: shown(most) }) : undefined;
}

/** What somebody else did to a payment since it looked so before; undefined where nobody did anything. */
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

/** What is sent. */
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
 * Reads the order once more, at the last moment. Throws Refused, for nothing was sent, where it cannot be read or where
 * `changeOf` tells that somebody else was faster.
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

/** Throws Refused for an order that was not read, or whose payment changed as `changeOf` tells. */
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

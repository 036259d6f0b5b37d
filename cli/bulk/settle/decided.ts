import type { OrderWithTimeline } from '../../../client/index.ts';
import { sameAmount } from '../../../shared/gateway/amounts.ts';
import type { Item } from '../file/layout.ts';
import { isOfPayment, UNDECIDED } from './layout.ts';

/** The decisions that the relay has of an order: the last one of each session, and of each payment. */
export type Decided = {
  sessions: readonly Pick<OrderWithTimeline['sessions'][number], 'settled'>[];
  payments: readonly Pick<OrderWithTimeline['payments'][number], 'transaction_id' | 'settled'>[];
};

type Decision = {
  at: string;
  note: string;
  outcome?: string | undefined;
  transaction_id?: string | undefined;
  amount?: string | undefined;
  currency?: string | undefined;
};

/**
 * The time of the decision of a row, if the relay has it with the same note: about the row's payment, or through any session of the
 * order. The order may have a later session, which the decision is not about.
 */
export function decidedAt({ sessions, payments }: Decided, item: Item): string | undefined {
  const decisions: Decision[] = isOfPayment(item.decision)
    ? payments.flatMap(({ transaction_id, settled }) => (settled ? [{ ...settled, transaction_id }] : []))
    : sessions.flatMap(({ settled }) => settled ?? []);
  return decisions.find((decision) => isOf(decision, item))?.at;
}

const open: readonly string[] = ['redirected', 'pending', 'unknown'];

/** The undecided attempts of an order. */
export function undecidedAttempts({ sessions }: Pick<OrderWithTimeline, 'sessions'>) {
  return sessions.flatMap(({ attempts }) => attempts.filter(({ status }) => open.includes(status)));
}

/** What a decision is about: the undecided attempts of the order, or the state of the payment that was decided last. */
export function undecidedOf(order: OrderWithTimeline, { decision, transaction_id }: Item): string {
  if (!isOfPayment(decision))
    return undecidedAttempts(order)
      .map(({ id }) => id)
      .join(' ');
  const payment = order.payments.find((one) => one.transaction_id === transaction_id);
  return payment ? [payment.status, payment.settled?.at ?? ''].join(' ').trim() : '';
}

/** Why a decision must not be sent: something else is undecided than when its order was looked up. Undefined if it may be sent. */
export function changedSince(order: OrderWithTimeline, item: Item): string | undefined {
  if (undecidedOf(order, item) === (item[UNDECIDED] ?? '')) return undefined;
  return 'the order changed since it was looked up: look at it again, then run the command again';
}

function isOf(made: Decision, { decision, note, transaction_id, amount, currency }: Item): boolean {
  const isSame = made.outcome === decision && made.note === note && made.transaction_id === transaction_id;
  const isSameSum = amount === undefined || sameAmount(amount, made.amount ?? '');
  return isSame && isSameSum && (currency === undefined || currency === made.currency);
}

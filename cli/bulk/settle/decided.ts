import type { OrderWithTimeline } from '../../../client/index.ts';
import { sameAmount } from '../../../shared/gateway/amounts.ts';
import type { Item } from '../file/layout.ts';
import { isOfPayment } from './layout.ts';

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

function isOf(made: Decision, { decision, note, transaction_id, amount, currency }: Item): boolean {
  const isSame = made.outcome === decision && made.note === note && made.transaction_id === transaction_id;
  const isSameSum = amount === undefined || sameAmount(amount, made.amount ?? '');
  return isSame && isSameSum && (currency === undefined || currency === made.currency);
}

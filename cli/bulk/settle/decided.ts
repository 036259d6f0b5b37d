import type { Client, OperationAnswer, OrderWithTimeline } from '../../../client/index.ts';
import { sameAmount } from '../../../shared/gateway/amounts.ts';
import { list } from '../../base/options.ts';
import type { Item } from '../file/layout.ts';
import { isOfOperation, isOfPayment, UNDECIDED } from './layout.ts';

/** The subject of a decision: an order or an operation, in its current state at the relay. */
export type Subject = { kind: 'order'; order: OrderWithTimeline } | { kind: 'operation'; operation: OperationAnswer };

/** Reads the subject of a decision. Rejects as the client does. */
export async function readSubject(
  client: Client,
  { order_no = '', operation_id = '', decision }: Item,
): Promise<Subject> {
  if (isOfOperation(decision)) return { kind: 'operation', operation: await client.operations.get(operation_id) };
  return { kind: 'order', order: await client.orders.get(order_no) };
}

/** The time of the decision of a row, if the relay has it with the same note. */
export function decidedAt(subject: Subject, item: Item): string | undefined {
  return subject.kind === 'order' ? orderDecidedAt(subject.order, item) : operationDecidedAt(subject.operation, item);
}

/** Why a decision must not be sent. Undefined if it may be sent. */
export function notToBeSent(subject: Subject, item: Item): string | undefined {
  return subject.kind === 'order' ? changedSince(subject.order, item) : stillRunning(subject.operation);
}

/** Why an operation cannot be decided yet. */
export function stillRunning({ status }: Pick<OperationAnswer, 'status'>): string | undefined {
  return status === 'in_flight' ? 'is still running: run the command again in a moment' : undefined;
}

function operationDecidedAt({ settlement, settled_at }: OperationAnswer, item: Item): string | undefined {
  if (settlement?.by !== 'person' || settlement.note !== item.note) return undefined;
  const items = item.items === undefined ? undefined : list.parse(item.items);
  const isSame = settlement.items.every((outcome, at) => outcome === (items ? items[at] : item.decision));
  return isSame ? settled_at : undefined;
}

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
 * The time of the decision of a row, if the relay has it with the same note: for the row's payment, or for any session of the order,
 * because the order may have a later session.
 */
export function orderDecidedAt({ sessions, payments }: Decided, item: Item): string | undefined {
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

/** Identifies what a decision decides: the undecided attempts of the order, or the status and last decision of the payment. */
export function undecidedOf(order: OrderWithTimeline, { decision, transaction_id }: Item): string {
  if (!isOfPayment(decision))
    return undecidedAttempts(order)
      .map(({ id }) => id)
      .join(' ');
  const payment = order.payments.find((one) => one.transaction_id === transaction_id);
  return payment ? [payment.status, payment.settled?.at ?? ''].join(' ').trim() : '';
}

/** Returns why a decision must not be sent: what is undecided of its order has changed since it was looked up. */
function changedSince(order: OrderWithTimeline, item: Item): string | undefined {
  if (undecidedOf(order, item) === (item[UNDECIDED] ?? '')) return undefined;
  return 'the order changed since it was looked up: look at it again, then run the command again';
}

function isOf(made: Decision, { decision, note, transaction_id, amount, currency }: Item): boolean {
  const isSame = made.outcome === decision && made.note === note && made.transaction_id === transaction_id;
  const isSameSum = amount === undefined || sameAmount(amount, made.amount ?? '');
  return isSame && isSameSum && (currency === undefined || currency === made.currency);
}

import type { PaymentEventType } from '../../shared/api/webhook.ts';
import { minorUnits } from '../../shared/gateway/amounts.ts';
import type { Context } from '../context/context.ts';
import { historiesOf } from '../context/histories.ts';
import {
  historyIn,
  type PaymentHistory,
  type PaymentOperationName,
  paymentOperationsIn,
  refundsIn,
} from '../payments/ledger/payment-operation.ts';
import { countedRefunds, refundItems } from '../payments/operations/counted-refunds.ts';
import { itemsOf, outcomeAt, type StoredOperation } from '../payments/operations/operation.ts';
import type { OrderAsRead } from '../store/facets/operations.ts';
import type { NewEvent } from '../store/facets/outbox.ts';
import { paymentEvents } from './payment-events.ts';

/** The changes of orders by an operation's end: the versions that were read, and the webhooks about their payments. */
type Changes = { orders: OrderAsRead[]; events: NewEvent[] };

/** An item of an operation on a payment, and whether it succeeded. `flag` is the review_flag of a review. */
type Decided = { transaction_id: string; name: PaymentOperationName | 'refund'; flag: string; isDone: boolean };

/**
 * The changes of known orders by an operation, to be written with it. They are written only if these orders have the versions that were
 * read, so that each webhook shows the present payment. After a review, a cancellation or a failed refund the order is queried. Throws
 * StoreError.
 */
export async function paymentChanges(
  context: Context,
  before: StoredOperation,
  after: StoredOperation,
): Promise<Changes> {
  const { account, id, metadata } = after;
  const decided = decidedIn(before, after);
  const ids = [...new Set(decided.map(({ transaction_id }) => transaction_id))];
  if (ids.length === 0) return { orders: [], events: [] };
  const numbers = await context.store.operations.ordersPaidBy(account, ids);
  const orders = await context.store.orders.getMany(account, [...new Set(numbers)]);
  // Read after the orders, because an operation that ends meanwhile also writes its orders.
  const known = await historiesOf(context, account, ids);
  const histories = new Map(ids.map((one) => [one, withEnd(historyIn(known, one), one, before, after)]));
  // A query may report the payment's record now.
  const hasFailed = decided.some(({ isDone }) => !isDone);
  const { reject } = context.config.gateway.profile.codes.review_flag;
  const isToBeAsked = after.name === 'review' || after.name === 'cancel' || (after.name === 'refund' && hasFailed);
  const due = isToBeAsked ? { due: context.now().toISOString() } : {};
  const changes: Changes = { orders: [], events: [] };
  for (const order of orders) {
    // An order may be deleted before the index of its transactions.
    const own = decided.filter((one) =>
      order.payments.some(({ transaction_id }) => transaction_id === one.transaction_id),
    );
    if (own.length === 0) continue;
    const about = { operation_id: id, ...(metadata ? { metadata } : {}) };
    const events = own
      .filter(({ isDone }) => isDone)
      .map((one) => ({ type: eventOf(one, reject), transaction_id: one.transaction_id, ...about }));
    const { order_no, version } = order;
    changes.events.push(...(await paymentEvents(context, order, events, histories)));
    changes.orders.push({ account, order_no, version, ...due });
  }
  return changes;
}

/** The items of an operation on payments whose outcome is known from now on. */
function decidedIn(before: StoredOperation, after: StoredOperation): Decided[] {
  const { name } = after;
  if (name !== 'refund' && name !== 'capture' && name !== 'cancel' && name !== 'review') return [];
  return itemsOf(after).flatMap(({ transaction_id, review_flag }, at): Decided[] => {
    const [was, outcome] = [outcomeAt(before.state, at), outcomeAt(after.state, at)];
    if (outcome === 'unknown' || outcome === was || typeof transaction_id !== 'string') return [];
    return [{ transaction_id, name, flag: String(review_flag), isDone: outcome === 'succeeded' }];
  });
}

function eventOf({ name, flag }: Decided, rejects: readonly string[]): PaymentEventType {
  switch (name) {
    case 'refund':
      return 'payment.refunded';
    case 'capture':
      return 'payment.captured';
    case 'cancel':
      return 'payment.cancelled';
    case 'review':
      return rejects.includes(flag) ? 'payment.rejected' : 'payment.accepted';
  }
}

/** The history of a payment after the end of this operation. */
function withEnd(
  { operations, refunds, taken }: PaymentHistory,
  id: string,
  before: StoredOperation,
  after: StoredOperation,
): PaymentHistory {
  const others = <One extends { operation_id: string }>(all: readonly One[]): One[] =>
    all.filter(({ operation_id }) => operation_id !== after.id);
  const own = paymentOperationsIn(after).filter(({ transaction_id }) => transaction_id === id);
  const [was, is] = [countedRefunds(before), countedRefunds(after)];
  const change = refundItems(after.request).reduce((sum, item, at) => {
    if (item.transaction_id !== id) return sum;
    const [counted, counts] = [was[at] ?? true, is[at] ?? was[at] ?? true];
    if (counted === counts) return sum;
    const amount = minorUnits(item.refund_amount, item.currency);
    return counts ? sum + amount : sum - amount;
  }, 0n);
  return {
    operations: [...others(operations), ...own],
    refunds: [...others(refunds), ...refundsIn([after], id)],
    taken: taken + change,
  };
}

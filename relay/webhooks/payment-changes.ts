import type { PaymentEventType } from '../../shared/api/webhook.ts';
import { minorUnits } from '../../shared/gateway/amounts.ts';
import type { Context } from '../context/context.ts';
import { historiesOf } from '../context/histories.ts';
import {
  historyIn,
  type PaymentHistory,
  paymentOperationsIn,
  refundsIn,
} from '../payments/ledger/payment-operation.ts';
import { itemsOf, outcomeAt, type StoredOperation } from '../payments/operations/operation.ts';
import { countedRefunds, refundItems } from '../payments/operations/refund-rule.ts';
import type { OrderAsRead } from '../store/facets/operations.ts';
import type { NewEvent } from '../store/facets/outbox.ts';
import { paymentEvents } from './payment-events.ts';

/** What an operation's end changes of orders: their versions as they were read, and the webhooks about their payments. */
type Changes = { orders: OrderAsRead[]; events: NewEvent[] };

/** What an item of an operation did to a payment. */
type Done = { transaction_id: string; type: PaymentEventType };

/**
 * What an operation did to payments of known orders, to be written with it: it is written only if these orders are still as they were
 * read, so that each webhook tells the payment as it stands. After a review, a cancellation
 * and a refund that failed the gateway is asked about the order. Throws StoreError.
 */
export async function paymentChanges(
  context: Context,
  before: StoredOperation,
  after: StoredOperation,
): Promise<Changes> {
  const { account, id, metadata } = after;
  const done = doneIn(context, before, after);
  const ids = decidedIn(before, after);
  if (ids.length === 0) return { orders: [], events: [] };
  const numbers = await context.store.operations.ordersPaidBy(account, ids);
  const orders = await context.store.orders.getMany(account, [...new Set(numbers)]);
  // Read after the orders: an operation that ends meanwhile is a write of its orders, too.
  const known = await historiesOf(context, account, ids);
  const histories = new Map(ids.map((one) => [one, withEnd(historyIn(known, one), one, before, after)]));
  // What a record said of the payment meanwhile may be told now.
  const hasFailed = itemsOf(after).some((_, at) => outcomeAt(after.state, at) === 'failed');
  const isToBeAsked = after.name === 'review' || after.name === 'cancel' || (after.name === 'refund' && hasFailed);
  const due = isToBeAsked ? { due: context.now().toISOString() } : {};
  const changes: Changes = { orders: [], events: [] };
  for (const order of orders) {
    const own = done.filter(({ transaction_id }) =>
      order.payments.some((one) => one.transaction_id === transaction_id),
    );
    // An order may be deleted before what its transactions paid is forgotten.
    if (!order.payments.some(({ transaction_id }) => ids.includes(transaction_id))) continue;
    const told = own.map((one) => ({ ...one, operation_id: id, ...(metadata ? { metadata } : {}) }));
    const { order_no, version } = order;
    changes.events.push(...(await paymentEvents(context, order, told, histories)));
    changes.orders.push({ account, order_no, version, ...due });
  }
  return changes;
}

/** The payments of items whose outcome is known from now on. */
function decidedIn(before: StoredOperation, after: StoredOperation): string[] {
  const { name } = after;
  if (name !== 'refund' && name !== 'capture' && name !== 'cancel' && name !== 'review') return [];
  const decided = itemsOf(after).flatMap(({ transaction_id }, at) => {
    const [was, is] = [outcomeAt(before.state, at), outcomeAt(after.state, at)];
    return is !== 'unknown' && is !== was && typeof transaction_id === 'string' ? [transaction_id] : [];
  });
  return [...new Set(decided)];
}

/** The items of an operation that are known to have succeeded from now on. */
function doneIn({ config }: Context, before: StoredOperation, after: StoredOperation): Done[] {
  const { reject } = config.gateway.profile.codes.review_flag;
  return itemsOf(after).flatMap(({ transaction_id, review_flag }, at): Done[] => {
    const isNew = outcomeAt(after.state, at) === 'succeeded' && outcomeAt(before.state, at) !== 'succeeded';
    if (!isNew || typeof transaction_id !== 'string') return [];
    switch (after.name) {
      case 'refund':
        return [{ transaction_id, type: 'payment.refunded' }];
      case 'capture':
        return [{ transaction_id, type: 'payment.captured' }];
      case 'cancel':
        return [{ transaction_id, type: 'payment.cancelled' }];
      case 'review':
        return [
          { transaction_id, type: reject.includes(String(review_flag)) ? 'payment.rejected' : 'payment.accepted' },
        ];
      default:
        return [];
    }
  });
}

/** What operations did to a payment once this one is written as it is after its end. */
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

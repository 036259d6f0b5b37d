import type { Metadata } from '../../shared/checkout/metadata.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import { historiesOf } from '../context/histories.ts';
import { type Histories, historyIn } from '../payments/ledger/payment-operation.ts';
import type { OrderPayment, StoredOrder } from '../payments/order.ts';
import type { PaymentEvent } from '../payments/transitions.ts';
import type { NewEvent } from '../store/facets/outbox.ts';
import { newEvent } from './new-event.ts';
import { paymentAnswer } from './payment-answer.ts';

/** The operation of an event. */
type ByOperation = { operation_id?: string; metadata?: Metadata };

/**
 * The webhooks of an order's payments, to be written with the order. If the order is still as it was read, no operation
 * on its payments has ended since. Throws StoreError.
 * @param histories the operations on the payments, read after the order; they are read if left out
 */
export async function paymentEvents(
  context: Context,
  order: StoredOrder,
  events: readonly (PaymentEvent & ByOperation)[],
  histories?: Histories,
): Promise<NewEvent[]> {
  if (events.length === 0) return [];
  const ids = events.map(({ transaction_id }) => transaction_id);
  const known = histories ?? (await historiesOf(context, order.account, ids));
  const rules = rulesOf(context.config);
  return events.flatMap(({ type, transaction_id, ...more }) => {
    const payment = order.payments.find((one) => one.transaction_id === transaction_id);
    if (!payment) return [];
    const answer = paymentAnswer(order, payment, historyIn(known, transaction_id), rules);
    return newEvent(context, subjectOf(order, payment), type, { order_no: order.order_no, payment: answer, ...more });
  });
}

/** Events of a payment are delivered in order, after those of its session. */
function subjectOf({ account, attempts }: StoredOrder, { attempt_id, transaction_id }: OrderPayment) {
  const id = attempts.find((one) => one.id === attempt_id)?.session_id ?? transaction_id;
  return { account, id };
}

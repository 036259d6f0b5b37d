import type { OrderAnswer } from '../../shared/api/order.ts';
import type { Order, OrderHold } from '../payments/order.ts';
import type { Refunded } from '../store/refunded.ts';
import { sessionAnswer } from './session-answer.ts';

/** An order as its shop sees it. */
export function orderAnswer(order: Order, now: Date, refunded: Refunded): OrderAnswer {
  const { order_no, hold, payments, queries, next_query_at, sessions, attempts } = order;
  return {
    order_no,
    status: orderStatus(hold),
    payments: payments.map(({ transaction_id, amount, currency, attempt_id, proof }) => {
      const session_id = attempts.find(({ id }) => id === attempt_id)?.session_id;
      return {
        transaction_id,
        amount,
        currency,
        ...(session_id === undefined ? {} : { session_id }),
        ...(attempt_id === undefined ? {} : { attempt_id }),
        proof,
      };
    }),
    ...(queries.last ? { last_query: queries.last } : {}),
    ...(next_query_at === undefined ? {} : { next_query_at }),
    sessions: sessions.map((session) => sessionAnswer(order, session, now, refunded)),
  };
}

/** Whether somebody may pay an order, pays it, or has paid it. */
export function orderStatus(hold: OrderHold): OrderAnswer['status'] {
  return statuses[hold];
}

const statuses: Record<OrderHold, OrderAnswer['status']> = { free: 'open', held: 'in_progress', paid: 'paid' };

import type { Attempt } from '../payments/attempt.ts';
import { type Order, sumOf } from '../payments/order.ts';
import { needsPerson } from '../payments/session.ts';
import type { ListedOrder } from '../store/listing.ts';
import { orderStatus } from '../webhooks/order-answer.ts';

/** An order in one line; undefined where no session of it is left. Its `created_at` is that of its oldest session. */
export function summaryOf(order: Order): ListedOrder | undefined {
  const { order_no, hold, sessions, attempts, payments } = order;
  const [first] = sessions;
  const shown = sessions.findLast(({ state }) => state.status === 'approved') ?? sessions.at(-1);
  if (!first || !shown) return undefined;
  const [payment] = payments;
  const { amount, currency } = payment ?? sumOf(shown, attempts);
  const attempt = attempts.find(({ id }) => id === payment?.attempt_id) ?? attempts.at(-1);
  const transaction_id = payment?.transaction_id ?? attempt?.transaction_id;
  const card = attempt && cardOf(order, attempt);
  const paid = payments.filter((one) => one.currency === currency).map((one) => one.transaction_id);
  return {
    order_no,
    status: orderStatus(hold),
    created_at: first.created_at,
    amount,
    currency,
    ...(attempt ? { payment_method: attempt.method } : {}),
    ...(card ? { card } : {}),
    ...(transaction_id ? { transaction_id } : {}),
    session_id: shown.id,
    session_status: shown.state.status,
    needs_attention: sessions.some(needsPerson),
    ...(paid.length > 0 ? { payments: paid } : {}),
  };
}

/** The card of an attempt, masked; of one with a token as the gateway told it. */
function cardOf({ sessions }: Order, { id, card }: Attempt): string | undefined {
  if (card !== undefined) return card;
  const told = sessions.find(({ state }) => state.status === 'approved' && state.attempt_id === id)?.state;
  return told?.status === 'approved' ? told.card : undefined;
}

import type { OrderSummary } from '../../shared/api/order.ts';
import { maskedEmail } from '../../shared/checkout/fields/email.ts';
import { fromMinor } from '../../shared/gateway/amounts.ts';
import { decidingPayment, orderStatusOf, type Standing, standingsOf } from '../payments/ledger/order-status.ts';
import { type Histories, historyIn } from '../payments/ledger/payment-operation.ts';
import { alarmOf, captureDueAt } from '../payments/ledger/standing.ts';
import { isRenewal, type PaymentRules, type StoredOrder, sumOf } from '../payments/order.ts';
import { needsPerson, type Session } from '../payments/session.ts';
import { failingContracts } from '../payments/settlement/contracts.ts';
import { cardOf } from '../webhooks/payment-answer.ts';

/** By what an order is described: what operations did to its payments, the rules, and the time. */
export type Seen = { histories: Histories; rules: PaymentRules; now: Date };

/**
 * An order in one line; undefined where no session of it is left, and none of its payments is of a contract. Its `created_at` is that of
 * its oldest session, or of its first payment.
 */
export function summaryOf(order: StoredOrder, seen: Seen): OrderSummary | undefined {
  const { histories, rules } = seen;
  const { order_no, sessions, attempts, payments } = order;
  const [first] = sessions;
  const shown = sessions.findLast(({ state }) => state.status === 'approved') ?? sessions.at(-1);
  const standings = standingsOf(order, histories, rules);
  const payment = decidingPayment(standings)?.payment;
  const isOfContract = payments.some(({ recurring_id }) => recurring_id !== undefined);
  const sum = payment ?? (shown && sumOf(shown, attempts));
  const created_at = first?.created_at ?? (isOfContract ? payment?.date : undefined);
  if (!sum || created_at === undefined) return undefined;
  const { amount, currency } = sum;
  const attempt = attempts.find(({ id }) => id === payment?.attempt_id) ?? attempts.at(-1);
  const transaction_id = payment?.transaction_id ?? attempt?.transaction_id;
  const payment_method = attempt?.method ?? payment?.method;
  const card = attempt && cardOf(order, attempt);
  const own = standings.filter((one) => one.payment.currency === currency);
  const total = (of: (one: (typeof own)[number]) => bigint): string =>
    fromMinor(
      own.reduce((sum, one) => sum + of(one), 0n),
      currency,
    );
  const declined = attempts.findLast(({ state }) => state.status === 'declined')?.state;
  const email = sessions.map(emailOf).findLast((one) => one !== undefined);
  return {
    order_no,
    status: orderStatusOf(order, histories, rules),
    created_at,
    amount,
    currency,
    ...(payment_method ? { payment_method } : {}),
    ...(card ? { card } : {}),
    ...(transaction_id ? { transaction_id } : {}),
    ...(shown ? { session_id: shown.id, session_status: shown.state.status } : {}),
    needs_attention: needsAttention(order, standings, seen),
    refunded: total(({ payment }) => historyIn(histories, payment.transaction_id).taken),
    refund_undecided: total((one) => one.refund_undecided),
    captured: total((one) => one.captured),
    refundable: total((one) => one.refundable),
    ...(declined?.status === 'declined' ? { decline_code: declined.result.code } : {}),
    ...(email === undefined ? {} : { shopper_email: maskedEmail(email) }),
  };
}

function emailOf({ terms: { order } }: Session): string | undefined {
  return order.shopper_email ?? order.person?.email;
}

/** Whether a person must look at an order: at a session or payment of it, or at a charge of a contract that it began. */
function needsAttention(order: StoredOrder, standings: readonly Standing[], { rules, now }: Seen): boolean {
  const { sessions, payments } = order;
  return (
    sessions.some(needsPerson) ||
    payments.some((one) => one.also_paid !== undefined || (isRenewal(one) && alarmOf(one) !== undefined)) ||
    failingContracts(order).length > 0 ||
    standings.some(({ payment, status }) => {
      const due = captureDueAt(payment, status, rules);
      return due !== undefined && Date.parse(due) <= now.getTime();
    })
  );
}

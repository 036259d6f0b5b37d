import type { OrderSummary } from '../../shared/api/order.ts';
import { maskedEmail } from '../../shared/checkout/fields/email.ts';
import { fromMinor } from '../../shared/gateway/amounts.ts';
import { cardOf } from '../commit/payment-answer.ts';
import { amountDue } from '../payments/amount-due.ts';
import type { Attempt } from '../payments/attempt.ts';
import { decidingPayment, orderStatusOf, type StandingPayment } from '../payments/ledger/order-status.ts';
import { alarmOf, captureDueAt } from '../payments/ledger/standing.ts';
import { isRenewal, type OrderPayment, type PaymentRules, type StoredOrder } from '../payments/order.ts';
import { needsPerson, type Session } from '../payments/session.ts';
import { failingContracts } from '../payments/settlement/contracts.ts';

/** The inputs of an order's description: the standings of its payments, the rules, and the time. */
export type SummaryFacts = { standings: readonly StandingPayment[]; rules: PaymentRules; now: Date };

/** The values by which an order is listed. */
type Headline = Pick<
  OrderSummary,
  | ('order_no' | 'status' | 'created_at' | 'amount' | 'currency' | 'payment_method' | 'transaction_id')
  | ('session_id' | 'session_status' | 'needs_attention')
>;

/**
 * The values by which an order is listed; undefined if it has no session and no payment of a contract. `created_at` is
 * the creation of its oldest session, or the time of its first payment.
 */
export function headlineOf(order: StoredOrder, facts: SummaryFacts): Headline | undefined {
  const { standings } = facts;
  const { order_no, sessions, attempts, payments } = order;
  const [first] = sessions;
  const shown = sessions.findLast(({ state }) => state.status === 'approved') ?? sessions.at(-1);
  const payment = decidingPayment(standings)?.payment;
  const isOfContract = payments.some(({ recurring_id }) => recurring_id !== undefined);
  const sum = payment ?? (shown && amountDue(shown, attempts));
  const created_at = first?.created_at ?? (isOfContract ? payment?.date : undefined);
  if (!sum || created_at === undefined) return undefined;
  const { amount, currency } = sum;
  const attempt = shownAttempt(order, payment);
  const transaction_id = payment?.transaction_id ?? attempt?.transaction_id;
  const payment_method = attempt?.method ?? payment?.method;
  return {
    order_no,
    status: orderStatusOf(order, standings),
    created_at,
    amount,
    currency,
    ...(payment_method ? { payment_method } : {}),
    ...(transaction_id ? { transaction_id } : {}),
    ...(shown ? { session_id: shown.id, session_status: shown.state.status } : {}),
    needs_attention: needsAttention(order, facts),
  };
}

/** An order in one line; undefined if it is not listed. */
export function summaryOf(order: StoredOrder, facts: SummaryFacts): OrderSummary | undefined {
  const headline = headlineOf(order, facts);
  if (!headline) return undefined;
  const { standings } = facts;
  const { currency } = headline;
  const attempt = shownAttempt(order, decidingPayment(standings)?.payment);
  const card = attempt && cardOf(order, attempt);
  const own = standings.filter((one) => one.payment.currency === currency);
  const total = (of: (one: StandingPayment) => bigint): string =>
    fromMinor(
      own.reduce((sum, one) => sum + of(one), 0n),
      currency,
    );
  const declined = order.attempts.findLast(({ state }) => state.status === 'declined')?.state;
  const email = order.sessions.map(emailOf).findLast((one) => one !== undefined);
  return {
    ...headline,
    ...(card ? { card } : {}),
    refunded: total((one) => one.refunded + one.refund_undecided),
    refund_undecided: total((one) => one.refund_undecided),
    captured: total((one) => one.captured),
    refundable: total((one) => one.refundable),
    ...(declined?.status === 'declined' ? { decline_code: declined.result.code } : {}),
    ...(email === undefined ? {} : { shopper_email: maskedEmail(email) }),
  };
}

/** The attempt that paid, otherwise the last one. */
function shownAttempt({ attempts }: StoredOrder, payment: OrderPayment | undefined): Attempt | undefined {
  return attempts.find(({ id }) => id === payment?.attempt_id) ?? attempts.at(-1);
}

function emailOf({ terms: { order } }: Session): string | undefined {
  return order.shopper_email ?? order.person?.email;
}

/** Whether an order needs a person, because of a session, a payment, or a charge of its contract. */
function needsAttention(order: StoredOrder, { standings, rules, now }: SummaryFacts): boolean {
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

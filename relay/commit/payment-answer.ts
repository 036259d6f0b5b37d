import type { OrderPaymentAnswer, PaymentStatus } from '../../shared/api/order-payment.ts';
import { fromMinor } from '../../shared/gateway/amounts.ts';
import { rulesOf } from '../config/rules.ts';
import { type Context, type Refunded, refundedOf } from '../context/context.ts';
import { historiesOf } from '../context/histories.ts';
import type { Attempt } from '../payments/attempt.ts';
import { methodOf } from '../payments/ledger/ledger.ts';
import {
  type Histories,
  historyIn,
  type PaymentHistory,
  type PaymentOperation,
  type PaymentRefund,
} from '../payments/ledger/payment-operation.ts';
import { decisionOn, standingOf } from '../payments/ledger/standing.ts';
import { type OrderPayment, type PaymentRules, type StoredOrder, transactionIdsOf } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { metadataOf, provedAnswer } from './session-answer.ts';

/**
 * The payments of an order, each with its status and its sums. Throws StoreError.
 * @param refunded the refunded sums from before this call
 */
export async function paymentAnswers(
  context: Context,
  order: StoredOrder,
  refunded: Refunded,
): Promise<OrderPaymentAnswer[]> {
  const ids = transactionIdsOf(order);
  return paymentsAnswer(order, await historiesOf(context, order.account, ids, refunded), rulesOf(context.config));
}

/** The payments of an order, each with its status and its sums. */
export function paymentsAnswer(order: StoredOrder, histories: Histories, rules: PaymentRules): OrderPaymentAnswer[] {
  return order.payments.map((payment) =>
    paymentAnswer(order, payment, historyIn(histories, payment.transaction_id), rules),
  );
}

/** The payments of an account by these transactions, as far as the relay knows them. Throws StoreError. */
export async function knownPayments(
  context: Context,
  account: string,
  transactionIds: readonly string[],
): Promise<OrderPaymentAnswer[]> {
  const { operations, orders } = context.store;
  const paid = await operations.ordersPaidBy(account, transactionIds);
  const all = (await orders.getMany(account, [...new Set(paid)])).map(async (order) =>
    paymentAnswers(context, order, await refundedOf(context, order)),
  );
  return (await Promise.all(all)).flat().filter(({ transaction_id }) => transactionIds.includes(transaction_id));
}

/** A payment of an order, with its status and its sums. */
export function paymentAnswer(
  order: StoredOrder,
  payment: OrderPayment,
  history: PaymentHistory,
  rules: PaymentRules,
): OrderPaymentAnswer {
  const { status, ...sums } = standingOf(order, payment, history, rules);
  const attempt = order.attempts.find(({ id }) => id === payment.attempt_id);
  const card = attempt && cardOf(order, attempt);
  const method = methodOf(order, payment);
  const session = order.sessions.find(({ id }) => id === attempt?.session_id);
  const { currency, recurring_id } = payment;
  const gateway = gatewayAnswer(payment, session);
  return {
    ...provedAnswer(order, payment),
    status,
    ...(method === undefined ? {} : { method }),
    ...(card ? { card } : {}),
    ...(recurring_id ? { recurring_id } : {}),
    order_no: order.order_no,
    ...originOf(payment, session),
    ...(session && metadataOf(session)),
    paid_at: payment.date,
    credited: payment.attempt_id !== undefined,
    captured: fromMinor(sums.captured, currency),
    capturable: fromMinor(sums.capturable, currency),
    refunded: fromMinor(sums.refunded, currency),
    refund_undecided: fromMinor(sums.refund_undecided, currency),
    refundable: fromMinor(sums.refundable, currency),
    ...(gateway ? { gateway } : {}),
    ...reversedAt(payment, status),
    ...(payment.decided ? { settled: settledAnswer(payment.decided) } : {}),
    operations: [...history.operations, ...history.refunds].map(listedOperation).sort(byOperation),
  };
}

/** The source of a payment; unknown once its session is deleted. */
function originOf({ origin }: OrderPayment, session: Session | undefined): Pick<OrderPaymentAnswer, 'origin'> {
  if (origin) return { origin };
  return session ? { origin: session.terms.single ? 'server' : 'checkout' } : {};
}

/** Since when a payment is reversed. */
function reversedAt(payment: OrderPayment, status: PaymentStatus): Pick<OrderPaymentAnswer, 'reversed_at'> {
  if (status !== 'reversed') return {};
  const reversed_at = decisionOn(payment)?.at ?? payment.told_at;
  return reversed_at === undefined ? {} : { reversed_at };
}

function settledAnswer({ by, at, outcome, note }: NonNullable<OrderPayment['decided']>): OrderPaymentAnswer['settled'] {
  return { by, at, outcome, note };
}

/** The payment's last record, with the connector from the answer to its session. */
function gatewayAnswer(
  { record, transaction_id }: OrderPayment,
  session: Session | undefined,
): OrderPaymentAnswer['gateway'] {
  if (!record) return undefined;
  const state = session?.state;
  const isOwn = state?.status === 'approved' && state.transaction_id === transaction_id;
  const connector = isOwn ? state.details?.connector : undefined;
  const { fraud_check_result: checks, ...facts } = record;
  return {
    ...facts,
    ...(checks ? { fraud_check_result: [...checks] } : {}),
    ...(connector === undefined ? {} : { connector }),
  };
}

type ListedOperation = OrderPaymentAnswer['operations'][number];

function listedOperation({ operation_id, name, amount, outcome }: PaymentOperation | PaymentRefund): ListedOperation {
  return { operation_id, operation: name, amount, outcome };
}

/** Operation ids begin with the time. */
function byOperation(one: ListedOperation, other: ListedOperation): number {
  return one.operation_id < other.operation_id ? -1 : one.operation_id > other.operation_id ? 1 : 0;
}

/** The masked card of an attempt. For a token, the gateway's answer names the card. */
export function cardOf({ sessions }: StoredOrder, { id, card }: Attempt): string | undefined {
  if (card !== undefined) return card;
  const approval = sessions.find(({ state }) => state.status === 'approved' && state.attempt_id === id)?.state;
  return approval?.status === 'approved' ? approval.card : undefined;
}

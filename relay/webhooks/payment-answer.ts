import type { OrderPaymentAnswer } from '../../shared/api/order.ts';
import { fromMinor, minorUnits } from '../../shared/gateway/amounts.ts';
import type { Context, Refunded } from '../context/context.ts';
import type { Attempt } from '../payments/attempt.ts';
import { captureMode, type Ledger, ledgerOf, methodOf } from '../payments/ledger/ledger.ts';
import {
  counted,
  type PaymentOperation,
  type PaymentRefund,
  recentRefusals,
  refundsIn,
  undecidedRefunds,
} from '../payments/ledger/payment-operation.ts';
import type { OrderPayment, StoredOrder } from '../payments/order.ts';
import { provedAnswer } from './session-answer.ts';

/**
 * The payments of an order, each with its status and its sums. Throws StoreError.
 * @param refunded what counted as refunded of them before this was called
 */
export async function paymentAnswers(
  { store, config, now }: Context,
  order: StoredOrder,
  refunded: Refunded,
): Promise<OrderPaymentAnswer[]> {
  const { account, payments } = order;
  const { capture, codes } = config.gateway.profile;
  const ids = payments.map(({ transaction_id }) => transaction_id);
  if (ids.length === 0) return [];
  const [operations, refunds] = await Promise.all([
    store.operations.onPayments(account, ids),
    store.operations.refundsOf(account, ids),
  ]);
  const refused = recentRefusals(now(), config.resolve.absent_ms);
  return payments.map((payment) => {
    const { transaction_id, amount, currency } = payment;
    const taken = refunded.get(transaction_id) ?? 0n;
    const own = operations.filter((one) => one.transaction_id === transaction_id);
    const refundUndecided = undecidedRefunds(refunds, transaction_id).reduce(
      (sum, one) => sum + minorUnits(one.amount, currency),
      0n,
    );
    const ledger = ledgerOf({
      amount: minorUnits(amount, currency),
      currency,
      capture: captureMode(capture, methodOf(order, payment)),
      rejects: codes.review_flag.reject,
      operations: counted(own, refused),
      // One that was decided since the sum was read still counts as it did then.
      refunded: taken > refundUndecided ? taken - refundUndecided : 0n,
      refundUndecided,
    });
    const listed = [...own, ...refundsIn(refunds, transaction_id)].map(listedOperation).sort(byOperation);
    return { ...paymentAnswer(order, payment, ledger), operations: listed };
  });
}

function paymentAnswer(
  order: StoredOrder,
  payment: OrderPayment,
  { status, ...sums }: Ledger,
): Omit<OrderPaymentAnswer, 'operations'> {
  const attempt = order.attempts.find(({ id }) => id === payment.attempt_id);
  const card = attempt && cardOf(order, attempt);
  const method = methodOf(order, payment);
  const session = order.sessions.find(({ id }) => id === attempt?.session_id);
  const { currency, recurring_id } = payment;
  return {
    ...provedAnswer(order, payment),
    status,
    ...(method === undefined ? {} : { method }),
    ...(card ? { card } : {}),
    ...(recurring_id ? { recurring_id } : {}),
    order_no: order.order_no,
    ...(session ? { origin: session.terms.single ? ('server' as const) : ('checkout' as const) } : {}),
    paid_at: payment.date,
    credited: payment.attempt_id !== undefined,
    captured: fromMinor(sums.captured, currency),
    capturable: fromMinor(sums.capturable, currency),
    refunded: fromMinor(sums.refunded, currency),
    refund_undecided: fromMinor(sums.refund_undecided, currency),
    refundable: fromMinor(sums.refundable, currency),
  };
}

type ListedOperation = OrderPaymentAnswer['operations'][number];

function listedOperation({ operation_id, name, amount, outcome }: PaymentOperation | PaymentRefund): ListedOperation {
  return { operation_id, operation: name, amount, outcome };
}

/** Their ids begin with the time. */
function byOperation(one: ListedOperation, other: ListedOperation): number {
  return one.operation_id < other.operation_id ? -1 : one.operation_id > other.operation_id ? 1 : 0;
}

/** The card of an attempt, masked; of one with a token as the gateway told it. */
export function cardOf({ sessions }: StoredOrder, { id, card }: Attempt): string | undefined {
  if (card !== undefined) return card;
  const told = sessions.find(({ state }) => state.status === 'approved' && state.attempt_id === id)?.state;
  return told?.status === 'approved' ? told.card : undefined;
}

import type { Books } from '../books/books.ts';
import type { Contract } from '../books/contract.ts';
import { orderStatus, type Payment, paymentStatus, reasonOf, recurringStatus } from '../books/payments.ts';
import { type Payout, payoutRecord } from '../books/payouts.ts';
import { type Refund, refundRecord } from '../books/refunds.ts';
import { maskText } from '../messages/mask.ts';

/** The books as the admin API shows them: no card data, which they do not hold, and no bank data of payouts. */
export function viewOf({ payments, refunds, contracts, payouts }: Books) {
  return {
    payments: payments.list().map((payment) => ({ ...paymentView(payment), left_to_refund: refunds.left(payment) })),
    refunds: refunds.list().map(refundView),
    contracts: contracts.list().map(contractView),
    payouts: payouts.list().map(payoutView),
  };
}

function paymentView(payment: Payment) {
  const { state, review, subscription, order, transaction_id, at } = payment;
  return {
    ...accountOf(payment),
    order_no: maskText(order.order_no),
    transaction_id,
    amount: order.amount,
    currency: order.currency,
    at: at.toISOString(),
    status: state.status,
    captured: state.status === 'approved' ? (state.captured ?? '') : '',
    review,
    order_status: orderStatus(payment),
    payment_status: state.status === 'undecided' ? '' : paymentStatus(payment),
    decline_reason: reasonOf(payment),
    recurring_id: subscription?.contract.recurring_id ?? '',
    cycle: subscription?.cycle ?? 0,
  };
}

function refundView(refund: Refund) {
  const { order_no, refund_reason, ...record } = refundRecord(refund);
  return {
    ...accountOf(refund.payment),
    ...record,
    order_no: maskText(order_no ?? ''),
    refund_reason: maskText(refund_reason ?? ''),
  };
}

function contractView(contract: Contract) {
  const { recurring_id, contract_name, status, terms, period } = contract;
  return {
    ...accountOf(contract),
    recurring_id,
    contract_name: maskText(contract_name),
    status,
    recurring_status: recurringStatus(contract),
    amount: terms.amount,
    interval: terms.interval ?? null,
    starts_at: terms.startsAt.toISOString(),
    ends_at: terms.endsAt?.toISOString() ?? null,
    billing_cycle: terms.cycles ?? null,
    promotion_cycle: terms.promotionCycles,
    period: period
      ? { number: period.number, from: period.from.toISOString(), to: period.to.toISOString(), status: period.status }
      : null,
  };
}

function payoutView(payout: Payout) {
  const { request_id, transaction_id, short_reference_id, reference, ...record } = payoutRecord(payout);
  const { payment_amount, payment_currency, source_amount, source_currency, fee_amount, fee_currency } = record;
  return {
    ...accountOf(payout.request),
    request_id,
    transaction_id,
    short_reference_id,
    reference: maskText(reference ?? ''),
    payment_amount,
    payment_currency,
    source_amount,
    source_currency,
    fee_amount,
    fee_currency,
    status: record.status,
    failure_type: record.failure_type,
    failure_reason: record.failure_reason,
    created_at: record.created_at,
    last_updated_at: record.last_updated_at,
  };
}

function accountOf({ merchant_id, account_id }: { merchant_id: string; account_id: string }) {
  return { merchant_id, account_id };
}

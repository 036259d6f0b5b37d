import { toMinor } from '../../../shared/gateway/amounts.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import type { ReviewRequest, SubscriptionCancelRequest } from '../../../shared/gateway/review-capture-cancel.ts';
import type { Account } from '../base/ids.ts';
import type { Contract } from '../books/contract.ts';
import type { Contracts } from '../books/contracts.ts';
import type { Payment, PaymentState, Payments } from '../books/payments.ts';
import type { Refunds } from '../books/refunds.ts';
import {
  answerBatch,
  approvedPayment,
  checkOriginalAmount,
  echoOf,
  type Handler,
  handler,
  type Item,
  ItemRefused,
  whyRefused,
} from './handler.ts';

type ReviewSurroundings = { payments: Payments; contracts: Contracts };
type CancelSurroundings = { payments: Payments; refunds: Refunds; contracts: Contracts };

const limits = {
  review: operations.review.lists.review_orders,
  capture: operations.capture.lists.capture_orders,
  cancel: operations.cancel.lists.cancel_orders,
};

/** §2.6: what the values of review_flag mean, which the spec leaves open; in any case of letters. */
const verdicts = new Map<string, 'accept' | 'reject'>([
  ['1', 'accept'],
  ['ACCEPT', 'accept'],
  ['APPROVE', 'accept'],
  ['0', 'reject'],
  ['REJECT', 'reject'],
  ['DECLINE', 'reject'],
]);

/** §2.6: accepts approved payments, or rejects those of which nothing was captured. Any payment is reviewed once. */
export function review(surroundings: ReviewSurroundings): Handler {
  return handler(operations.review.request, (request) =>
    answerBatch(request, { list: 'review_orders', limit: limits.review, items: request.review_orders }, (item) => {
      const refusal = whyRefused(() => reviewItem(item, request, surroundings));
      return {
        ...echoOf(item, request, surroundings.payments),
        review_flag: item.review_flag,
        review_status: refusal ? '0' : '1',
        error_message: refusal?.message ?? '',
      };
    }),
  );
}

type ReviewItem = ReviewRequest['review_orders'][number];

function reviewItem(item: ReviewItem, account: Account, surroundings: ReviewSurroundings): void {
  const verdict = verdicts.get(item.review_flag.trim().toUpperCase());
  if (!verdict) throw new ItemRefused('V0015');
  const { payment, state } = approvedPayment(item, account, surroundings.payments);
  checkOriginalAmount(item, payment);
  reviewPayment(payment, state, verdict, surroundings);
}

/** Accepts or rejects an approved payment. Throws ItemRefused when it was reviewed before, or cannot be rejected any more. */
export function reviewPayment(
  payment: Payment,
  state: Extract<PaymentState, { status: 'approved' }>,
  verdict: 'accept' | 'reject',
  { payments, contracts }: ReviewSurroundings,
): void {
  if (payment.review === 'accepted') throw new ItemRefused('V0014');
  if (verdict === 'accept') {
    payments.change(payment, { review: 'accepted' });
    return;
  }
  if (state.captured !== undefined) throw new ItemRefused('V0010');
  contracts.endWith(payment);
  payments.change(payment, {
    review: 'rejected',
    state: { status: 'cancelled', reason: 'Rejected in review' },
  });
}

/** §2.6: captures authorised payments, each once, with the whole authorised amount or less. */
export function capture({ payments }: { payments: Payments }): Handler {
  return handler(operations.capture.request, (request) =>
    answerBatch(request, { list: 'capture_orders', limit: limits.capture, items: request.capture_orders }, (item) => {
      const refusal = whyRefused(() => captureItem(item, request, payments));
      return {
        ...echoOf(item, request, payments),
        capture_status: refusal ? '0' : '1',
        error_message: refusal?.message ?? '',
      };
    }),
  );
}

function captureItem(item: Item, account: Account, payments: Payments): void {
  const { payment, state } = approvedPayment(item, account, payments);
  if (state.captured !== undefined) throw new ItemRefused('V0010');
  if (payment.review === 'held') throw new ItemRefused('V0007');
  const amount = toMinor(item.amount, item.currency);
  if (amount === 0n) throw new ItemRefused('V0012');
  if (amount > toMinor(payment.order.amount, item.currency)) throw new ItemRefused('V0013');
  payments.change(payment, { state: { status: 'approved', captured: item.amount } });
}

/** §2.6: cancels authorised payments of which nothing was captured, and the subscriptions that they began. */
export function cancel(surroundings: CancelSurroundings): Handler {
  return handler(operations.cancel.request, (request) =>
    answerBatch(request, { list: 'cancel_orders', limit: limits.cancel, items: request.cancel_orders }, (item) => {
      const refusal = whyRefused(() => cancelItem(item, request, surroundings));
      return {
        ...echoOf(item, request, surroundings.payments),
        cancel_status: refusal ? '0' : '1',
        error_message: refusal?.message ?? '',
      };
    }),
  );
}

function cancelItem(item: Item, account: Account, { payments, refunds, contracts }: CancelSurroundings): void {
  const { payment, state } = approvedPayment(item, account, payments);
  if (refunds.of(payment).length > 0) throw new ItemRefused('V0011');
  if (state.captured !== undefined) throw new ItemRefused('V0010');
  checkOriginalAmount(item, payment);
  contracts.endWith(payment);
  payments.change(payment, { state: { status: 'cancelled', reason: 'Cancelled by the merchant' } });
}

/** §2.8, §3: ends a contract at once. The period that runs is still charged at its end. */
export function subscriptionCancel({ contracts }: { contracts: Contracts }): Handler {
  return handler(operations.subscription_cancel.request, (request) => {
    const { merchant_id, account_id, recurring_id } = request;
    const contract = ownContract(contracts, request);
    const refusal = whyNotCancelled(contract, request);
    if (contract && refusal === undefined) contracts.cancel(contract);
    return {
      fields: {
        merchant_id,
        account_id,
        recurring_id,
        contract_name: request.contract_name || contract?.contract_name || '',
        cancel_status: refusal === undefined ? '1' : '0',
        error_message: refusal ?? '',
      },
    };
  });
}

function ownContract(contracts: Contracts, request: SubscriptionCancelRequest): Contract | undefined {
  const contract = contracts.withId(request.recurring_id);
  const own = contract?.merchant_id === request.merchant_id && contract.account_id === request.account_id;
  return own ? contract : undefined;
}

function whyNotCancelled(
  contract: Contract | undefined,
  { contract_name }: SubscriptionCancelRequest,
): string | undefined {
  if (!contract) return 'No such subscription';
  if (contract_name && contract_name !== contract.contract_name) return 'The subscription has another contract_name';
  switch (contract.status) {
    case 'active':
      return undefined;
    case 'cancelled':
      return 'The subscription is already cancelled';
    case 'completed':
      return 'The subscription has ended';
  }
}

import { operations } from '../../../shared/gateway/operations.ts';
import type { ReviewRequest } from '../../../shared/gateway/review-capture-cancel.ts';
import type { Account } from '../base/merchant.ts';
import type { Contracts } from '../books/contracts.ts';
import type { Payment, PaymentState, Payments } from '../books/payments.ts';
import { answerBatch, approvedPayment, checkOriginalAmount, echoOf, ItemRefused, whyRefused } from './batch.ts';
import { type Handler, handler } from './handler.ts';

type Surroundings = { payments: Payments; contracts: Contracts };

const limit = operations.review.lists.review_orders;

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
export function review(surroundings: Surroundings): Handler {
  return handler(operations.review.request, (request) =>
    answerBatch(request, { list: 'review_orders', limit, items: request.review_orders }, (item) => {
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

function reviewItem(item: ReviewItem, account: Account, surroundings: Surroundings): void {
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
  { payments, contracts }: Surroundings,
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

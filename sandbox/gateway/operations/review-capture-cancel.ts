import { fromMinor, toMinor } from '../../../shared/gateway/amounts.ts';
import { operations, type StatusField } from '../../../shared/gateway/operations.ts';
import type { ReviewRequest, SubscriptionCancelRequest } from '../../../shared/gateway/review-capture-cancel.ts';
import type { Account } from '../base/ids.ts';
import type { Books } from '../books/books.ts';
import type { Contract } from '../books/contract.ts';
import type { Contracts } from '../books/contracts.ts';
import { leftToCapture, type Payment, type Payments } from '../books/payments.ts';
import type { Approved } from '../books/states.ts';
import {
  approvedPayment,
  batchHandler,
  checkOriginalAmount,
  echoOf,
  type Handler,
  handler,
  type Item,
  ItemRefused,
  type Parts,
  tried,
} from './handler.ts';

/** §2.6: the meaning of the values of review_flag, which the spec does not define. Letter case does not matter. */
const verdicts = new Map<string, 'accept' | 'reject'>([
  ['1', 'accept'],
  ['ACCEPT', 'accept'],
  ['APPROVE', 'accept'],
  ['0', 'reject'],
  ['REJECT', 'reject'],
  ['DECLINE', 'reject'],
]);

/** Executes an item; returns whether it was done, or why not. */
function outcomeOf(status: StatusField, attempt: () => void) {
  const done = tried(attempt);
  const refused = done instanceof ItemRefused;
  return { [status]: refused ? '0' : '1', error_message: refused ? done.message : '' };
}

/** §2.6: accepts approved payments, or rejects those without a capture. Any payment is reviewed once. */
export function review({ books }: Parts): Handler {
  return batchHandler(
    operations.review,
    ({ review_orders }) => review_orders,
    (item, account) => ({
      ...echoOf(item, account, books.payments),
      review_flag: item.review_flag,
      ...outcomeOf('review_status', () => reviewItem(item, account, books)),
    }),
  );
}

type ReviewItem = ReviewRequest['review_orders'][number];

function reviewItem(item: ReviewItem, account: Account, books: Books): void {
  const verdict = verdicts.get(item.review_flag.trim().toUpperCase());
  if (!verdict) throw new ItemRefused('V0015');
  const { payment, state } = approvedPayment(item, account, books.payments);
  checkOriginalAmount(item, payment);
  reviewPayment(payment, state, verdict, books);
}

/** Accepts or rejects an approved payment. Throws ItemRefused when it was reviewed before, or can no longer be rejected. */
export function reviewPayment(
  payment: Payment,
  state: Approved,
  verdict: 'accept' | 'reject',
  { payments, contracts }: Books,
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
    state: { status: 'cancelled', cause: 'review' },
  });
}

/** §2.6: captures authorised payments, in parts until nothing is left. */
export function capture({ books: { payments } }: Parts): Handler {
  return batchHandler(
    operations.capture,
    ({ capture_orders }) => capture_orders,
    (item, account) => ({
      ...echoOf(item, account, payments),
      ...outcomeOf('capture_status', () => captureItem(item, account, payments)),
    }),
  );
}

function captureItem(item: Item, account: Account, payments: Payments): void {
  const { payment, state } = approvedPayment(item, account, payments);
  capturePayment(payment, state, item.amount, payments);
}

/** Captures an amount of an approved payment, or the rest. Throws ItemRefused. */
export function capturePayment(payment: Payment, state: Approved, given: string | undefined, payments: Payments): void {
  const { currency } = payment.order;
  checkOpen(payment, state);
  if (payment.review === 'held') throw new ItemRefused('V0007');
  const left = leftToCapture(payment);
  const amount = given === undefined ? left : toMinor(given, currency);
  if (amount === 0n) throw new ItemRefused('V0012');
  if (amount > left) throw new ItemRefused('V0013');
  const captured = fromMinor(toMinor(payment.order.amount, currency) - left + amount, currency);
  payments.change(payment, { state: { ...state, captured } });
}

/** Throws ItemRefused if all of a payment was captured, or the rest has ended. */
function checkOpen(payment: Payment, { captured, ended }: Approved, refusal: 'V0010' | 'V0011' = 'V0010'): void {
  if (ended) throw new ItemRefused(ended === 'expired' ? 'V0017' : 'V0016');
  if (captured !== undefined && leftToCapture(payment) === 0n) throw new ItemRefused(refusal);
}

/**
 * §2.6: cancels authorised payments without a capture, and the subscriptions that they began. It ends the rest of a
 * payment that was captured in part.
 */
export function cancel({ books }: Parts): Handler {
  return batchHandler(
    operations.cancel,
    ({ cancel_orders }) => cancel_orders,
    (item, account) => ({
      ...echoOf(item, account, books.payments),
      ...outcomeOf('cancel_status', () => cancelItem(item, account, books)),
    }),
  );
}

function cancelItem(item: Item, account: Account, books: Books): void {
  const { payment, state } = approvedPayment(item, account, books.payments);
  checkOriginalAmount(item, payment);
  cancelPayment(payment, state, books);
}

/** Cancels an approved payment, or the rest of it. Throws ItemRefused if nothing is left to cancel. */
export function cancelPayment(payment: Payment, state: Approved, { payments, refunds, contracts }: Books): void {
  checkOpen(payment, state, refunds.of(payment).length > 0 ? 'V0011' : 'V0010');
  if (state.captured !== undefined) {
    payments.change(payment, { state: { ...state, ended: 'cancelled' } });
    return;
  }
  contracts.endWith(payment);
  payments.change(payment, { state: { status: 'cancelled', cause: 'merchant' } });
}

/** §2.8, §3: ends a contract at once. The running period is still charged at its end. */
export function subscriptionCancel({ books: { contracts } }: Parts): Handler {
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

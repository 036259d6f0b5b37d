import type { CodesOfPayments } from '../faults/answer-style.ts';
import type { Contract } from './contract.ts';

/** Approved: authorised, and captured as far as `captured` says. `ended` says why the rest can no longer be captured. */
export type Approved = { status: 'approved'; captured?: string; ended?: 'cancelled' | 'expired' };

/**
 * An undecided payment waits for its shopper on the issuer's page; a pending one was made to be paid later, such as a voucher. A
 * cancelled one was given back before anything was captured. A charged back one has the state that it has again if the shop wins.
 */
export type PaymentState =
  | { status: 'undecided' }
  | { status: 'pending' }
  | Approved
  | { status: 'declined'; reason: string }
  | { status: 'cancelled'; cause: CancelCause }
  | { status: 'charged_back'; before: Approved };

/** The reason of a cancellation, and the text in the payment's record. */
export const cancelCauses = {
  merchant: 'Cancelled by the merchant',
  review: 'Rejected in review',
  expiry: 'The authorisation expired',
} as const;
export type CancelCause = keyof typeof cancelCauses;

/** Whether the rules held a payment for review, and the result of the review. */
export const reviews = ['not_held', 'held', 'accepted', 'rejected'] as const;
export type Review = (typeof reviews)[number];

/** How much of the captured amount was returned. */
export type Returned = 'nothing' | 'a part' | 'all';

type Facts = { state: PaymentState; review: Review };

/** §2.4: `payment_status` of each state. Only 3000 and 4100 occur in the interface; the others are this gateway's own. */
export const paymentCodes = {
  approved: '3000',
  declined: '4100',
  pending: '1000',
  held: '2000',
  cancelled: '4200',
  partially_refunded: '5000',
  refunded: '5100',
  charged_back: '6000',
} as const;
type Meaning = keyof typeof paymentCodes;

/** §2.2: `order_status` of an answer: approved, not approved, and not decided yet. */
export const orderCodes = { approved: '1', declined: '0', pending: '2' } as const;

/** §2.4: the code of a payment: one for each state, or only 3000 for approved and 4100 for no longer approved. */
export function paymentStatus(payment: Facts, returned: Returned, codes: CodesOfPayments): string {
  const meaning = meaningOf(payment, returned);
  if (codes === 'each_state' || meaning === 'pending') return paymentCodes[meaning];
  return payment.state.status === 'approved' ? paymentCodes.approved : paymentCodes.declined;
}

function meaningOf({ state, review }: Facts, returned: Returned): Meaning {
  switch (state.status) {
    case 'approved':
      if (review === 'held') return 'held';
      if (returned === 'nothing') return 'approved';
      return returned === 'all' ? 'refunded' : 'partially_refunded';
    case 'undecided':
      return 'pending';
    case 'cancelled':
      return state.cause === 'review' ? 'declined' : 'cancelled';
    default:
      return state.status;
  }
}

/** §2.2: the code of a payment in its answer, and of its `order_status` in a query. */
export function orderStatus({ state }: Pick<Facts, 'state'>): string {
  switch (state.status) {
    case 'approved':
    case 'pending':
      return orderCodes[state.status];
    default:
      return orderCodes.declined;
  }
}

/** §2.4: why a payment is not approved, or not to be captured any more; empty otherwise. */
export function reasonOf({ state }: Pick<Facts, 'state'>): string {
  switch (state.status) {
    case 'declined':
      return state.reason;
    case 'cancelled':
      return cancelCauses[state.cause];
    case 'charged_back':
      return 'Charged back by the card holder';
    case 'approved':
      return state.ended === 'expired' ? cancelCauses.expiry : '';
    case 'undecided':
    case 'pending':
      return '';
  }
}

/** §2.4: 1 active; 0 cancelled, or charged for the last time. */
export function recurringStatus({ status }: Contract): '0' | '1' {
  return status === 'active' ? '1' : '0';
}

import { z } from 'zod';
import { directPaymentRequest } from '../../../shared/gateway/direct-payment.ts';
import type { FaultName } from '../faults/faults.ts';
import type { MannerName } from '../faults/manners.ts';
import type { Contract } from './contract.ts';

/**
 * An undecided payment waits for a person on the issuer's page. An approved one is authorised; `captured` is the amount
 * that was captured of it. A cancelled one was cancelled by the merchant, or rejected in review.
 */
export type PaymentState =
  | { status: 'undecided' }
  | { status: 'approved'; captured?: string }
  | { status: 'declined'; reason: string }
  | { status: 'cancelled'; reason: string };

export type Payment = {
  transaction_id: string;
  merchant_id: string;
  account_id: string;
  at: Date;
  order: PaymentOrder;
  notify_url?: string;
  /** The subscription that it belongs to, and which of its charges it is. */
  subscription?: { contract: Contract; cycle: number };
  /** Whether the rules held it for a person's review, and what that person said. */
  review: 'not_held' | 'held' | 'accepted' | 'rejected';
  state: PaymentState;
  /** What its card makes go wrong later, when it is refunded or told. */
  faults?: readonly FaultName[];
};

/** A payment that its shopper decides on the issuer's page. */
export type IssuerPayment = Payment & {
  issuer_token: string;
  manner: MannerName;
  payment_method: string;
  return_url?: string;
};

/** The gateway's books: every payment since it started, in the order they came. */
export class Payments {
  readonly #all: Payment[] = [];
  readonly #byTransaction = new Map<string, Payment>();
  readonly #byToken = new Map<string, IssuerPayment>();
  readonly #changed: (payment: Payment) => void;

  /** `changed` is called for every payment that is decided, and of each change of its state after that. */
  constructor(changed: (payment: Payment) => void = () => {}) {
    this.#changed = changed;
  }

  add(payment: Payment): void {
    this.#all.push(payment);
    this.#byTransaction.set(payment.transaction_id, payment);
    if (payment.state.status !== 'undecided') this.#changed(payment);
  }

  addWithIssuer(payment: IssuerPayment): void {
    this.#byToken.set(payment.issuer_token, payment);
    this.add(payment);
  }

  list(): readonly Payment[] {
    return this.#all;
  }

  withTransaction(transaction_id: string): Payment | undefined {
    return this.#byTransaction.get(transaction_id);
  }

  atIssuer(token: string): IssuerPayment | undefined {
    return this.#byToken.get(token);
  }

  /** Records the shopper's choice. Only the first one counts. What an issuer approves is captured at once. */
  decide(payment: Payment, choice: 'approve' | 'refuse'): void {
    if (payment.state.status !== 'undecided') return;
    this.change(payment, {
      state:
        choice === 'approve'
          ? { status: 'approved', captured: payment.order.amount }
          : { status: 'declined', reason: 'Refused by the shopper' },
    });
  }

  /** Puts a payment into another state. */
  change(payment: Payment, to: Partial<Pick<Payment, 'state' | 'review'>>): void {
    Object.assign(payment, to);
    this.#changed(payment);
  }
}

/** The card holder takes back what was paid, which is notified like any change of a payment; false for a payment that is not approved. */
export function chargeBack(payment: Payment, payments: Payments): boolean {
  if (payment.state.status !== 'approved') return false;
  payments.change(payment, { state: { status: 'cancelled', reason: 'Charged back by the card holder' } });
  return true;
}

/** What a payment asked for, as far as a query tells it (§2.4). No card data. */
const paymentOrder = z.object(
  directPaymentRequest.pick({
    order_no: true,
    currency: true,
    amount: true,
    service: true,
    platform_source: true,
    shopper_email: true,
    shopper_phone: true,
    delivery_address: true,
    delivery_city: true,
    delivery_country: true,
    delivery_firstname: true,
    delivery_lastname: true,
    delivery_postal_code: true,
    delivery_state: true,
  }).shape,
);
type PaymentOrder = z.output<typeof paymentOrder>;

/** Takes from a payment request what the books keep. */
export function orderOf(request: PaymentOrder): PaymentOrder {
  return paymentOrder.parse(request);
}

/** §2.2: 1 approved, 0 not. */
export function orderStatus({ state }: Payment): '0' | '1' {
  return state.status === 'approved' ? '1' : '0';
}

/** §2.4: 3000 approved, captured or not, refunded or not; 4100 declined, cancelled, or rejected in review. */
export function paymentStatus({ state }: Payment): '3000' | '4100' {
  return state.status === 'approved' ? '3000' : '4100';
}

/** §2.4: why a payment is not approved; empty when it is. */
export function reasonOf({ state }: Payment): string {
  switch (state.status) {
    case 'declined':
    case 'cancelled':
      return state.reason;
    case 'approved':
    case 'undecided':
      return '';
  }
}

/** §2.4: 1 active; 0 cancelled, or charged for the last time. */
export function recurringStatus({ status }: Contract): '0' | '1' {
  return status === 'active' ? '1' : '0';
}

import type { FaultName } from '../faults/faults.ts';
import type { MannerName } from '../faults/issuer-manners.ts';
import type { Contract } from './contract.ts';
import type { PaymentOrder } from './order.ts';

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

  /** `changed` is told of every payment that is decided, and of each change of its state after that. */
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

import { z } from 'zod';
import { toMinor } from '../../../shared/gateway/amounts.ts';
import { directPaymentRequest } from '../../../shared/gateway/direct-payment.ts';
import type { Clock } from '../base/clock.ts';
import type { FaultName } from '../faults/faults.ts';
import type { IssuerBehaviourName } from '../faults/issuer-behaviours.ts';
import type { Contract } from './contract.ts';
import type { Approved, PaymentState, Review } from './states.ts';

export type Payment = {
  transaction_id: string;
  merchant_id: string;
  account_id: string;
  at: Date;
  order: PaymentOrder;
  notify_url?: string;
  /** Its subscription, and the number of its charge. */
  subscription?: { contract: Contract; cycle: number };
  review: Review;
  state: PaymentState;
  /** The later fault of its card, at a refund or a notification. */
  faults?: readonly FaultName[];
  /** Present if an approval is only an authorisation: it can be refunded only after a capture, and it expires. */
  byHand?: { expiresAt?: Date };
};

/** A payment that its shopper decides on the issuer's page. */
export type IssuerPayment = Payment & {
  issuer_token: string;
  manner: IssuerBehaviourName;
  payment_method: string;
  return_url?: string;
};

/** §2.4: returns the code of a payment's current state. */
export type StatusOf = (payment: Payment) => string;

/** How long an authorisation can be captured: a week. */
export const AUTHORISED_MS = 7 * 24 * 60 * 60 * 1000;

/** The payments since the start of the gateway, in the order of arrival. */
export class Payments {
  readonly #all: Payment[] = [];
  readonly #byTransaction = new Map<string, Payment>();
  readonly #byToken = new Map<string, IssuerPayment>();
  readonly #clock: Clock;
  readonly #changed: (payment: Payment) => void;

  /** `changed` is called for every payment that is decided or pending, and for each later change of its state. */
  constructor(clock: Clock, changed: (payment: Payment) => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  add(payment: Payment | IssuerPayment): void {
    this.#keep(payment);
    this.#watch(payment);
    if (payment.state.status !== 'undecided') this.#changed(payment);
  }

  /** Adds a payment of an earlier run, which was already notified. */
  restore(payment: Payment | IssuerPayment): void {
    this.#keep(payment);
    const { expiresAt } = payment.byHand ?? {};
    if (expiresAt) this.#clock.at(expiresAt, () => this.expire(payment));
  }

  #keep(payment: Payment | IssuerPayment): void {
    this.#all.push(payment);
    this.#byTransaction.set(payment.transaction_id, payment);
    if ('issuer_token' in payment) this.#byToken.set(payment.issuer_token, payment);
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

  /**
   * Records the shopper's choice. Only the first one counts. An approved payment is captured at once, unless it is
   * captured by hand.
   */
  decide(payment: Payment, choice: 'approve' | 'refuse' | 'pay_later'): void {
    if (payment.state.status !== 'undecided') return;
    if (choice === 'pay_later') this.change(payment, { state: { status: 'pending' } });
    else this.end(payment, choice === 'approve' ? undefined : 'Refused by the shopper');
  }

  /** Approves an undecided payment, or declines it for a reason. */
  end(payment: Payment, reason?: string): void {
    const approved: Approved = { status: 'approved', ...(!payment.byHand && { captured: payment.order.amount }) };
    this.change(payment, { state: reason === undefined ? approved : { status: 'declined', reason } });
  }

  /** Changes the state of a payment. */
  change(payment: Payment, to: Partial<Pick<Payment, 'state' | 'review'>>): void {
    Object.assign(payment, to);
    this.#watch(payment);
    this.#changed(payment);
  }

  /** Ends the rest of an authorisation. False if nothing is left. */
  expire(payment: Payment): boolean {
    const { state, byHand } = payment;
    if (!byHand || state.status !== 'approved' || leftToCapture(payment) === 0n) return false;
    this.change(payment, {
      state: state.captured === undefined ? { status: 'cancelled', cause: 'expiry' } : { ...state, ended: 'expired' },
    });
    return true;
  }

  /** An authorisation expires some time after its approval. */
  #watch(payment: Payment): void {
    const { byHand, state } = payment;
    if (!byHand || byHand.expiresAt || state.status !== 'approved') return;
    byHand.expiresAt = new Date(this.#clock.now().getTime() + AUTHORISED_MS);
    this.#clock.at(byHand.expiresAt, () => this.expire(payment));
  }
}

/** The capturable rest of a payment, in minor units. */
export function leftToCapture({ state, order: { amount, currency } }: Payment): bigint {
  if (state.status !== 'approved' || state.ended) return 0n;
  return toMinor(amount, currency) - toMinor(state.captured ?? '0.00', currency);
}

/**
 * The card holder charges a payment back, which is notified like any change of a payment. False for a payment that is
 * not approved.
 */
export function chargeBack(payment: Payment, payments: Payments): boolean {
  const { state } = payment;
  if (state.status !== 'approved') return false;
  payments.change(payment, { state: { status: 'charged_back', before: state } });
  return true;
}

/** The fields of a payment request that a query returns (§2.4). No card data. */
export const paymentOrder = z.object(
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

/** The fields of a payment request that are stored. */
export function orderOf(request: PaymentOrder): PaymentOrder {
  return paymentOrder.parse(request);
}

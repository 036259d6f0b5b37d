import type { ApmPaymentRequest } from '../../shared/gateway/apm-payment.ts';
import type { DirectPaymentRequest } from '../../shared/gateway/direct-payment.ts';

/** What a payment asked for, as far as a query tells it (§2.4). No card data. */
export type PaymentOrder = Pick<
  DirectPaymentRequest & ApmPaymentRequest,
  | 'order_no'
  | 'currency'
  | 'amount'
  | 'service'
  | 'platform_source'
  | 'shopper_email'
  | 'shopper_phone'
  | 'delivery_address'
  | 'delivery_city'
  | 'delivery_country'
  | 'delivery_firstname'
  | 'delivery_lastname'
  | 'delivery_postal_code'
  | 'delivery_state'
>;

/** An undecided payment waits for a person on the issuer's page. */
export type PaymentState = { status: 'undecided' } | { status: 'approved' } | { status: 'declined'; reason: string };

export type Contract = { contract_name: string; recurring_id: string; period: string };

export type Payment = {
  transaction_id: string;
  merchant_id: string;
  account_id: string;
  at: Date;
  order: PaymentOrder;
  contract?: Contract;
  state: PaymentState;
};

/** A payment that its shopper decides on the issuer's page. */
export type IssuerPayment = Payment & { issuer_token: string; payment_method: string; return_url?: string };

/** The gateway's books: every payment since it started, in the order they came. */
export class Payments {
  readonly #all: Payment[] = [];
  readonly #byToken = new Map<string, IssuerPayment>();

  add(payment: Payment): void {
    this.#all.push(payment);
  }

  addWithIssuer(payment: IssuerPayment): void {
    this.#all.push(payment);
    this.#byToken.set(payment.issuer_token, payment);
  }

  list(): readonly Payment[] {
    return this.#all;
  }

  atIssuer(token: string): IssuerPayment | undefined {
    return this.#byToken.get(token);
  }

  /** Records the shopper's choice. Only the first one counts. */
  decide(payment: IssuerPayment, choice: 'approve' | 'refuse'): void {
    if (payment.state.status !== 'undecided') return;
    payment.state =
      choice === 'approve' ? { status: 'approved' } : { status: 'declined', reason: 'Refused by the shopper' };
  }
}

/** Takes from a payment request what the books keep. */
export function orderOf(request: PaymentOrder): PaymentOrder {
  return {
    order_no: request.order_no,
    currency: request.currency,
    amount: request.amount,
    service: request.service,
    platform_source: request.platform_source,
    shopper_email: request.shopper_email,
    shopper_phone: request.shopper_phone,
    delivery_address: request.delivery_address,
    delivery_city: request.delivery_city,
    delivery_country: request.delivery_country,
    delivery_firstname: request.delivery_firstname,
    delivery_lastname: request.delivery_lastname,
    delivery_postal_code: request.delivery_postal_code,
    delivery_state: request.delivery_state,
  };
}

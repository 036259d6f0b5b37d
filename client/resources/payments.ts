import type { z } from 'zod';
import {
  type OrderPaymentAnswer,
  orderPayment,
  type PaymentFilter,
  paymentList,
  type SettlePayment,
} from '../../shared/api/order-payment.ts';
import { type createPayment, paymentAnswer } from '../../shared/api/payment.ts';
import { eachOf, type PostOptions, type Requests } from '../requests.ts';
import type { Call } from '../send.ts';
import { paymentPathOf, textQueryOf } from '../settings.ts';

/** The requests of `/v1/payments`. */
export function paymentsOf({ getAt, post }: Requests) {
  const listPayments = (filter: PaymentFilter = {}) =>
    getAt(paymentList, '/v1/payments', () => `/v1/payments${textQueryOf(filter)}`);

  return {
    /** `POST /v1/payments`: pays with a card, a token or a method that the shop has (§2.1, §2.3). */
    create: (body: z.input<typeof createPayment>, postOptions?: PostOptions) =>
      post(paymentAnswer, { route: '/v1/payments' }, body, postOptions),

    /**
     * `GET /v1/payments`: one page of payments, those of the newest orders first. A page with a `next` may be empty.
     */
    list: listPayments,
    /** Every payment that the filter finds, one page after the other: `for await (const payment of …)`. */
    each: (filter: PaymentFilter = {}) => eachOf(filter, listPayments, ({ payments }) => payments),
    /** `GET /v1/payments/:transaction_id`: one payment, its status, its sums, and the operations on it. */
    get: (transactionId: string) => {
      const route = '/v1/payments/:transaction_id';
      return getAt(orderPayment, route, () => paymentPathOf(route, transactionId));
    },
    /** `POST /v1/payments/:transaction_id/settle`: a person who looked at the gateway's records decides about a payment. */
    settle: (transactionId: string, body: SettlePayment, postOptions?: PostOptions): Call<OrderPaymentAnswer> => {
      const route = '/v1/payments/:transaction_id/settle';
      return post(orderPayment, { route, path: () => paymentPathOf(route, transactionId) }, body, postOptions);
    },
  };
}

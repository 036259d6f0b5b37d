import type { ApmPaymentRequest } from '../../../shared/gateway/apm-payment.ts';
import type { DirectPaymentRequest } from '../../../shared/gateway/direct-payment.ts';

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

import { z } from 'zod';
import { type Amount, wireAmount } from './amounts.ts';
import { parseDate, possibleDate } from './dates.ts';
import * as fields from './payment-fields.ts';
import { currencyCode, optionalText, text } from './text.ts';

const finite = z.number().optional();
const price = z.number().min(0).optional();

/** §2.1 "Order": the fields that an APM payment does not have. */
export const directOrder = {
  price_id: optionalText,
  quote_id: optionalText,
  quote_price: optionalText,
  storefront_domains: optionalText,
  installments: optionalText,
  installments_id: optionalText,
  order_type: optionalText,
};

/** §2.1 "Card and 3-D Secure": the fields that a shop may give. */
export const threeDSecure = {
  open3d: optionalText,
  token_flag: optionalText,
  challenge_window_size: optionalText,
  session_id: optionalText,
  antifraud_token_cookie: text(4000).optional(),
};

/** §2.1: the arrays and objects of a direct payment. */
export const nested = (amount: Amount) => ({
  cart_items: z
    .array(
      z.strictObject({
        basic_item_data: z.strictObject({
          name: optionalText,
          quantity: optionalText,
          type: optionalText,
          price: z
            .strictObject({ amount_usd: price, amount_local_currency: price, currency: currencyCode.optional() })
            .optional(),
          category: optionalText,
          productId: optionalText,
        }),
      }),
    )
    .max(1000)
    .optional(),
  account_owner: z
    .array(
      z.strictObject({
        first_name: optionalText,
        last_name: optionalText,
        email: optionalText,
        account_id: optionalText,
        created: finite,
        past_orders_count: finite,
        past_orders_sum: finite,
        lastLogin_ip: optionalText,
        registration_ip: optionalText,
      }),
    )
    .max(100)
    .optional(),
  total_discount: z
    .array(z.strictObject({ coupon_code_used: optionalText, discount_type: optionalText }))
    .max(100)
    .optional(),
  additional_information: z
    .array(
      z.strictObject({
        mpi_info: z.strictObject({
          eci: optionalText,
          cavv: optionalText,
          xid: optionalText,
          dsTransID: optionalText,
        }),
      }),
    )
    .max(100)
    .optional(),
  subscription: z
    .strictObject({
      contract: optionalText,
      contract_name: optionalText,
      contract_amount: amount.optional(),
      interval: optionalText,
      interval_count: optionalText,
      billing_cycle: z.int().min(0).optional(),
      promotion_cycle: z.int().min(0).optional(),
      contract_start: possibleDate.optional(),
      contract_end: possibleDate.optional(),
      price_id: optionalText,
    })
    .refine(({ contract_start = '', contract_end = '' }) => !endsBefore(contract_start, contract_end), {
      path: ['contract_end'],
      message: 'must not be before contract_start',
    })
    .optional(),
});

/** §2.1: the whole body of a direct payment request as it stands on the wire. */
export const directPaymentRequest = z.strictObject({
  ...fields.identification,
  ...fields.order,
  ...directOrder,
  ...fields.amounts(wireAmount),
  items: text(1_048_576).optional(),
  checkout_time: z.int().optional(),
  ...fields.shopper,
  ...fields.shopperIp,
  ...threeDSecure,
  token_id: optionalText,
  card: optionalText,
  expiration_month: optionalText,
  expiration_year: optionalText,
  security_code: optionalText,
  ...fields.notifyUrl,
  ...fields.billing,
  ...fields.device,
  user_agent: text(4000).optional(),
  accept: text(4000).optional(),
  ...fields.delivery,
  ...nested(wireAmount),
});
export type DirectPaymentRequest = z.infer<typeof directPaymentRequest>;

/**
 * §2.2: the answer to a direct payment, as read from its XML. Every element is text; unknown ones are kept. `issuer_url`
 * stands in §2.3 only, but a direct payment that carries one is followed the same way.
 */
export const directPaymentAnswer = z.looseObject({
  merchant_id: z.string().optional(),
  account_id: z.string().optional(),
  order_no: z.string().optional(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  transaction_id: z.string().optional(),
  card: z.string().optional(),
  order_status: z.string().optional(),
  result_info: z.string().optional(),
  contract_name: z.string().optional(),
  recurring_id: z.string().optional(),
  recurring_deduction_period: z.string().optional(),
  recurring_deduction_time: z.string().optional(),
  encryption_data: z.string().optional(),
  note: z.string().optional(),
  connector: z.string().optional(),
  issuer_url: z.string().optional(),
});

/** Only dates of one known form can be compared as texts. */
function endsBefore(start: string, end: string): boolean {
  const isDate = (text: string): boolean => parseDate('YYYY-MM-DD', text) !== undefined;
  return isDate(start) && isDate(end) && end < start;
}

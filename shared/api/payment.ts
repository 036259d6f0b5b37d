import { z } from 'zod';
import { cardNumber, month, securityCode, year } from '../checkout/pay.ts';
import { advices } from '../checkout/status.ts';
import { positiveShopAmount, shopAmount } from '../gateway/amounts.ts';
import { apmFields } from '../gateway/apm-payment.ts';
import { date } from '../gateway/dates.ts';
import { directOrder, nested, threeDSecure } from '../gateway/direct-payment.ts';
import { shopItems } from '../gateway/items.ts';
import * as fields from '../gateway/payment-fields.ts';
import { pricedOrder } from '../gateway/priced.ts';
import { optionalText, requiredText, text } from '../gateway/text.ts';

/** What a direct and an APM payment have in common (§2.1, §2.3), but for what the relay fills: identity and notify_url. */
const common = {
  ...fields.order,
  ...fields.amounts(shopAmount),
  items: shopItems.optional(),
  ...fields.shopper,
  ...fields.shopperIp,
  birth_date: date('DD-MM-YYYY').optional(),
  ...fields.billing,
  ...fields.delivery,
  ...fields.device,
};

const direct = {
  ...common,
  ...directOrder,
  ...threeDSecure,
  ...nested(shopAmount),
  checkout_time: z.int().min(0).optional(),
  user_agent: text(4000).optional(),
  accept: text(4000).optional(),
  security_code: securityCode.optional(),
};

/** `POST /v1/payments` with a card that the shop holds. `checkout_time` is in Unix seconds; now, where it is left out. */
export const paymentByCard = z
  .strictObject({
    ...direct,
    card: cardNumber,
    expiration_month: month,
    expiration_year: year,
  })
  .check(pricedOrder);

/** `POST /v1/payments` with a token that the shop holds. */
export const paymentByToken = z
  .strictObject({
    ...direct,
    token_id: requiredText(),
    expiration_month: month.optional(),
    expiration_year: year.optional(),
  })
  .check(pricedOrder);

/** `POST /v1/payments` by an alternative method. `return_url` is where the shopper ends, after the relay has asked. */
export const paymentByApm = z
  .strictObject({
    ...common,
    ...apmFields,
    amount: positiveShopAmount,
    payment_method: requiredText(),
    return_url: text(2000).optional(),
  })
  .check(pricedOrder);

export const createPayment = z.union([paymentByCard, paymentByToken, paymentByApm]);
export type CreatePayment = z.infer<typeof createPayment>;

export const result = z.object({
  code: z.string(),
  message: z.string(),
});

/** What the gateway told of an approved payment besides (§2.2), each only where it did. */
export const paymentDetails = {
  connector: z.string().optional(),
  note: z.string().optional(),
  contract_name: z.string().optional(),
  recurring_deduction_period: z.string().optional(),
  recurring_deduction_time: z.string().optional(),
};

const ids = { id: z.string(), order_no: z.string() };

/** What became of a payment. `id` names its session: `GET /v1/sessions/:id` tells how it goes on. */
export const paymentAnswer = z.discriminatedUnion('status', [
  z.object({
    ...ids,
    status: z.literal('approved'),
    transaction_id: z.string(),
    card: optionalText,
    result: result.optional(),
    recurring_id: optionalText,
    ...paymentDetails,
  }),
  z.object({
    ...ids,
    status: z.literal('declined'),
    result,
    advice: z.enum(advices),
    transaction_id: optionalText,
  }),
  z.object({ ...ids, status: z.literal('redirect'), redirect_url: z.url({ protocol: /^https?$/ }) }),
  z.object({ ...ids, status: z.literal('pending') }),
  z.object({ ...ids, status: z.literal('unknown') }),
]);
export type PaymentAnswer = z.infer<typeof paymentAnswer>;

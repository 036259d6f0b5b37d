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
  items: shopItems
    .optional()
    .meta({ description: 'The lines of the order. The relay writes them into the one text that the gateway wants.' }),
  ...fields.shopper,
  ...fields.shopperIp,
  birth_date: date('DD-MM-YYYY').optional().meta({ description: 'Date of birth as `DD-MM-YYYY`.' }),
  ...fields.billing,
  ...fields.delivery,
  ...fields.device,
};

const direct = {
  ...common,
  ...directOrder,
  ...threeDSecure,
  ...nested(shopAmount),
  checkout_time: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'When the shopper submitted, in Unix seconds. Now, where it is left out.' }),
  user_agent: text(4000).optional().meta({ description: 'The shopper’s `User-Agent` header.' }),
  accept: text(4000)
    .optional()
    .meta({ description: 'The `Accept` header with which the shopper’s browser asks for a page.' }),
  security_code: securityCode
    .optional()
    .meta({ description: 'The code on the card. It lives in the memory of this one request and is kept nowhere.' }),
};

/** `POST /v1/payments` with a card that the shop holds. `checkout_time` is in Unix seconds; now, where it is left out. */
export const paymentByCard = z
  .strictObject({
    ...direct,
    card: cardNumber.meta({ description: 'The card number. It is sent to the gateway and kept nowhere.' }),
    expiration_month: month.meta({
      description: 'Month in which the card expires, `1` to `12`, with or without a leading zero.',
    }),
    expiration_year: year.meta({ description: 'Year in which the card expires, of four digits or two.' }),
  })
  .check(pricedOrder);

/** `POST /v1/payments` with a token that the shop holds. */
export const paymentByToken = z
  .strictObject({
    ...direct,
    token_id: requiredText().meta({ description: 'The gateway’s token of a card.' }),
    expiration_month: month
      .optional()
      .meta({ description: 'Month in which the card expires, `1` to `12`, with or without a leading zero.' }),
    expiration_year: year.optional().meta({ description: 'Year in which the card expires, of four digits or two.' }),
  })
  .check(pricedOrder);

/** `POST /v1/payments` by an alternative method. `return_url` is where the shopper ends, after the relay has asked. */
export const paymentByApm = z
  .strictObject({
    ...common,
    ...apmFields,
    amount: positiveShopAmount.meta({
      description: 'What is charged, as a decimal string: `"129.90"`, in yen `"1000"`, in dinars `"10.125"`.',
    }),
    payment_method: requiredText().meta({ description: 'The gateway’s name of the method.' }),
    return_url: text(2000).optional().meta({
      description: 'Where the shopper goes at the end. It must lie under one of the account’s `return_urls`.',
    }),
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

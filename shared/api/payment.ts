import { z } from 'zod';
import { keptMetadata, metadata } from '../checkout/metadata.ts';
import { cardFields, result, security_code } from '../checkout/pay.ts';
import { advices } from '../checkout/status.ts';
import { positiveShopAmount, pricedOrder, shopAmount } from '../gateway/amount-fields.ts';
import { apmFields } from '../gateway/apm-payment.ts';
import { birthDate } from '../gateway/dates.ts';
import { directOrder, shopNested, threeDSecure } from '../gateway/direct-payment.ts';
import { shopItems } from '../gateway/items.ts';
import * as fields from '../gateway/payment-fields.ts';
import { amountText, optionalString, orderNoText, requiredText, string, text } from '../gateway/text.ts';

/** The common fields of direct and APM payments (§2.1, §2.3), without identity and notify_url, which the relay adds. */
const common = {
  ...fields.order,
  ...fields.amounts(shopAmount),
  items: shopItems
    .optional()
    .describe('The lines of the order. The relay writes them into the one text that the gateway wants.'),
  ...fields.shopper,
  ...fields.shopperIp,
  birth_date: birthDate.optional().describe('Date of birth as `DD-MM-YYYY`.'),
  ...fields.billing,
  ...fields.delivery,
  ...fields.device,
  metadata: metadata
    .optional()
    .describe(
      'Your own notes. Answers about the payment and its webhooks include them. A card number in them is masked.',
    ),
};

const direct = {
  ...common,
  ...directOrder,
  ...threeDSecure,
  ...shopNested,
  checkout_time: z
    .int()
    .min(0)
    .optional()
    .describe('When the shopper submitted the payment, in Unix seconds. Default: now.'),
  user_agent: text(4000).optional().describe('The shopper’s `User-Agent` header.'),
  accept: text(4000).optional().describe('The `Accept` header with which the shopper’s browser requests a page.'),
  security_code,
};

/** `POST /v1/payments` with a card that the shop has. `checkout_time` is in Unix seconds. Default: now. */
export const paymentByCard = z
  .strictObject({
    ...direct,
    ...cardFields,
  })
  .check(pricedOrder)
  .meta({
    name: 'PaymentByCard',
    description: 'With a card that you hold. Your server is then in the scope of PCI DSS.',
  });

/** `POST /v1/payments` with a token that the shop has. */
export const paymentByToken = z
  .strictObject({
    ...direct,
    token_id: requiredText().describe('The gateway’s token of a card.'),
    expiration_month: cardFields.expiration_month.optional(),
    expiration_year: cardFields.expiration_year.optional(),
  })
  .check(pricedOrder)
  .meta({ name: 'PaymentByToken', description: 'With a token of a card.' });

/**
 * `POST /v1/payments` by an alternative method. The shopper finally returns to `return_url`, after the relay has
 * queried the gateway.
 */
export const paymentByApm = z
  .strictObject({
    ...common,
    ...apmFields,
    amount: positiveShopAmount.describe(amountText),
    payment_method: requiredText().describe('The gateway’s name of the method.'),
    return_url: text(2000)
      .optional()
      .describe('Where the shopper goes at the end. It must be under one of the account’s `return_urls`.'),
  })
  .check(pricedOrder)
  .meta({ name: 'PaymentByApm', description: 'By an alternative payment method.' });

/**
 * The fields that select the means of payment. Each of the three schemas has only the fields of its own means.
 */
export const meansOfPayment = ['card', 'security_code', 'token_id', 'payment_method'] as const;

export const createPayment = z.union([paymentByCard, paymentByToken, paymentByApm]).meta({
  name: 'CreatePayment',
  description: 'A payment that your server makes: with a card, with a token, or by an alternative method.',
});
export type CreatePayment = z.infer<typeof createPayment>;

/** Optional fields of the gateway's answer about an approved payment (§2.2). */
export const paymentDetails = {
  connector: optionalString.describe('The connector that processed the payment.'),
  note: optionalString.describe('The gateway’s note to the payment.'),
  contract_name: optionalString.describe('The name of the contract that the payment began.'),
  recurring_deduction_period: optionalString.describe('The period, as the gateway wrote it.'),
  recurring_deduction_time: optionalString.describe('When the contract’s charge was made, as the gateway wrote it.'),
};

const ids = {
  id: string.describe('The id of the payment’s session: `GET /v1/sessions/{id}` returns its current status.'),
  order_no: string.describe(orderNoText),
  metadata: keptMetadata,
};

/** The outcome of a payment. `id` names its session: `GET /v1/sessions/:id` shows its progress. */
export const paymentAnswer = z
  .discriminatedUnion('status', [
    z.object({
      ...ids,
      status: z.literal('approved').describe('The outcome of the payment.'),
      transaction_id: string.describe('The gateway’s id of the payment.'),
      card: optionalString.describe('The card that paid, masked.'),
      result: result.optional().describe('The gateway’s result, without card data.'),
      recurring_id: optionalString.describe('The gateway’s id of the contract that the payment began.'),
      ...paymentDetails,
    }),
    z.object({
      ...ids,
      status: z.literal('declined').describe('The outcome of the payment.'),
      result: result.describe('The gateway’s result, without card data.'),
      advice: z.enum(advices).describe('What the shopper can do about a decline.'),
      transaction_id: optionalString.describe('The gateway’s id of the payment.'),
    }),
    z.object({
      ...ids,
      status: z.literal('redirect').describe('The outcome of the payment.'),
      redirect_url: z
        .url({ protocol: /^https?$/ })
        .describe('Send the shopper’s browser to this address at once. It is valid for 15 minutes.'),
    }),
    z.object({ ...ids, status: z.literal('pending').describe('The outcome of the payment.') }),
    z.object({ ...ids, status: z.literal('unknown').describe('The outcome of the payment.') }),
  ])
  .meta({ name: 'PaymentAnswer', description: 'The outcome of a payment.' });
export type PaymentAnswer = z.infer<typeof paymentAnswer>;

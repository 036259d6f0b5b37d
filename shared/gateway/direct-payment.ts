import { z } from 'zod';
import { type Amount, shopAmount, wireAmount } from './amount-fields.ts';
import { parseDate, possibleDate } from './dates.ts';
import * as fields from './payment-fields.ts';
import { currencyCode, fixedForm, optionalText, text } from './text.ts';

const finite = z.number().optional();
const price = z.number().min(0).optional();

/** §2.1 "Order": the fields that an APM payment does not have. */
export const directOrder = {
  price_id: fixedForm(optionalText).describe('The gateway’s id of a price.'),
  quote_id: fixedForm(optionalText).describe('The gateway’s id of a quote.'),
  quote_price: fixedForm(optionalText).describe('The price of the quote.'),
  storefront_domains: optionalText.describe('Domains of your shop.'),
  installments: fixedForm(optionalText).describe('The number of installments, such as `"3"`.'),
  installments_id: fixedForm(optionalText).describe('The gateway’s id of an installment plan.'),
  order_type: optionalText.describe('The kind of the order, in the gateway’s words.'),
};

/** §2.1 "Card and 3-D Secure": the fields that a shop may set. */
export const threeDSecure = {
  open3d: optionalText.describe('Whether to use 3-D Secure, in the gateway’s words.'),
  token_flag: optionalText.describe('Whether to make a token of the card, in the gateway’s words.'),
  challenge_window_size: optionalText.describe('Size of a 3-D Secure window: an EMV code from `01` to `05`.'),
  session_id: fixedForm(optionalText).describe('The session’s id at the anti-fraud vendor.'),
  antifraud_token_cookie: fixedForm(text(4000)).optional().describe('The cookie token of the anti-fraud vendor.'),
};

const cartItem = z
  .strictObject({
    basic_item_data: z
      .strictObject({
        name: optionalText.describe('The name of the line.'),
        quantity: fixedForm(optionalText).describe('The quantity, as a text.'),
        type: optionalText.describe('The kind of goods.'),
        price: z
          .strictObject({
            amount_usd: price.describe('The price in US dollars.'),
            amount_local_currency: price.describe('The price in the shopper’s currency.'),
            currency: currencyCode.optional().describe('ISO 4217 code of three capital letters.'),
          })
          .optional()
          .describe('The price as numbers. Only risk checks read it.'),
        category: optionalText.describe('The category of the goods.'),
        productId: fixedForm(optionalText).describe('Your id of the product.'),
      })
      .describe('One line of the cart.'),
  })
  .meta({ name: 'CartItem', description: 'One line of the cart, for risk checks.' });

const accountOwner = z
  .strictObject({
    first_name: optionalText.describe('First name.'),
    last_name: optionalText.describe('Last name.'),
    email: fixedForm(optionalText).describe('Email address of the account.'),
    account_id: fixedForm(optionalText).describe('Your id of the customer account.'),
    created: finite.describe('When the account was made, as a number.'),
    past_orders_count: finite.describe('The number of earlier orders of the account.'),
    past_orders_sum: finite.describe('The total of those orders.'),
    lastLogin_ip: fixedForm(optionalText).describe('The address of the last sign-in.'),
    registration_ip: fixedForm(optionalText).describe('The address from which the account was made.'),
  })
  .meta({ name: 'AccountOwner', description: 'A customer account, for risk checks.' });

const totalDiscount = z
  .strictObject({
    coupon_code_used: fixedForm(optionalText).describe('The coupon’s code.'),
    discount_type: optionalText.describe('The kind of discount.'),
  })
  .meta({ name: 'TotalDiscount', description: 'One coupon.' });

const additionalInformation = z
  .strictObject({
    mpi_info: z
      .strictObject({
        eci: fixedForm(optionalText).describe('Electronic commerce indicator.'),
        cavv: fixedForm(optionalText).describe('Cardholder authentication value.'),
        xid: fixedForm(optionalText).describe('Id of the authentication, version 1.'),
        dsTransID: fixedForm(optionalText).describe('Id of the authentication at the directory server, version 2.'),
      })
      .describe('The outcome of 3-D Secure.'),
  })
  .meta({ name: 'AdditionalInformation', description: 'One outcome of 3-D Secure.' });

/** A schema of a text. */
type Text = z.ZodType<string, string>;

/** §2.1: the terms of a contract. A request and an answer check them differently. */
export const termsOf = (text: Text, amount: Amount, count: z.ZodType<number, number>, day: Text) => ({
  contract: text.optional().describe('Your term for the contract.'),
  contract_name: fixedForm(text.optional()).describe('The contract’s name.'),
  contract_amount: amount.optional().describe('The amount of each later charge.'),
  interval: text.optional().describe('The unit of the time between charges.'),
  interval_count: fixedForm(text.optional()).describe('The number of these units between two charges.'),
  billing_cycle: count.optional().describe('The number of all charges.'),
  promotion_cycle: count.optional().describe('The number of promotional charges at the start.'),
  contract_start: day.optional().describe('When the contract begins.'),
  contract_end: day.optional().describe('The end of the contract.'),
  price_id: fixedForm(text.optional()).describe('The gateway’s id of a price.'),
});

const subscription = (amount: Amount) =>
  z
    .strictObject(termsOf(text(), amount, z.int().min(0), possibleDate))
    .refine(({ contract_start = '', contract_end = '' }) => !endsBefore(contract_start, contract_end), {
      path: ['contract_end'],
      message: 'must not be before contract_start',
    });

/** §2.1: the arrays and objects of a direct payment. */
const nested = <Subscription extends z.ZodType>(subscription: Subscription) => ({
  cart_items: z.array(cartItem).max(1000).optional().describe('The cart for risk checks. It is never charged.'),
  account_owner: z
    .array(accountOwner)
    .max(100)
    .optional()
    .describe('The customer account of the order, for risk checks.'),
  total_discount: z.array(totalDiscount).max(100).optional().describe('Coupons that were used.'),
  additional_information: z
    .array(additionalInformation)
    .max(100)
    .optional()
    .describe('The result of 3-D Secure, if you ran it yourself.'),
  subscription: subscription
    .optional()
    .describe(
      'The terms of a contract that this payment begins, if it is by card, typed or saved: no alternative method begins one. The form shows them before the shopper pays.',
    ),
});

/** The same as a shop sends them. */
export const shopNested = nested(
  subscription(shopAmount).meta({ name: 'Subscription', description: 'The terms of a recurring contract.' }),
);

/** §2.1: the whole body of a direct payment request on the wire. */
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
  token_id: fixedForm(optionalText),
  card: optionalText,
  expiration_month: optionalText,
  expiration_year: optionalText,
  security_code: optionalText,
  ...fields.notifyUrl,
  ...fields.billing,
  ...fields.device,
  user_agent: fixedForm(text(4000)).optional(),
  accept: fixedForm(text(4000)).optional(),
  ...fields.delivery,
  ...nested(subscription(wireAmount)),
});
export type DirectPaymentRequest = z.infer<typeof directPaymentRequest>;

/**
 * §2.2: the answer to a direct payment, as read from its XML. Every element is text, and unknown ones are kept.
 * `issuer_url` is only in §2.3, but a direct payment with one is followed in the same way.
 */
export const directPaymentAnswer = z.looseObject({
  merchant_id: fixedForm(z.string()).optional(),
  account_id: fixedForm(z.string()).optional(),
  order_no: fixedForm(z.string()).optional(),
  amount: fixedForm(z.string()).optional(),
  currency: fixedForm(z.string()).optional(),
  transaction_id: fixedForm(z.string()).optional(),
  card: z.string().optional(),
  order_status: z.string().optional(),
  result_info: z.string().optional(),
  contract_name: fixedForm(z.string()).optional(),
  recurring_id: fixedForm(z.string()).optional(),
  recurring_deduction_period: z.string().optional(),
  recurring_deduction_time: z.string().optional(),
  encryption_data: fixedForm(z.string()).optional(),
  note: z.string().optional(),
  connector: z.string().optional(),
  issuer_url: z.string().optional(),
});

/** Only dates of one known form can be compared as texts. */
function endsBefore(start: string, end: string): boolean {
  const isDate = (text: string): boolean => parseDate('YYYY-MM-DD', text) !== undefined;
  return isDate(start) && isDate(end) && end < start;
}

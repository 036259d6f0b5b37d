import { z } from 'zod';
import { redeliverBody, redeliverEvents } from '../../../shared/api/event.ts';
import { settleBody } from '../../../shared/api/operation.ts';
import * as payment from '../../../shared/api/payment.ts';
import { difference, reconciliationReport } from '../../../shared/api/reconciliation.ts';
import { settleSession } from '../../../shared/api/session.ts';
import * as pay from '../../../shared/checkout/pay.ts';
import * as session from '../../../shared/checkout/session.ts';
import { positiveShopAmount, shopAmount } from '../../../shared/gateway/amounts.ts';
import { apmPaymentRequest, person } from '../../../shared/gateway/apm-payment.ts';
import { date } from '../../../shared/gateway/dates.ts';
import { nested } from '../../../shared/gateway/direct-payment.ts';
import { shopItem, shopItems } from '../../../shared/gateway/items.ts';
import { payoutBody } from '../../../shared/gateway/payout/payout.ts';
import { refundBody } from '../../../shared/gateway/refund.ts';
import * as batches from '../../../shared/gateway/review-capture-cancel.ts';
import { countryCode, currencyCode, identifier, requiredText, text } from '../../../shared/gateway/text.ts';
import type { JsonSchema } from './json-schema.ts';
import { given, givenWith } from './left-out.ts';
import { CARD_NUMBER, LANGUAGE_TAG } from './patterns.ts';

/** What a schema is called in the document, and what it says there beside what zod can tell of it. */
export type Entry = { id: string } & JsonSchema;

const groups = nested(shopAmount);

type Entries = readonly (readonly [z.ZodType, Entry])[];

/** The named texts of every request. Equal schemas elsewhere become references to these. */
export const texts: Entries = [
  [text(), { id: 'Text', description: 'Text without control characters other than tabs and line ends.' }],
  [requiredText(), { id: 'FilledText', description: 'A text that is not empty.' }],
  [text(4000), { id: 'LongText', description: 'A longer text.' }],
  [identifier, { id: 'Identifier', description: 'A name of one thing: a single line.' }],
  [currencyCode, { id: 'CurrencyCode', description: 'An ISO 4217 currency code.' }],
  [countryCode, { id: 'CountryCode', description: 'An ISO 3166-1 alpha-2 country code.' }],
  [
    shopAmount,
    {
      id: 'Amount',
      description:
        'A decimal string with at most the decimals of its currency, two where that is not known. Never a number: money is not a float.',
    },
  ],
  [
    positiveShopAmount,
    {
      id: 'PositiveAmount',
      description:
        'A decimal string of more than zero with at most the decimals of its currency, two where that is not known.',
    },
  ],
  [date('DD-MM-YYYY'), { id: 'BirthDate', description: 'A real date, `DD-MM-YYYY`.' }],
  [date('YYYY-MM-DD'), { id: 'CalendarDate', description: 'A real date, `YYYY-MM-DD`.' }],
  [
    pay.cardNumber,
    {
      id: 'CardNumber',
      description: '12 to 19 digits; spaces and hyphens between them are left out.',
      pattern: CARD_NUMBER,
      writeOnly: true,
    },
  ],
  [pay.securityCode, { id: 'SecurityCode', description: 'Three or four digits.', writeOnly: true }],
  [pay.month, { id: 'Month', description: '`1` to `12`, with or without a leading zero.' }],
  [pay.year, { id: 'Year', description: 'Four digits or the last two.' }],
];

/** Every other named schema of what shops send. */
export const requests: Entries = [
  [person, { id: 'Person', description: 'Who pays by an alternative payment method.' }],
  [shopItem, { id: 'Item', description: 'One line of the order.' }],
  [
    shopItems,
    { id: 'Items', description: 'The lines of an order: a list, or the one string of the gateway’s own form.' },
  ],
  [groups.cart_items.unwrap().element, { id: 'CartItem', description: 'One line of the cart, for risk checks.' }],
  [groups.account_owner.unwrap().element, { id: 'AccountOwner', description: 'A customer account, for risk checks.' }],
  [groups.total_discount.unwrap().element, { id: 'TotalDiscount', description: 'One coupon.' }],
  [
    groups.additional_information.unwrap().element,
    { id: 'AdditionalInformation', description: 'One outcome of 3-D Secure.' },
  ],
  [groups.subscription.unwrap(), { id: 'Subscription', description: 'The terms of a recurring contract.' }],
  [session.order, { id: 'Order', description: 'One order: what is sold, for how much, to whom.' }],
  [session.installmentOption, { id: 'InstallmentOption', description: 'One installment plan.' }],
  [session.savedCard, { id: 'SavedCard', description: 'A card that the gateway has a token of.' }],
  [session.paymentMethod, { id: 'PaymentMethod', description: 'One way to pay.' }],
  [
    session.localeTag,
    { id: 'Locale', description: 'A BCP 47 language tag: language, script, region.', pattern: LANGUAGE_TAG },
  ],
  [session.createSession, { id: 'CreateSession', description: 'An order and how it may be paid.' }],
  [
    z.strictObject(session.orderFields.shape),
    {
      id: 'OrderChange',
      description:
        'Fields that replace those of the order, each one whole: `items`, `person` and `subscription` too. `null` and `""` take a field away. `order_no` may be there, but cannot change.',
    },
  ],
  [session.updateSession, { id: 'UpdateSession', description: 'Changes of an order that is not paid yet.' }],
  [
    payment.paymentByCard,
    { id: 'PaymentByCard', description: 'With a card that you hold. Your server is then in the scope of PCI DSS.' },
  ],
  [payment.paymentByToken, { id: 'PaymentByToken', description: 'With a token of a card.' }],
  [payment.paymentByApm, { id: 'PaymentByApm', description: 'By an alternative payment method.' }],
  [
    payment.createPayment,
    {
      id: 'CreatePayment',
      description: 'A payment that your server makes: with a card, with a token, or by an alternative method.',
    },
  ],
  [refundBody.shape.refund_orders.element, { id: 'RefundItem', description: 'One refund.' }],
  [batches.reviewBody.shape.review_orders.element, { id: 'ReviewItem', description: 'One decision.' }],
  [batches.captureBody.shape.capture_orders.element, { id: 'TransactionItem', description: 'One payment.' }],
  [payoutBody.shape.beneficiary.unwrap(), { id: 'Beneficiary', description: 'Who gets the money.' }],
  [payoutBody.shape.payer.unwrap(), { id: 'Payer', description: 'Who pays.' }],
  [payoutBody, { id: 'Payout', description: 'One payout.', ...payoutRules() }],
  [settleBody, { id: 'Settle', description: 'The decision of a person.' }],
  [
    settleSession,
    {
      id: 'SettleSession',
      description: 'The decision of a person by the gateway’s records: the order was paid, or it was not.',
    },
  ],
  [difference, { id: 'Difference', description: 'A difference between the relay’s records and the gateway’s.' }],
  [
    reconciliationReport,
    { id: 'ReconciliationReport', description: 'The result of a comparison with the gateway’s records.' },
  ],
  [redeliverBody, { id: 'EmptyBody', description: 'An empty object.' }],
  [
    redeliverEvents,
    {
      id: 'RedeliverEvents',
      description: 'Which webhooks to send again: by their ids, or those that were given up, the oldest first.',
    },
  ],
];

/** Every other named schema of what browsers send; the relay reads it as it is. */
export const formRequests: Entries = [
  [person, { id: 'FormPerson', description: 'Who pays by an alternative payment method, as the form sends it.' }],
  [pay.clientHints, { id: 'ClientHints', description: 'User-agent client hints.' }],
  [pay.device, { id: 'Device', description: 'The shopper’s device.' }],
  [pay.payByCard, { id: 'PayByCard', description: 'With a card that the shopper typed.' }],
  [pay.payByToken, { id: 'PayByToken', description: 'With one of the session’s saved cards.' }],
  [pay.payByApm, { id: 'PayByApm', description: 'By one of the session’s alternative methods.' }],
];

/** The rules between the fields of a payout, which zod checks by code. */
function payoutRules(): JsonSchema {
  return {
    allOf: [
      { anyOf: [given(['payment_amount']), given(['source_amount'])] },
      { anyOf: [given(['beneficiary']), given(['beneficiary_id'])] },
      givenWith('payment_amount', 'payment_currency'),
      givenWith('source_amount', 'source_currency'),
    ],
  };
}

/** Every field of an APM payment that a method may have the shopper asked for; the schema itself says which. */
export function askableFields(): string[] {
  const paths = [...Object.keys(apmPaymentRequest.shape), ...pathsIn(person, 'person.')];
  const method = { type: 'apm', payment_method: 'PIX', label: 'Pix' };
  return paths.filter((path) => session.paymentMethod.safeParse({ ...method, fields: [path] }).success);
}

function pathsIn(schema: z.ZodObject, prefix: string): string[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const inner: unknown = field instanceof z.ZodOptional ? field.unwrap() : field;
    return [`${prefix}${name}`, ...(inner instanceof z.ZodObject ? pathsIn(inner, `${prefix}${name}.`) : [])];
  });
}

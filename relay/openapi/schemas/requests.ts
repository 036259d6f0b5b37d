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
import { payoutBody } from '../../../shared/gateway/payout.ts';
import { refundBody } from '../../../shared/gateway/refund.ts';
import * as batches from '../../../shared/gateway/review-capture-cancel.ts';
import { countryCode, currencyCode, identifier, requiredText, text } from '../../../shared/gateway/text.ts';
import type { JsonSchema } from './json-schema.ts';
import { CARD_NUMBER, LANGUAGE_TAG } from './patterns.ts';

/** What a schema is called in the document, and what it says there beside what zod can tell of it. */
export type Entry = { id: string } & JsonSchema;

const groups = nested(shopAmount);

/** Every named schema of a request. Equal schemas elsewhere become references to these. */
export const requests: readonly (readonly [z.ZodType, Entry])[] = [
  [text(), { id: 'Text' }],
  [requiredText(), { id: 'FilledText' }],
  [text(4000), { id: 'LongText' }],
  [identifier, { id: 'Identifier' }],
  [currencyCode, { id: 'CurrencyCode' }],
  [countryCode, { id: 'CountryCode' }],
  [shopAmount, { id: 'Amount' }],
  [positiveShopAmount, { id: 'PositiveAmount' }],
  [date('DD-MM-YYYY'), { id: 'BirthDate' }],
  [date('YYYY-MM-DD'), { id: 'CalendarDate' }],
  [pay.cardNumber, { id: 'CardNumber', pattern: CARD_NUMBER, writeOnly: true }],
  [pay.securityCode, { id: 'SecurityCode', writeOnly: true }],
  [pay.month, { id: 'Month' }],
  [pay.year, { id: 'Year' }],
  [person, { id: 'Person' }],
  [shopItem, { id: 'Item' }],
  [shopItems, { id: 'Items' }],
  [groups.cart_items.unwrap().element, { id: 'CartItem' }],
  [groups.account_owner.unwrap().element, { id: 'AccountOwner' }],
  [groups.total_discount.unwrap().element, { id: 'TotalDiscount' }],
  [groups.additional_information.unwrap().element, { id: 'AdditionalInformation' }],
  [groups.subscription.unwrap(), { id: 'Subscription' }],
  [session.order, { id: 'Order' }],
  [session.installmentOption, { id: 'InstallmentOption' }],
  [session.savedCard, { id: 'SavedCard' }],
  [session.paymentMethod, { id: 'PaymentMethod' }],
  [session.localeTag, { id: 'Locale', pattern: LANGUAGE_TAG }],
  [session.createSession, { id: 'CreateSession' }],
  [session.orderFields.partial(), { id: 'OrderChange' }],
  [session.updateSession, { id: 'UpdateSession' }],
  [payment.paymentByCard, { id: 'PaymentByCard' }],
  [payment.paymentByToken, { id: 'PaymentByToken' }],
  [payment.paymentByApm, { id: 'PaymentByApm' }],
  [payment.createPayment, { id: 'CreatePayment' }],
  [refundBody.shape.refund_orders.element, { id: 'RefundItem' }],
  [batches.reviewBody.shape.review_orders.element, { id: 'ReviewItem' }],
  [batches.captureBody.shape.capture_orders.element, { id: 'TransactionItem' }],
  [payoutBody.shape.beneficiary.unwrap(), { id: 'Beneficiary' }],
  [payoutBody.shape.payer.unwrap(), { id: 'Payer' }],
  [payoutBody, { id: 'Payout', ...payoutRules() }],
  [settleBody, { id: 'Settle' }],
  [settleSession, { id: 'SettleSession' }],
  [difference, { id: 'Difference' }],
  [reconciliationReport, { id: 'ReconciliationReport' }],
  [redeliverBody, { id: 'EmptyBody' }],
  [redeliverEvents, { id: 'RedeliverEvents' }],
  [pay.clientHints, { id: 'ClientHints' }],
  [pay.device, { id: 'Device' }],
  [pay.payByCard, { id: 'PayByCard' }],
  [pay.payByToken, { id: 'PayByToken' }],
  [pay.payByApm, { id: 'PayByApm' }],
];

/** The rules between the fields of a payout, which zod checks by code. */
function payoutRules(): JsonSchema {
  return {
    allOf: [
      { anyOf: [{ required: ['payment_amount'] }, { required: ['source_amount'] }] },
      { anyOf: [{ required: ['beneficiary'] }, { required: ['beneficiary_id'] }] },
    ],
    dependentRequired: { payment_amount: ['payment_currency'], source_amount: ['source_currency'] },
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

import { z } from 'zod';
import { answerEnvelope } from './batch.ts';
import { date, dateOrInstant, parseDate } from './dates.ts';
import { identification } from './payment-fields.ts';
import {
  amountText,
  answerNote,
  answerPart,
  answerText,
  fixedForm,
  gatewayAnswer,
  identifier,
  optionalText,
  text,
} from './text.ts';

const filters = {
  platform_source: optionalText.describe('Only orders of this platform.'),
  order_status: optionalText.describe('Only payments in this state, in the gateway’s codes.'),
};

const wireTime = date('YYYY-MM-DD HH:MM:SS').optional().or(z.literal(''));
const shopTime = dateOrInstant('YYYY-MM-DD HH:MM:SS').optional();

/** The body of a shop's server, with lists as arrays. Times are in the gateway's own form or RFC 3339. */
export const queryBody = z
  .strictObject({
    orders: z.array(identifier).optional().describe('Orders to find, by your `order_no`.'),
    trades: z.array(identifier).optional().describe('Payments to find, by `transaction_id`.'),
    ...filters,
    query_start: shopTime.describe('From when: in the gateway’s own time, or RFC 3339 with an offset.'),
    query_end: shopTime.describe('Until when, in the same forms.'),
  })
  .refine(({ query_start = '', query_end = '' }) => !isAfter(query_start, query_end), {
    path: ['query_end'],
    message: 'must not be before query_start',
  })
  .meta({ name: 'Query', description: 'What to look for.' });

/** §4.1: the form parameters on the wire. An unused filter may be absent or empty. */
export const queryRequest = z.strictObject({
  ...identification,
  orders: fixedForm(text(100_000)).optional(),
  trades: fixedForm(text(100_000)).optional(),
  ...filters,
  query_start: wireTime,
  query_end: wireTime,
});
export type QueryRequest = z.infer<typeof queryRequest>;

/** §2.4: one order in a query's answer. Unknown fields are kept. */
export const orderRecord = z
  .looseObject({
    amount: fixedForm(answerText).describe(amountText),
    currency: fixedForm(answerText).describe('ISO 4217 code of three capital letters.'),
    order_no: fixedForm(answerText).describe('Your number of the order.'),
    service: answerNote.describe(
      'The field that the interface prints as “the service”. It travels under the name that the relay’s profile gives it.',
    ),
    platform_source: answerNote.describe('The shop platform that the order comes from.'),
    shopper_email: fixedForm(answerNote).describe('Email address.'),
    shopper_phone: fixedForm(answerNote).describe('Phone number.'),
    decline_reason: answerNote.describe('The reason of the decline.'),
    delivery_information: answerPart({
      delivery_address: answerNote.describe('Delivery address: street and number.'),
      delivery_city: answerNote.describe('Delivery address: city.'),
      delivery_country: fixedForm(answerNote).describe('Delivery address: ISO 3166 code of the country.'),
      delivery_firstname: answerNote.describe('First name of the recipient.'),
      delivery_lastname: answerNote.describe('Last name of the recipient.'),
      delivery_postal_code: fixedForm(answerNote).describe('Delivery address: postal code.'),
      delivery_state: answerNote.describe('Delivery address: state.'),
    }).describe('Where the goods go.'),
    antifraud_provider: answerNote.describe('The provider of the fraud check.'),
    fraud_check_result: z
      .array(
        z.looseObject({
          check_items: answerNote.describe('The checked items.'),
          status: answerNote.describe('`ACCEPT`, `REJECT` or another word of the gateway.'),
        }),
      )
      .nullish()
      .catch(undefined)
      .describe('The results of the checks.'),
    is3ds: answerNote.describe('Whether 3-D Secure was used.'),
    payment_status: answerText.describe('The payment’s state, in the gateway’s codes.'),
    query_result: answerNote.describe('Whether the query found it.'),
    reference_no: fixedForm(answerNote).describe('Reference number.'),
    transaction_id: fixedForm(answerText).describe('The gateway’s id of the payment.'),
    transaction_date: fixedForm(answerNote).describe('The time of the payment, `YYYYMMDDHHMMSS`.'),
    subscription_result: answerPart({
      contract_name: fixedForm(answerNote).describe('The contract’s name.'),
      recurring_deduction_period: answerNote.describe('The period, as the gateway wrote it.'),
      recurring_deduction_time: answerNote.describe('The day of the charge.'),
      recurring_id: fixedForm(answerNote).describe('The gateway’s id of the contract.'),
      recurring_status: answerNote.describe('The contract’s state, in the gateway’s codes.'),
    }).describe('The contract of the payment.'),
  })
  .meta({ name: 'OrderRecord', description: 'The gateway’s record of a payment.' });
export type OrderRecord = z.infer<typeof orderRecord>;

/** §4.1: the answer to a query. */
export const queryAnswer = z
  .looseObject({
    ...answerEnvelope,
    orders_list: z.array(orderRecord).nullish().describe('The payments that were found.'),
  })
  .meta({ name: 'QueryAnswer', description: gatewayAnswer });

/**
 * The fields that every answer must have. Each record is read separately, so that a wrong one does not affect the
 * others.
 */
export const queryEnvelope = queryAnswer.extend({ orders_list: z.array(z.unknown()).nullish() });

/** Only times of one form can be compared as texts. The gateway compares an instant with its own time. */
function isAfter(start: string, end: string): boolean {
  const isLocal = (time: string): boolean => parseDate('YYYY-MM-DD HH:MM:SS', time) !== undefined;
  return isLocal(start) && isLocal(end) && start > end;
}

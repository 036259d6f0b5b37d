import { z } from 'zod';
import { date, dateOrInstant, parseDate } from './dates.ts';
import { identification } from './payment-fields.ts';
import { answerNote, answerText, identifier, optionalText, text } from './text.ts';

const filters = {
  platform_source: optionalText,
  order_status: optionalText,
};

const wireTime = date('YYYY-MM-DD HH:MM:SS').optional().or(z.literal(''));
const shopTime = dateOrInstant('YYYY-MM-DD HH:MM:SS').optional();

/** What a shop's server sends to the relay; lists are arrays here. Times are the gateway's own, or RFC 3339. */
export const queryBody = z
  .strictObject({
    orders: z.array(identifier).optional(),
    trades: z.array(identifier).optional(),
    ...filters,
    query_start: shopTime,
    query_end: shopTime,
  })
  .refine(({ query_start = '', query_end = '' }) => !isAfter(query_start, query_end), {
    path: ['query_end'],
    message: 'must not be before query_start',
  });

/** §4.1: the form parameters on the wire. An unused filter may be absent or empty. */
export const queryRequest = z.strictObject({
  ...identification,
  orders: text(100_000).optional(),
  trades: text(100_000).optional(),
  ...filters,
  query_start: wireTime,
  query_end: wireTime,
});
export type QueryRequest = z.infer<typeof queryRequest>;

/** §2.4: one order in a query's answer. Unknown fields are kept. */
export const orderRecord = z.looseObject({
  amount: answerText,
  currency: answerText,
  order_no: answerText,
  service: answerNote,
  platform_source: answerNote,
  shopper_email: answerNote,
  shopper_phone: answerNote,
  decline_reason: answerNote,
  delivery_information: z
    .looseObject({
      delivery_address: answerNote,
      delivery_city: answerNote,
      delivery_country: answerNote,
      delivery_firstname: answerNote,
      delivery_lastname: answerNote,
      delivery_postal_code: answerNote,
      delivery_state: answerNote,
    })
    .nullish()
    .catch(undefined),
  antifraud_provider: answerNote,
  fraud_check_result: z
    .array(z.looseObject({ check_items: answerNote, status: answerNote }))
    .nullish()
    .catch(undefined),
  is3ds: answerNote,
  payment_status: answerText,
  query_result: answerNote,
  reference_no: answerNote,
  transaction_id: answerText,
  transaction_date: answerNote,
  subscription_result: z
    .looseObject({
      contract_name: answerNote,
      recurring_deduction_period: answerNote,
      recurring_deduction_time: answerNote,
      recurring_id: answerNote,
      recurring_status: answerNote,
    })
    .nullish()
    .catch(undefined),
});
export type OrderRecord = z.infer<typeof orderRecord>;

/** §4.1: the answer to a query. */
export const queryAnswer = z.looseObject({
  merchant_id: answerText,
  account_id: answerText,
  return_status: answerText,
  return_message: answerText,
  encryption_data: answerText,
  orders_list: z.array(orderRecord).nullish(),
});
export type QueryAnswer = z.infer<typeof queryAnswer>;

/** What must be right for an answer to be one at all. Each record is read by itself: one that is wrong hides no other. */
export const queryEnvelope = queryAnswer.extend({ orders_list: z.array(z.unknown()).nullish() });

/** Only times of one form can be compared as texts; an instant and the gateway's own time are left to the gateway. */
function isAfter(start: string, end: string): boolean {
  const isLocal = (time: string): boolean => parseDate('YYYY-MM-DD HH:MM:SS', time) !== undefined;
  return isLocal(start) && isLocal(end) && start > end;
}

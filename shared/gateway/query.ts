import { z } from 'zod';
import { date, dateOrInstant } from './dates.ts';
import { identification } from './payment-fields.ts';
import { answerText, identifier, optionalText, text } from './text.ts';

const filters = {
  platform_source: optionalText,
  order_status: optionalText,
};

const wireTime = date('YYYY-MM-DD HH:MM:SS').optional().or(z.literal(''));
const shopTime = dateOrInstant('YYYY-MM-DD HH:MM:SS').optional();

/** What a shop's server sends to the relay; lists are arrays here. Times are the gateway's own, or RFC 3339. */
export const queryBody = z.strictObject({
  orders: z.array(identifier).optional(),
  trades: z.array(identifier).optional(),
  ...filters,
  query_start: shopTime,
  query_end: shopTime,
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
  service: answerText,
  platform_source: answerText,
  shopper_email: answerText,
  shopper_phone: answerText,
  decline_reason: answerText,
  delivery_information: z
    .looseObject({
      delivery_address: answerText,
      delivery_city: answerText,
      delivery_country: answerText,
      delivery_firstname: answerText,
      delivery_lastname: answerText,
      delivery_postal_code: answerText,
      delivery_state: answerText,
    })
    .nullish(),
  antifraud_provider: answerText,
  fraud_check_result: z.array(z.looseObject({ check_items: answerText, status: answerText })).nullish(),
  is3ds: answerText,
  payment_status: answerText,
  query_result: answerText,
  reference_no: answerText,
  transaction_id: answerText,
  transaction_date: answerText,
  subscription_result: z
    .looseObject({
      contract_name: answerText,
      recurring_deduction_period: answerText,
      recurring_deduction_time: answerText,
      recurring_id: answerText,
      recurring_status: answerText,
    })
    .nullish(),
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

import { z } from 'zod';
import { date } from './dates.ts';
import { identification } from './payment-fields.ts';
import { identifier, optionalText, text } from './text.ts';

const filters = {
  platform_source: optionalText,
  order_status: optionalText,
  query_start: date('YYYY-MM-DD HH:MM:SS').optional(),
  query_end: date('YYYY-MM-DD HH:MM:SS').optional(),
};

/** What a shop's server sends to the relay; lists are arrays here. */
export const queryBody = z.strictObject({
  orders: z.array(identifier).optional(),
  trades: z.array(identifier).optional(),
  ...filters,
});

/** §4.1: the form parameters on the wire. An unused filter may be absent or empty. */
export const queryRequest = z.strictObject({
  ...identification,
  orders: text(100_000).optional(),
  trades: text(100_000).optional(),
  platform_source: optionalText,
  order_status: optionalText,
  query_start: filters.query_start.or(z.literal('')),
  query_end: filters.query_end.or(z.literal('')),
});
export type QueryRequest = z.infer<typeof queryRequest>;

const some = z.string().optional();

/** §2.4: one order in a query's answer. Unknown fields are kept. */
export const orderRecord = z.looseObject({
  amount: some,
  currency: some,
  order_no: some,
  service: some,
  platform_source: some,
  shopper_email: some,
  shopper_phone: some,
  decline_reason: some,
  delivery_information: z
    .looseObject({
      delivery_address: some,
      delivery_city: some,
      delivery_country: some,
      delivery_firstname: some,
      delivery_lastname: some,
      delivery_postal_code: some,
      delivery_state: some,
    })
    .optional(),
  antifraud_provider: some,
  fraud_check_result: z.array(z.looseObject({ check_items: some, status: some })).optional(),
  is3ds: some,
  payment_status: some,
  query_result: some,
  reference_no: some,
  transaction_id: some,
  transaction_date: some,
  subscription_result: z
    .looseObject({
      contract_name: some,
      recurring_deduction_period: some,
      recurring_deduction_time: some,
      recurring_id: some,
      recurring_status: some,
    })
    .optional(),
});
export type OrderRecord = z.infer<typeof orderRecord>;

/** §4.1: the answer to a query. */
export const queryAnswer = z.looseObject({
  merchant_id: some,
  account_id: some,
  return_status: some,
  return_message: some,
  encryption_data: some,
  orders_list: z.array(orderRecord).optional(),
});
export type QueryAnswer = z.infer<typeof queryAnswer>;

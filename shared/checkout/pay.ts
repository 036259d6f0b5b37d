import { z } from 'zod';
import { person } from '../gateway/apm-payment.ts';
import { date } from '../gateway/dates.ts';
import * as fields from '../gateway/payment-fields.ts';
import { optionalText, requiredText, text } from '../gateway/text.ts';
import type { Advice, Result } from './status.ts';

const brand = z.strictObject({ brand: text(100), version: text(100) });

/** User-agent client hints as the browser's `getHighEntropyValues` gives them. */
export const clientHints = z.strictObject({
  brands: z.array(brand).max(20).optional(),
  fullVersionList: z.array(brand).max(20).optional(),
  mobile: z.boolean().optional(),
  model: text(200).optional(),
  platform: text(100).optional(),
  platformVersion: text(100).optional(),
});
export type ClientHints = z.infer<typeof clientHints>;

/** What the form knows of the device. All of it may be missing: a payment never waits for it. */
export const device = z.strictObject({
  ...fields.device,
  device_type: optionalText,
  /** The `Accept` header with which the browser asked for the form's page. */
  accept: optionalText,
  antifraud_token_cookie: text(4000).optional(),
  challenge_window_size: z.enum(['01', '02', '03', '04', '05']).optional(),
  client_hints: clientHints.optional(),
});
export type Device = z.infer<typeof device>;

export const cardNumber = z
  .string()
  .max(40)
  .transform((value) => value.replace(/[\s-]/g, ''))
  .refine((value) => /^\d{12,19}$/.test(value), 'must be a card number of 12 to 19 digits');
export const month = z
  .string()
  .regex(/^(0?[1-9]|1[0-2])$/, 'must be a month, 01 to 12')
  .transform((value) => value.padStart(2, '0'));
export const year = z
  .string()
  .regex(/^(\d\d|20\d\d)$/, 'must be a year of two or four digits')
  .transform((value) => (value.length === 2 ? `20${value}` : value));
export const securityCode = z.string().regex(/^\d{3,4}$/, 'must be three or four digits');

const common = {
  revision: z.int().min(1).optional(),
  device: device.optional(),
  ...fields.shopper,
  birth_date: date('DD-MM-YYYY').optional(),
  ...fields.billing,
  ...fields.delivery,
};

const choices = { installments: optionalText, installments_id: optionalText, token_flag: optionalText };

/** A payment with a card that the shopper typed. */
export const payByCard = z.strictObject({
  card: cardNumber,
  expiration_month: month,
  expiration_year: year,
  security_code: securityCode.optional(),
  ...choices,
  ...common,
});

/** A payment with one of the session's saved cards. */
export const payByToken = z.strictObject({
  token_id: requiredText(),
  security_code: securityCode.optional(),
  ...choices,
  ...common,
});

/** A payment by one of the session's alternative payment methods. */
export const payByApm = z.strictObject({
  payment_method: requiredText(),
  bank_code: optionalText,
  person: person.optional(),
  delivery_district_name: optionalText,
  delivery_street_name: optionalText,
  ...common,
});

export type PayByCard = z.infer<typeof payByCard>;
export type PayByToken = z.infer<typeof payByToken>;
export type PayByApm = z.infer<typeof payByApm>;

/** What `POST /checkout/api/pay` answers with 200. */
export type PayAnswer =
  | { status: 'approved'; order_no: string; transaction_id: string; card: string; result: Result }
  | { status: 'declined'; result: Result; advice: Advice; attempts_left: number }
  | { status: 'redirect'; redirect_url: string }
  | { status: 'pending' }
  | { status: 'unknown' };

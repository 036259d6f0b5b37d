import { z } from 'zod';
import { apmFields } from '../gateway/apm-payment.ts';
import { birthDate } from '../gateway/dates.ts';
import * as fields from '../gateway/payment-fields.ts';
import { optionalText, orderNoText, requiredText, string, text } from '../gateway/text.ts';
import { advices } from './status.ts';

/** `result_info` of §2.2, split at its first colon; a message without card data. */
export const result = z
  .object({
    code: string.describe('The gateway’s code, such as `0000`.'),
    message: string.describe('The gateway’s message.'),
  })
  .meta({ name: 'Result', description: 'A code and words of the gateway.' });
export type Result = z.infer<typeof result>;

const brand = z.strictObject({
  brand: text(100).describe('Name of the browser or its engine.'),
  version: text(100).describe('Its version.'),
});

/** User-agent client hints as the browser's `getHighEntropyValues` gives them. */
const clientHints = z
  .strictObject({
    brands: z.array(brand).max(20).optional().describe('Browsers and their major versions.'),
    fullVersionList: z.array(brand).max(20).optional().describe('Browsers and their full versions.'),
    mobile: z.boolean().optional().describe('Whether the device is mobile.'),
    model: text(200).optional().describe('The device’s model.'),
    platform: text(100).optional().describe('The operating system.'),
    platformVersion: text(100).optional().describe('Its version.'),
  })
  .meta({ name: 'ClientHints', description: 'User-agent client hints.' });
export type ClientHints = z.infer<typeof clientHints>;

/** The form's data about the device. All of it is optional: a payment never waits for it. */
export const device = z
  .strictObject({
    ...fields.device,
    device_type: optionalText.describe('The kind of device. Default: read from the `User-Agent`.'),
    /** The `Accept` header with which the browser asked for the form's page. */
    accept: optionalText.describe('The `Accept` header with which the shopper’s browser requests a page.'),
    antifraud_token_cookie: text(4000).optional().describe('The cookie token of the anti-fraud vendor.'),
    challenge_window_size: z
      .enum(['01', '02', '03', '04', '05'])
      .optional()
      .describe('Size of a 3-D Secure window: an EMV code from `01` to `05`.'),
    client_hints: clientHints.optional().describe('User-agent client hints as the browser gives them.'),
  })
  .meta({ name: 'Device', description: 'The shopper’s device.' });
export type Device = z.infer<typeof device>;

export const cardNumber = z
  .string()
  .max(40)
  .transform((value) => value.replace(/[\s-]/g, ''))
  .refine((value) => /^\d{12,19}$/.test(value), 'must be a card number of 12 to 19 digits')
  .meta({
    name: 'CardNumber',
    description: '12 to 19 digits; spaces and hyphens between them are left out.',
    pattern: '^[0-9](?:[ -]?[0-9]){11,18}$',
    writeOnly: true,
  });
const month = z
  .string()
  .regex(/^(0?[1-9]|1[0-2])$/, 'must be a month, 01 to 12')
  .transform((value) => value.padStart(2, '0'))
  .meta({ name: 'Month', description: '`1` to `12`, with or without a leading zero.' });
const year = z
  .string()
  .regex(/^(\d\d|20\d\d)$/, 'must be a year of two or four digits')
  .transform((value) => (value.length === 2 ? `20${value}` : value))
  .meta({ name: 'Year', description: 'Four digits or the last two.' });
const securityCode = z
  .string()
  .regex(/^\d{3,4}$/, 'must be three or four digits')
  .meta({ name: 'SecurityCode', description: 'Three or four digits.', writeOnly: true });

/** The card data of a payment. */
export const cardFields = {
  card: cardNumber.describe('The card number. It is sent to the gateway, and is not stored.'),
  expiration_month: month.describe('Month in which the card expires, `1` to `12`, with or without a leading zero.'),
  expiration_year: year.describe('Year in which the card expires, of four digits or two.'),
};
export const security_code = securityCode
  .optional()
  .describe('The security code of the card. It is in memory during this request only, and is not stored.');

const common = {
  revision: z.int().min(1).optional().describe('The revision of the order that was shown. Default: 1.'),
  device: device.optional().describe('The form’s data about the device. All of it is optional.'),
  ...fields.shopper,
  birth_date: birthDate.optional().describe('Date of birth as `DD-MM-YYYY`.'),
  ...fields.billing,
  ...fields.delivery,
};

const choices = {
  installments: optionalText.describe('The number of installments, such as `"3"`.'),
  installments_id: optionalText.describe('The gateway’s id of an installment plan.'),
  token_flag: optionalText.describe('Whether to make a token of the card, in the gateway’s words.'),
};

/** A payment with a card that the shopper typed. */
export const payByCard = z
  .strictObject({
    ...cardFields,
    security_code,
    ...choices,
    ...common,
  })
  .meta({ name: 'PayByCard', description: 'With a card that the shopper typed.' });

/** A payment with one of the session's saved cards. */
export const payByToken = z
  .strictObject({
    token_id: requiredText().describe('The gateway’s token of a card.'),
    security_code,
    ...choices,
    ...common,
  })
  .meta({ name: 'PayByToken', description: 'With one of the session’s saved cards.' });

/** `POST /checkout/api/remove-card`: the saved card that the shopper removes. */
export const removeCard = z
  .strictObject({ token_id: requiredText().describe('The gateway’s token of the card.') })
  .meta({ name: 'RemoveCard', description: 'A saved card of the session.' });

/** A payment by one of the session's alternative payment methods. */
export const payByApm = z
  .strictObject({
    payment_method: requiredText().describe('The gateway’s name of the method.'),
    ...apmFields,
    ...common,
  })
  .meta({ name: 'PayByApm', description: 'By one of the session’s alternative methods.' });

export type PayByCard = z.infer<typeof payByCard>;
export type PayByToken = z.infer<typeof payByToken>;
export type PayByApm = z.infer<typeof payByApm>;

/** The answer of `POST /checkout/api/pay` with 200. */
export const payAnswer = z
  .discriminatedUnion('status', [
    z.object({
      status: z.literal('approved').describe('The outcome of the attempt.'),
      order_no: string.describe(orderNoText),
      transaction_id: string.describe('The gateway’s id of the payment.'),
      card: string.describe('The card that paid, masked; empty if the gateway did not send it.'),
      result: result.describe('The gateway’s result, without card data.'),
    }),
    z.object({
      status: z.literal('declined').describe('The outcome of the attempt.'),
      result: result.describe('The gateway’s result, without card data.'),
      advice: z.enum(advices).describe('What the shopper can do about a decline.'),
      attempts_left: z.int().min(0).describe('The number of attempts that the shopper has left.'),
    }),
    z.object({
      status: z.literal('redirect').describe('The outcome of the attempt.'),
      redirect_url: string.describe('Send the shopper’s browser to this address at once. It is valid for 15 minutes.'),
    }),
    z.object({ status: z.literal('pending').describe('The outcome of the attempt.') }),
    z.object({ status: z.literal('unknown').describe('The outcome of the attempt.') }),
  ])
  .meta({ name: 'PayAnswer', description: 'The outcome of the shopper’s attempt.' });
export type PayAnswer = z.infer<typeof payAnswer>;

import { z } from 'zod';
import { inCurrency } from '../amounts.ts';
import { noted, notedResult, ofEarlierVersion } from '../batch.ts';
import { calendarDate } from '../dates.ts';
import { identification } from '../payment-fields.ts';
import {
  answerNote,
  answerPart,
  answerText,
  currencyCode,
  fixedForm,
  gatewayAnswer,
  optionalText,
  requiredText,
  text,
} from '../text.ts';
import * as fields from './payout-fields.ts';

const decimals = /^(?!0+(\.0+)?$)\d{1,15}(\.\d{1,10})?$/;

/** §2.9: payout amounts are sent unchanged; the sample has no decimals. */
const payoutAmount = fixedForm(z.string('must be a decimal string such as "1000"'))
  .regex(decimals, 'must be a decimal string of more than zero such as "1000" or "1000.50"')
  .meta({
    name: 'PayoutAmount',
    description: 'A decimal string of more than zero with at most the decimals of its currency.',
  });

const requestId = fixedForm(z.string()).regex(
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  'must be a UUID, new for each payout',
);

const notifyUrl = fixedForm(text(2000))
  .regex(/^https?:\/\/[^\s]+$/, 'must be an absolute http or https URL')
  .refine((value) => URL.canParse(value), 'must be an absolute http or https URL');

const dateOfBirth = {
  date_of_birth: calendarDate.optional().describe('Date of birth, `YYYY-MM-DD`.'),
};

const beneficiary = z
  .strictObject({
    ...fields.partyOf(optionalText),
    ...dateOfBirth,
    additional_info: z
      .strictObject(fields.beneficiaryInfoOf(optionalText))
      .optional()
      .describe('More about the party.'),
    address: z.strictObject(fields.beneficiaryAddressOf(optionalText)).optional().describe('The address.'),
    person_documents: z
      .array(
        z.strictObject({
          file_type: optionalText.describe('Media type of the file.'),
          file_url: fixedForm(text(2000)).optional().describe('Where the file is.'),
          labels: z.array(text()).max(100).optional().describe('The type of the document.'),
        }),
      )
      .max(100)
      .optional()
      .describe('Documents about the person.'),
    bank_details: z.strictObject(fields.bankDetailsOf(optionalText)).optional().describe('The bank account.'),
  })
  .meta({ name: 'Beneficiary', description: 'The beneficiary of a payout.' });

const payer = z
  .strictObject({
    ...fields.partyOf(optionalText),
    ...dateOfBirth,
    additional_info: z.strictObject(fields.payerInfoOf(optionalText)).optional().describe('More about the party.'),
    address: z.strictObject(fields.payerAddressOf(optionalText)).optional().describe('The address.'),
  })
  .meta({ name: 'Payer', description: 'The payer of a payout.' });

const request = {
  ...fields.fieldsOf(optionalText),
  client_data: text(4000).optional().describe('Your own data, forwarded unchanged.'),
  payment_amount: payoutAmount
    .optional()
    .describe('The amount that the beneficiary receives, as a decimal string: `"1000"`. Give this or `source_amount`.'),
  payment_currency: currencyCode.optional().describe('Its currency. Needed with `payment_amount`.'),
  source_amount: payoutAmount
    .optional()
    .describe('The amount that you pay, as a decimal string. Give this or `payment_amount`.'),
  source_currency: currencyCode.optional().describe('Its currency. Needed with `source_amount`.'),
  payment_date: calendarDate.optional().describe('The day of the payout, `YYYY-MM-DD`.'),
  request_id: requestId.describe('A UUID that identifies this payout. An account can use it only once.'),
  notify_url: notifyUrl
    .optional()
    .describe('Where the gateway sends notifications about the payout. Default: an address of the relay.'),
  beneficiary: beneficiary.optional().describe('The beneficiary.'),
  payer: payer.optional().describe('The payer.'),
};

/** The body of a shop's server: the payee, the amount, and a request_id that identifies this payout. */
export const payoutBody = z
  .strictObject({
    ...request,
    beneficiary_id: fixedForm(requiredText())
      .optional()
      .describe('The gateway’s id of a registered beneficiary. Give this or `beneficiary`.'),
  })
  .refine((body) => body.payment_amount !== undefined || body.source_amount !== undefined, {
    path: ['payment_amount'],
    message: 'give payment_amount or source_amount',
  })
  .refine((body) => body.payment_amount === undefined || body.payment_currency !== undefined, {
    path: ['payment_currency'],
    message: 'must be given with payment_amount',
  })
  .refine((body) => body.source_amount === undefined || body.source_currency !== undefined, {
    path: ['source_currency'],
    message: 'must be given with source_amount',
  })
  .refine((body) => isIn(body.payment_amount, body.payment_currency), {
    path: ['payment_amount'],
    message: 'has more decimals than its currency',
  })
  .refine((body) => isIn(body.source_amount, body.source_currency), {
    path: ['source_amount'],
    message: 'has more decimals than its currency',
  })
  .refine((body) => body.beneficiary !== undefined || body.beneficiary_id !== undefined, {
    path: ['beneficiary'],
    message: 'give beneficiary or beneficiary_id',
  })
  .meta({ name: 'Payout', description: 'One payout.' });

/** Whether an amount has at most the decimals of its currency; true for a missing amount. */
function isIn(amount: string | undefined, currency = ''): boolean {
  return amount === undefined || !decimals.test(amount) || inCurrency(amount, currency) !== undefined;
}

/** §2.9: the request on the wire. */
export const payoutRequest = z.strictObject({ ...identification, ...request });
export type PayoutRequest = z.infer<typeof payoutRequest>;

const answerNumber = z.number().nullish().catch(undefined);

/** §2.10: the answer repeats the request and adds its outcome. The amounts of the request stay strings. */
export const payoutAnswer = z.looseObject({
  merchant_id: fixedForm(answerText).describe('Your number at the gateway.'),
  account_id: fixedForm(answerText).describe('Your account at the gateway.'),
  encryption_data: fixedForm(answerText).describe('The gateway’s signature. The relay has checked it.'),
  ...fields.fieldsOf(answerNote),
  payment_amount: fixedForm(answerText).describe(
    'The amount that the beneficiary receives, as a decimal string: `"1000"`. Give this or `source_amount`.',
  ),
  payment_currency: fixedForm(answerText).describe('Its currency. Needed with `payment_amount`.'),
  source_amount: fixedForm(answerText).describe(
    'The amount that you pay, as a decimal string. Give this or `payment_amount`.',
  ),
  source_currency: fixedForm(answerText).describe('Its currency. Needed with `source_amount`.'),
  payment_date: fixedForm(answerNote).describe('The day of the payout, `YYYY-MM-DD`.'),
  request_id: fixedForm(answerText).describe('A UUID that identifies this payout. An account can use it only once.'),
  notify_url: fixedForm(answerNote).describe(
    'Where the gateway sends notifications about the payout. Default: an address of the relay.',
  ),
  beneficiary: answerPart({
    ...fields.partyOf(answerNote),
    date_of_birth: fixedForm(answerNote).describe('Date of birth, `YYYY-MM-DD`.'),
    additional_info: answerPart(fields.beneficiaryInfoOf(answerNote)).describe('More about the party.'),
    address: answerPart(fields.beneficiaryAddressOf(answerNote)).describe('The address.'),
    person_documents: z
      .array(
        z.looseObject({
          file_type: answerNote.describe('Media type of the file.'),
          file_url: fixedForm(answerNote).describe('Where the file is.'),
          labels: z.array(z.string()).nullish().catch(undefined).describe('The type of the document.'),
        }),
      )
      .nullish()
      .catch(undefined)
      .describe('Documents about the person.'),
    bank_details: answerPart({
      ...fields.bankDetailsOf(answerNote),
      local_clearing_system: answerNote.describe('The clearing system that is used.'),
    }).describe('The bank account.'),
  }).describe('The beneficiary.'),
  payer: answerPart({
    ...fields.partyOf(answerNote),
    date_of_birth: fixedForm(answerNote).describe('Date of birth, `YYYY-MM-DD`.'),
    additional_info: answerPart(fields.payerInfoOf(answerNote)).describe('More about the party.'),
    address: answerPart(fields.payerAddressOf(answerNote)).describe('The address.'),
  }).describe('The payer.'),
  amount_beneficiary_receives: answerNumber.describe('The amount that the beneficiary receives.'),
  amount_payer_pays: answerNumber.describe('The amount that the payer pays.'),
  fee_amount: answerNumber.describe('The fee of the payout.'),
  fee_currency: fixedForm(answerNote).describe('Its currency.'),
  created_at: fixedForm(answerNote).describe('When the gateway took it, with its offset: `2027-03-31T10:15:00+0000`.'),
  last_updated_at: fixedForm(answerNote).describe('The time of the last change.'),
  failure_reason: answerNote.describe('The reason of the failure.'),
  failure_type: answerNote.describe('The kind of failure.'),
  payer_id: fixedForm(answerNote).describe('The gateway’s id of the payer.'),
  transaction_id: fixedForm(answerText).describe('The gateway’s id of the payout.'),
  short_reference_id: fixedForm(answerNote).describe('A short id of the payout.'),
  status: answerText.describe('The payout’s state, in the gateway’s words, such as `COMPLETED`.'),
});
export type PayoutAnswer = z.infer<typeof payoutAnswer>;

/** The relay's answer. */
export const payoutReply = payoutAnswer
  .extend({
    ...noted,
    outcome: notedResult.outcome.describe(
      `The meaning of \`status\` by the gateway’s codes. \`unknown\`: the payout is in progress, or may have been made. ${ofEarlierVersion}`,
    ),
  })
  .meta({ name: 'PayoutAnswer', description: gatewayAnswer });

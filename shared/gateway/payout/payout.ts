import { z } from 'zod';
import { inCurrency } from '../amounts.ts';
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

/** §2.9: payout amounts travel as they are given; the sample has no decimals. */
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
  date_of_birth: calendarDate.optional().meta({ description: 'Date of birth, `YYYY-MM-DD`.' }),
};

const beneficiary = z
  .strictObject({
    ...fields.partyOf(optionalText),
    ...dateOfBirth,
    additional_info: z
      .strictObject(fields.beneficiaryInfoOf(optionalText))
      .optional()
      .meta({ description: 'More about the party.' }),
    address: z.strictObject(fields.beneficiaryAddressOf(optionalText)).optional().meta({ description: 'The address.' }),
    person_documents: z
      .array(
        z.strictObject({
          file_type: optionalText.meta({ description: 'Media type of the file.' }),
          file_url: fixedForm(text(2000)).optional().meta({ description: 'Where the file is.' }),
          labels: z.array(text()).max(100).optional().meta({ description: 'What the document is.' }),
        }),
      )
      .max(100)
      .optional()
      .meta({ description: 'Documents about the person.' }),
    bank_details: z
      .strictObject(fields.bankDetailsOf(optionalText))
      .optional()
      .meta({ description: 'The bank account.' }),
  })
  .meta({ name: 'Beneficiary', description: 'The beneficiary of a payout.' });

const payer = z
  .strictObject({
    ...fields.partyOf(optionalText),
    ...dateOfBirth,
    additional_info: z
      .strictObject(fields.payerInfoOf(optionalText))
      .optional()
      .meta({ description: 'More about the party.' }),
    address: z.strictObject(fields.payerAddressOf(optionalText)).optional().meta({ description: 'The address.' }),
  })
  .meta({ name: 'Payer', description: 'The payer of a payout.' });

const request = {
  ...fields.fieldsOf(optionalText),
  client_data: text(4000).optional().meta({ description: 'Data of your own, handed on as it is.' }),
  payment_amount: payoutAmount
    .optional()
    .meta({ description: 'What the beneficiary gets, as a decimal string: `"1000"`. Give this or `source_amount`.' }),
  payment_currency: currencyCode.optional().meta({ description: 'Its currency. Needed with `payment_amount`.' }),
  source_amount: payoutAmount
    .optional()
    .meta({ description: 'What you give, as a decimal string. Give this or `payment_amount`.' }),
  source_currency: currencyCode.optional().meta({ description: 'Its currency. Needed with `source_amount`.' }),
  payment_date: calendarDate.optional().meta({ description: 'The day of the payout, `YYYY-MM-DD`.' }),
  request_id: requestId.meta({
    description: 'A UUID that names this payout alone. It cannot be used twice by an account.',
  }),
  notify_url: notifyUrl.optional().meta({
    description: 'Where the gateway sends notifications about the payout. Default: an address of the relay.',
  }),
  beneficiary: beneficiary.optional().meta({ description: 'Who gets the money.' }),
  payer: payer.optional().meta({ description: 'Who pays.' }),
};

/** What a shop's server sends to the relay: who gets how much, under a request_id that names this payout alone. */
export const payoutBody = z
  .strictObject({
    ...request,
    beneficiary_id: fixedForm(requiredText())
      .optional()
      .meta({ description: 'The gateway’s id of a beneficiary that it knows. Give this or `beneficiary`.' }),
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

/** Whether an amount has no more decimals than its currency; of what is not there nothing is said. */
function isIn(amount: string | undefined, currency = ''): boolean {
  return amount === undefined || !decimals.test(amount) || inCurrency(amount, currency) !== undefined;
}

/** §2.9: the request on the wire. */
export const payoutRequest = z.strictObject({ ...identification, ...request });
export type PayoutRequest = z.infer<typeof payoutRequest>;

const told = z.number().nullish().catch(undefined);

/** §2.10: the answer echoes the request and adds its outcome. The amounts of the request stay strings. */
export const payoutAnswer = z
  .looseObject({
    merchant_id: fixedForm(answerText).meta({ description: 'Your number at the gateway.' }),
    account_id: fixedForm(answerText).meta({ description: 'Your account at the gateway.' }),
    encryption_data: fixedForm(answerText).meta({ description: 'The gateway’s signature. The relay has checked it.' }),
    ...fields.fieldsOf(answerNote),
    payment_amount: fixedForm(answerText).meta({
      description: 'What the beneficiary gets, as a decimal string: `"1000"`. Give this or `source_amount`.',
    }),
    payment_currency: fixedForm(answerText).meta({ description: 'Its currency. Needed with `payment_amount`.' }),
    source_amount: fixedForm(answerText).meta({
      description: 'What you give, as a decimal string. Give this or `payment_amount`.',
    }),
    source_currency: fixedForm(answerText).meta({ description: 'Its currency. Needed with `source_amount`.' }),
    payment_date: fixedForm(answerNote).meta({ description: 'The day of the payout, `YYYY-MM-DD`.' }),
    request_id: fixedForm(answerText).meta({
      description: 'A UUID that names this payout alone. It cannot be used twice by an account.',
    }),
    notify_url: fixedForm(answerNote).meta({
      description: 'Where the gateway sends notifications about the payout. Default: an address of the relay.',
    }),
    beneficiary: answerPart({
      ...fields.partyOf(answerNote),
      date_of_birth: fixedForm(answerNote).meta({ description: 'Date of birth, `YYYY-MM-DD`.' }),
      additional_info: answerPart(fields.beneficiaryInfoOf(answerNote)).meta({ description: 'More about the party.' }),
      address: answerPart(fields.beneficiaryAddressOf(answerNote)).meta({ description: 'The address.' }),
      person_documents: z
        .array(
          z.looseObject({
            file_type: answerNote.meta({ description: 'Media type of the file.' }),
            file_url: fixedForm(answerNote).meta({ description: 'Where the file is.' }),
            labels: z.array(z.string()).nullish().catch(undefined).meta({ description: 'What the document is.' }),
          }),
        )
        .nullish()
        .catch(undefined)
        .meta({ description: 'Documents about the person.' }),
      bank_details: answerPart({
        ...fields.bankDetailsOf(answerNote),
        local_clearing_system: answerNote.meta({ description: 'The clearing system that is used.' }),
      }).meta({ description: 'The bank account.' }),
    }).meta({ description: 'Who gets the money.' }),
    payer: answerPart({
      ...fields.partyOf(answerNote),
      date_of_birth: fixedForm(answerNote).meta({ description: 'Date of birth, `YYYY-MM-DD`.' }),
      additional_info: answerPart(fields.payerInfoOf(answerNote)).meta({ description: 'More about the party.' }),
      address: answerPart(fields.payerAddressOf(answerNote)).meta({ description: 'The address.' }),
    }).meta({ description: 'Who pays.' }),
    amount_beneficiary_receives: told.meta({ description: 'What arrives.' }),
    amount_payer_pays: told.meta({ description: 'What is taken.' }),
    fee_amount: told.meta({ description: 'The fee.' }),
    fee_currency: fixedForm(answerNote).meta({ description: 'Its currency.' }),
    created_at: fixedForm(answerNote).meta({
      description: 'When the gateway took it, with its offset: `2027-03-31T10:15:00+0000`.',
    }),
    last_updated_at: fixedForm(answerNote).meta({ description: 'When it last changed.' }),
    failure_reason: answerNote.meta({ description: 'Why it failed.' }),
    failure_type: answerNote.meta({ description: 'The kind of failure.' }),
    payer_id: fixedForm(answerNote).meta({ description: 'The gateway’s id of the payer.' }),
    transaction_id: fixedForm(answerText).meta({ description: 'The gateway’s id of the payout.' }),
    short_reference_id: fixedForm(answerNote).meta({ description: 'A short id of the payout.' }),
    status: answerText.meta({ description: 'The payout’s state, in the gateway’s words, such as `COMPLETED`.' }),
  })
  .meta({ name: 'PayoutAnswer', description: gatewayAnswer });
export type PayoutAnswer = z.infer<typeof payoutAnswer>;

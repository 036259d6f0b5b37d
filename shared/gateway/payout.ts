import { z } from 'zod';
import { inCurrency } from './amounts.ts';
import { date } from './dates.ts';
import { identification } from './payment-fields.ts';
import { answerNote, answerText, currencyCode, optionalText, requiredText, text } from './text.ts';

const decimals = /^(?!0+(\.0+)?$)\d{1,15}(\.\d{1,10})?$/;

/** §2.9: payout amounts travel as they are given; the sample has no decimals. */
const payoutAmount = z
  .string('must be a decimal string such as "1000"')
  .regex(decimals, 'must be a decimal string of more than zero such as "1000" or "1000.50"');

const requestId = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be a UUID, new for each payout');

const notifyUrl = text(2000)
  .regex(/^https?:\/\/[^\s]+$/, 'must be an absolute http or https URL')
  .refine((value) => URL.canParse(value), 'must be an absolute http or https URL');

/** §2.9: the fields that a request and its answer share, each with the same schema for every text. */
const fieldsOf = <Text extends z.ZodType>(text: Text) => ({
  beneficiary_id: text,
  client_data: text,
  fee_paid_by: text,
  payment_method: text,
  reason: text,
  reference: text,
  swift_charge_option: text,
  fund_source: text,
});

const partyOf = <Text extends z.ZodType>(text: Text) => ({
  company_name: text,
  entity_type: text,
  first_name: text,
  last_name: text,
});

const beneficiaryInfoOf = <Text extends z.ZodType>(text: Text) => ({
  business_area: text,
  business_phone_number: text,
  business_registration_number: text,
  personal_email: text,
  personal_id_number: text,
  personal_id_type: text,
  personal_mobile_number: text,
  personal_net_monthly_average_income: text,
  personal_phone_country_code: text,
  personal_phone_area_code: text,
  personal_fiscal_country: text,
});

const payerInfoOf = <Text extends z.ZodType>(text: Text) => ({
  business_registration_number: text,
  business_registration_type: text,
  external_id: text,
  personal_email: text,
  personal_id_number: text,
  job: text,
});

const payerAddressOf = <Text extends z.ZodType>(text: Text) => ({
  city: text,
  country_code: text,
  postcode: text,
  state: text,
  street_address: text,
});

const beneficiaryAddressOf = <Text extends z.ZodType>(text: Text) => ({
  ...payerAddressOf(text),
  street: text,
  number: text,
  complement: text,
});

const bankDetailsOf = <Text extends z.ZodType>(text: Text) => ({
  account_currency: text,
  account_name: text,
  owner_document_number: text,
  account_number: text,
  bank_account_category: text,
  bank_branch: text,
  bank_country_code: text,
  bank_code: text,
  bank_name: text,
  bank_street_address: text,
  binding_mobile_number: text,
  iban: text,
  swift_code: text,
  transaction_reference: text,
});

const dateOfBirth = { date_of_birth: date('YYYY-MM-DD').optional() };

const beneficiary = z.strictObject({
  ...partyOf(optionalText),
  ...dateOfBirth,
  additional_info: z.strictObject(beneficiaryInfoOf(optionalText)).optional(),
  address: z.strictObject(beneficiaryAddressOf(optionalText)).optional(),
  person_documents: z
    .array(
      z.strictObject({
        file_type: optionalText,
        file_url: text(2000).optional(),
        labels: z.array(text()).max(100).optional(),
      }),
    )
    .max(100)
    .optional(),
  bank_details: z.strictObject(bankDetailsOf(optionalText)).optional(),
});

const payer = z.strictObject({
  ...partyOf(optionalText),
  ...dateOfBirth,
  additional_info: z.strictObject(payerInfoOf(optionalText)).optional(),
  address: z.strictObject(payerAddressOf(optionalText)).optional(),
});

const request = {
  ...fieldsOf(optionalText),
  client_data: text(4000).optional(),
  payment_amount: payoutAmount.optional(),
  payment_currency: currencyCode.optional(),
  source_amount: payoutAmount.optional(),
  source_currency: currencyCode.optional(),
  payment_date: date('YYYY-MM-DD').optional(),
  request_id: requestId,
  notify_url: notifyUrl.optional(),
  beneficiary: beneficiary.optional(),
  payer: payer.optional(),
};

/** What a shop's server sends to the relay: who gets how much, under a request_id that names this payout alone. */
export const payoutBody = z
  .strictObject({ ...request, beneficiary_id: requiredText().optional() })
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
  });

/** Whether an amount has no more decimals than its currency; of what is not there nothing is said. */
function isIn(amount: string | undefined, currency = ''): boolean {
  return amount === undefined || !decimals.test(amount) || inCurrency(amount, currency) !== undefined;
}

/** §2.9: the request on the wire. */
export const payoutRequest = z.strictObject({ ...identification, ...request });
export type PayoutRequest = z.infer<typeof payoutRequest>;

const told = z.number().nullish().catch(undefined);

/** §2.10: the answer echoes the request and adds what became of it. The amounts of the request stay strings. */
export const payoutAnswer = z.looseObject({
  merchant_id: answerText,
  account_id: answerText,
  encryption_data: answerText,
  ...fieldsOf(answerNote),
  payment_amount: answerText,
  payment_currency: answerText,
  source_amount: answerText,
  source_currency: answerText,
  payment_date: answerNote,
  request_id: answerText,
  notify_url: answerNote,
  beneficiary: z
    .looseObject({
      ...partyOf(answerNote),
      date_of_birth: answerNote,
      additional_info: z.looseObject(beneficiaryInfoOf(answerNote)).nullish().catch(undefined),
      address: z.looseObject(beneficiaryAddressOf(answerNote)).nullish().catch(undefined),
      person_documents: z
        .array(
          z.looseObject({
            file_type: answerNote,
            file_url: answerNote,
            labels: z.array(z.string()).nullish().catch(undefined),
          }),
        )
        .nullish()
        .catch(undefined),
      bank_details: z
        .looseObject({ ...bankDetailsOf(answerNote), local_clearing_system: answerNote })
        .nullish()
        .catch(undefined),
    })
    .nullish()
    .catch(undefined),
  payer: z
    .looseObject({
      ...partyOf(answerNote),
      date_of_birth: answerNote,
      additional_info: z.looseObject(payerInfoOf(answerNote)).nullish().catch(undefined),
      address: z.looseObject(payerAddressOf(answerNote)).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
  amount_beneficiary_receives: told,
  amount_payer_pays: told,
  fee_amount: told,
  fee_currency: answerNote,
  created_at: answerNote,
  last_updated_at: answerNote,
  failure_reason: answerNote,
  failure_type: answerNote,
  payer_id: answerNote,
  transaction_id: answerText,
  short_reference_id: answerNote,
  status: answerText,
});
export type PayoutAnswer = z.infer<typeof payoutAnswer>;

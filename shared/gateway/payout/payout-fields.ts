import type { z } from 'zod';
import { fixedForm } from '../text.ts';

/** §2.9: the fields that a request and its answer share, each with the same schema for every text. */
export const fieldsOf = <Text extends z.ZodType>(text: Text) => ({
  beneficiary_id: fixedForm(text).meta({
    description: 'The gateway’s id of a beneficiary that it knows. Give this or `beneficiary`.',
  }),
  client_data: text.meta({ description: 'Data of your own, handed on as it is.' }),
  fee_paid_by: text.meta({ description: 'Who bears the fee, such as `PAYER`.' }),
  payment_method: text.meta({ description: 'How the money travels, such as `SWIFT`.' }),
  reason: text.meta({ description: 'What the payout is for.' }),
  reference: fixedForm(text).meta({ description: 'The text that the beneficiary sees.' }),
  swift_charge_option: text.meta({ description: 'How SWIFT charges are shared, such as `SHARED`.' }),
  fund_source: text.meta({ description: 'Where the money is taken from, such as `DepositAccount`.' }),
});

export const partyOf = <Text extends z.ZodType>(text: Text) => ({
  company_name: text.meta({ description: 'Name of the company.' }),
  entity_type: text.meta({ description: 'Company or person, such as `COMPANY`.' }),
  first_name: text.meta({ description: 'First name.' }),
  last_name: text.meta({ description: 'Last name.' }),
});

export const beneficiaryInfoOf = <Text extends z.ZodType>(text: Text) => ({
  business_area: text.meta({ description: 'Line of business.' }),
  business_phone_number: fixedForm(text).meta({ description: 'Phone number of the business.' }),
  business_registration_number: fixedForm(text).meta({ description: 'Registration number of the business.' }),
  personal_email: fixedForm(text).meta({ description: 'Email address.' }),
  personal_id_number: fixedForm(text).meta({ description: 'Number of an identity document.' }),
  personal_id_type: text.meta({ description: 'Its kind.' }),
  personal_mobile_number: fixedForm(text).meta({ description: 'Mobile number.' }),
  personal_net_monthly_average_income: fixedForm(text).meta({ description: 'Average income in a month.' }),
  personal_phone_country_code: fixedForm(text).meta({ description: 'Phone: code of the country.' }),
  personal_phone_area_code: fixedForm(text).meta({ description: 'Phone: code of the area.' }),
  personal_fiscal_country: fixedForm(text).meta({ description: 'Country of tax residence.' }),
});

export const payerInfoOf = <Text extends z.ZodType>(text: Text) => ({
  business_registration_number: fixedForm(text).meta({ description: 'Registration number of the business.' }),
  business_registration_type: text.meta({ description: 'Kind of that number.' }),
  external_id: fixedForm(text).meta({ description: 'Your id of the payer.' }),
  personal_email: fixedForm(text).meta({ description: 'Email address.' }),
  personal_id_number: fixedForm(text).meta({ description: 'Number of an identity document.' }),
  job: text.meta({ description: 'Occupation.' }),
});

export const payerAddressOf = <Text extends z.ZodType>(text: Text) => ({
  city: text.meta({ description: 'City.' }),
  country_code: fixedForm(text).meta({ description: 'Country.' }),
  postcode: fixedForm(text).meta({ description: 'Postal code.' }),
  state: text.meta({ description: 'State.' }),
  street_address: text.meta({ description: 'Street and number.' }),
});

export const beneficiaryAddressOf = <Text extends z.ZodType>(text: Text) => ({
  ...payerAddressOf(text),
  street: text.meta({ description: 'Street.' }),
  number: fixedForm(text).meta({ description: 'Number.' }),
  complement: text.meta({ description: 'Floor, flat and the like.' }),
});

export const bankDetailsOf = <Text extends z.ZodType>(text: Text) => ({
  account_currency: fixedForm(text).meta({ description: 'Currency of the account.' }),
  account_name: text.meta({ description: 'Name of the account.' }),
  owner_document_number: fixedForm(text).meta({ description: 'Document number of the account’s owner.' }),
  account_number: fixedForm(text).meta({ description: 'Number of the account.' }),
  bank_account_category: text.meta({ description: 'Kinds of account, separated by commas.' }),
  bank_branch: fixedForm(text).meta({ description: 'Branch of the bank.' }),
  bank_country_code: fixedForm(text).meta({ description: 'Country of the bank.' }),
  bank_code: fixedForm(text).meta({ description: 'Code of the bank.' }),
  bank_name: text.meta({ description: 'Name of the bank.' }),
  bank_street_address: text.meta({ description: 'Address of the bank.' }),
  binding_mobile_number: fixedForm(text).meta({ description: 'Mobile number that belongs to the account.' }),
  iban: fixedForm(text).meta({ description: 'International number of the account.' }),
  swift_code: fixedForm(text).meta({ description: 'SWIFT code of the bank.' }),
  transaction_reference: fixedForm(text).meta({ description: 'Reference of the transfer.' }),
});

import type { z } from 'zod';
import { fixedForm } from '../text.ts';

/** §2.9: the fields that a request and its answer share, with the same schema for every text. */
export const fieldsOf = <Text extends z.ZodType>(text: Text) => ({
  beneficiary_id: fixedForm(text).describe('The gateway’s id of a registered beneficiary. Give this or `beneficiary`.'),
  client_data: text.describe('Your own data, forwarded unchanged.'),
  fee_paid_by: text.describe('The party that pays the fee, such as `PAYER`.'),
  payment_method: text.describe('The payment method, such as `SWIFT`.'),
  reason: text.describe('The reason of the payout.'),
  reference: fixedForm(text).describe('The text that the beneficiary sees.'),
  swift_charge_option: text.describe('The split of the SWIFT charges, such as `SHARED`.'),
  fund_source: text.describe('Where the money is taken from, such as `DepositAccount`.'),
});

export const partyOf = <Text extends z.ZodType>(text: Text) => ({
  company_name: text.describe('Name of the company.'),
  entity_type: text.describe('Company or person, such as `COMPANY`.'),
  first_name: text.describe('First name.'),
  last_name: text.describe('Last name.'),
});

export const beneficiaryInfoOf = <Text extends z.ZodType>(text: Text) => ({
  business_area: text.describe('Line of business.'),
  business_phone_number: fixedForm(text).describe('Phone number of the business.'),
  business_registration_number: fixedForm(text).describe('Registration number of the business.'),
  personal_email: fixedForm(text).describe('Email address.'),
  personal_id_number: fixedForm(text).describe('Number of an identity document.'),
  personal_id_type: text.describe('Its kind.'),
  personal_mobile_number: fixedForm(text).describe('Mobile number.'),
  personal_net_monthly_average_income: fixedForm(text).describe('Average income in a month.'),
  personal_phone_country_code: fixedForm(text).describe('Phone: code of the country.'),
  personal_phone_area_code: fixedForm(text).describe('Phone: code of the area.'),
  personal_fiscal_country: fixedForm(text).describe('Country of tax residence.'),
});

export const payerInfoOf = <Text extends z.ZodType>(text: Text) => ({
  business_registration_number: fixedForm(text).describe('Registration number of the business.'),
  business_registration_type: text.describe('Kind of that number.'),
  external_id: fixedForm(text).describe('Your id of the payer.'),
  personal_email: fixedForm(text).describe('Email address.'),
  personal_id_number: fixedForm(text).describe('Number of an identity document.'),
  job: text.describe('Occupation.'),
});

export const payerAddressOf = <Text extends z.ZodType>(text: Text) => ({
  city: text.describe('City.'),
  country_code: fixedForm(text).describe('Country.'),
  postcode: fixedForm(text).describe('Postal code.'),
  state: text.describe('State.'),
  street_address: text.describe('Street and number.'),
});

export const beneficiaryAddressOf = <Text extends z.ZodType>(text: Text) => ({
  ...payerAddressOf(text),
  street: text.describe('Street.'),
  number: fixedForm(text).describe('Number.'),
  complement: text.describe('Floor, flat and the like.'),
});

export const bankDetailsOf = <Text extends z.ZodType>(text: Text) => ({
  account_currency: fixedForm(text).describe('Currency of the account.'),
  account_name: text.describe('Name of the account.'),
  owner_document_number: fixedForm(text).describe('Document number of the account’s owner.'),
  account_number: fixedForm(text).describe('Number of the account.'),
  bank_account_category: text.describe('Kinds of account, separated by commas.'),
  bank_branch: fixedForm(text).describe('Branch of the bank.'),
  bank_country_code: fixedForm(text).describe('Country of the bank.'),
  bank_code: fixedForm(text).describe('Code of the bank.'),
  bank_name: text.describe('Name of the bank.'),
  bank_street_address: text.describe('Address of the bank.'),
  binding_mobile_number: fixedForm(text).describe('Mobile number that belongs to the account.'),
  iban: fixedForm(text).describe('International number of the account.'),
  swift_code: fixedForm(text).describe('SWIFT code of the bank.'),
  transaction_reference: fixedForm(text).describe('Reference of the transfer.'),
});

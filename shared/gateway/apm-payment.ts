import { z } from 'zod';
import { wireAmount } from './amount-fields.ts';
import { possibleDate } from './dates.ts';
import * as fields from './payment-fields.ts';
import { fixedForm, optionalText, requiredText, text } from './text.ts';

/** A document's file may have 5 MB. Base64 makes it a third longer. */
export const MAX_FILE_TEXT = 6_700_000;

/** §2.3: the person object, with its documents and the bank account inside their labels. */
export const person = z
  .strictObject({
    document_number: fixedForm(optionalText).describe('Number of an identity document.'),
    document_type: optionalText.describe('Its kind.'),
    social_name: optionalText.describe('The name that the person uses.'),
    email: fixedForm(optionalText).describe('Email address.'),
    phone_country_code: fixedForm(optionalText).describe('Phone: code of the country.'),
    phone_area_code: fixedForm(optionalText).describe('Phone: code of the area.'),
    phone_number: fixedForm(optionalText).describe('Phone: the rest of the number.'),
    birth_date: possibleDate.optional().describe('Date of birth.'),
    net_monthly_average_income: fixedForm(optionalText).describe('Average income in a month.'),
    address_street: optionalText.describe('Address: street.'),
    address_number: fixedForm(optionalText).describe('Address: number.'),
    address_complement: optionalText.describe('Address: floor, flat and the like.'),
    address_postal_code: fixedForm(optionalText).describe('Address: postal code.'),
    address_city: optionalText.describe('Address: city.'),
    address_state: optionalText.describe('Address: state.'),
    address_country: fixedForm(optionalText).describe('Address: country.'),
    fiscal_country: fixedForm(optionalText).describe('Country of tax residence.'),
    documents: z
      .strictObject({
        file_type: optionalText.describe('Media type of the file.'),
        file_data: fixedForm(text(MAX_FILE_TEXT)).optional().describe('The file’s content.'),
        file_url: fixedForm(text(2000)).optional().describe('Where the file is.'),
        labels: z
          .strictObject({
            person_bank_account_id: fixedForm(optionalText).describe('Id of the person’s bank account.'),
            bank_account: z
              .strictObject({
                account_type: optionalText.describe('Kind of account.'),
                account_number: fixedForm(optionalText).describe('Number of the account.'),
                branch_number: fixedForm(optionalText).describe('Number of the branch.'),
                owner_document_number: fixedForm(optionalText).describe('Document number of the account’s owner.'),
                owner_name: optionalText.describe('Name of the account’s owner.'),
                branch_country: fixedForm(optionalText).describe('Country of the branch.'),
                currency: fixedForm(optionalText).describe('Currency of the account.'),
                bank: z
                  .strictObject({
                    code: fixedForm(optionalText).describe('The bank’s code.'),
                    name: optionalText.describe('The bank’s name.'),
                  })
                  .optional()
                  .describe('The bank.'),
              })
              .optional()
              .describe('The person’s bank account.'),
          })
          .optional()
          .describe('The details of the file.'),
      })
      .optional()
      .describe('A document as a file.'),
  })
  .meta({ name: 'Person', description: 'Who pays by an alternative payment method.' });

/** §2.3: the fields of an APM payment that a direct payment does not have and a shop may set. */
export const apmFields = {
  delivery_district_name: optionalText.describe('Delivery address: district.'),
  delivery_street_name: optionalText.describe('Delivery address: street.'),
  bank_code: fixedForm(optionalText).describe('The bank that the shopper chose.'),
  person: person.optional().describe('The payer, for methods that need more data than a card.'),
};

/** §2.3: the whole body of an APM payment request on the wire. */
export const apmPaymentRequest = z.strictObject({
  payment_method: requiredText(),
  ...fields.identification,
  ...fields.order,
  ...fields.amounts(wireAmount),
  items: text(1_048_576).optional(),
  ...fields.shopper,
  ...fields.shopperIp,
  ...fields.billing,
  ...fields.device,
  ...fields.delivery,
  ...apmFields,
  return_url: fixedForm(text(2000)).optional(),
  ...fields.notifyUrl,
});

/** §2.3: the answer to an APM payment, as read from its XML. Unknown elements are kept. */
export const apmPaymentAnswer = z.looseObject({
  merchant_id: fixedForm(z.string()).optional(),
  account_id: fixedForm(z.string()).optional(),
  order_no: fixedForm(z.string()).optional(),
  amount: fixedForm(z.string()).optional(),
  currency: fixedForm(z.string()).optional(),
  issuer_url: z.string().optional(),
});

import { z } from 'zod';
import { wireAmount } from './amounts.ts';
import { possibleDate } from './dates.ts';
import * as fields from './payment-fields.ts';
import { optionalText, requiredText, text } from './text.ts';

/** A document's file may have 5 MB; base64 adds a third. */
export const MAX_FILE_TEXT = 6_700_000;

/** §2.3: the person object, with its documents and the bank account inside their labels. */
export const person = z.strictObject({
  document_number: optionalText,
  document_type: optionalText,
  social_name: optionalText,
  email: optionalText,
  phone_country_code: optionalText,
  phone_area_code: optionalText,
  phone_number: optionalText,
  birth_date: possibleDate.optional(),
  net_monthly_average_income: optionalText,
  address_street: optionalText,
  address_number: optionalText,
  address_complement: optionalText,
  address_postal_code: optionalText,
  address_city: optionalText,
  address_state: optionalText,
  address_country: optionalText,
  fiscal_country: optionalText,
  documents: z
    .strictObject({
      file_type: optionalText,
      file_data: text(MAX_FILE_TEXT).optional(),
      file_url: text(2000).optional(),
      labels: z
        .strictObject({
          person_bank_account_id: optionalText,
          bank_account: z
            .strictObject({
              account_type: optionalText,
              account_number: optionalText,
              branch_number: optionalText,
              owner_document_number: optionalText,
              owner_name: optionalText,
              branch_country: optionalText,
              currency: optionalText,
              bank: z.strictObject({ code: optionalText, name: optionalText }).optional(),
            })
            .optional(),
        })
        .optional(),
    })
    .optional(),
});
export type Person = z.infer<typeof person>;

/** §2.3: the fields of an APM payment that a direct payment does not have and a shop may give. */
export const apmFields = {
  delivery_district_name: optionalText,
  delivery_street_name: optionalText,
  bank_code: optionalText,
  person: person.optional(),
};

/** §2.3: the whole body of an APM payment request as it stands on the wire. */
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
  return_url: text(2000).optional(),
  ...fields.notifyUrl,
});
export type ApmPaymentRequest = z.infer<typeof apmPaymentRequest>;

/** §2.3: the answer to an APM payment, as read from its XML. Unknown elements are kept. */
export const apmPaymentAnswer = z.looseObject({
  merchant_id: z.string().optional(),
  account_id: z.string().optional(),
  order_no: z.string().optional(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  issuer_url: z.string().optional(),
});

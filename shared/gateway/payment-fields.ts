import type { Amount } from './amount-fields.ts';
import {
  amountText,
  countryCode,
  currencyCode,
  fixedForm,
  identifier,
  optionalText,
  orderNoText,
  requiredText,
  text,
} from './text.ts';

/** The groups of fields that the payment tables of §2.1 and §2.3 share. */
export const identification = {
  merchant_id: fixedForm(requiredText()),
  account_id: fixedForm(requiredText()),
  encryption_data: fixedForm(optionalText),
};

export const order = {
  order_no: identifier.describe(orderNoText),
  service: optionalText.describe(
    'The field that the interface prints as “the service”. It travels under the name that the relay’s profile gives it.',
  ),
  note: text(4000)
    .optional()
    .describe('A remark of yours. The gateway keeps it with the payment. A card number in it is masked.'),
  custom: text(4000)
    .optional()
    .describe('Your own data, which the relay forwards to the gateway. A card number in it is masked.'),
  platform_source: optionalText.describe('The shop platform that the order comes from.'),
  device_type: optionalText.describe('The kind of device. Default: read from the `User-Agent`.'),
};

export const amounts = (amount: Amount) => ({
  currency: currencyCode.describe('ISO 4217 code of three capital letters.'),
  amount: amount.describe(amountText),
  item_total: amount.optional().describe('The goods alone.'),
  shipping: amount.optional().describe('The delivery charge.'),
  handling: amount.optional().describe('The charge for packing and handling.'),
  tax_total: amount.optional().describe('All taxes.'),
  insurance: amount.optional().describe('The charge for the insurance of the delivery.'),
  shipping_discount: amount.optional().describe('The discount on the delivery.'),
  discount: amount.optional().describe('The discount on the goods.'),
});

export const shopper = {
  shopper_id: fixedForm(optionalText).describe('Your id of the shopper.'),
  shopper_email: fixedForm(optionalText).describe('Email address.'),
  shopper_phone: fixedForm(optionalText).describe('Phone number.'),
  shopper_level: optionalText.describe('Your own classification of the shopper.'),
  first_name: optionalText.describe('First name.'),
  last_name: optionalText.describe('Last name.'),
  document: fixedForm(optionalText).describe('Number of an identity document, such as a CPF or CNPJ.'),
  birth_date: fixedForm(optionalText),
};

export const billing = {
  billing_country: countryCode.optional().describe('Billing address: ISO 3166 code of the country.'),
  billing_state: optionalText.describe('Billing address: state.'),
  billing_city: optionalText.describe('Billing address: city.'),
  billing_address: optionalText.describe('Billing address: street and number.'),
  billing_postal_code: fixedForm(optionalText).describe('Billing address: postal code.'),
};

export const delivery = {
  delivery_firstname: optionalText.describe('First name of the recipient.'),
  delivery_lastname: optionalText.describe('Last name of the recipient.'),
  delivery_country: countryCode.optional().describe('Delivery address: ISO 3166 code of the country.'),
  delivery_state: optionalText.describe('Delivery address: state.'),
  delivery_city: optionalText.describe('Delivery address: city.'),
  delivery_address: optionalText.describe('Delivery address: street and number.'),
  delivery_postal_code: fixedForm(optionalText).describe('Delivery address: postal code.'),
};

/** The data about the shopper's device, which the relay finds out; equal in both tables. */
export const device = {
  os: optionalText.describe('Operating system of the shopper’s device.'),
  browser: optionalText.describe('The shopper’s browser.'),
  browser_lang: optionalText.describe('Its language.'),
  time_zone: optionalText.describe('Its time zone, as an IANA name.'),
  resolution: fixedForm(optionalText).describe('Its screen, such as `1920x1080`.'),
  cookie_new: fixedForm(optionalText).describe('The device’s id after this visit.'),
  cookie_old: fixedForm(optionalText).describe('The device’s id on arrival, empty at the first visit.'),
  device_fingerprint: fixedForm(optionalText).describe('A fingerprint of the device.'),
  color_depth: fixedForm(optionalText).describe('Bits per pixel.'),
};

export const shopperIp = {
  shopper_ip: fixedForm(optionalText).describe(
    'The address that the shopper’s device connects from. The relay does not see it on this route.',
  ),
};
export const notifyUrl = { notify_url: fixedForm(text(2000)).optional() };

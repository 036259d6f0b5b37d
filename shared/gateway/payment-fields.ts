import type { Amount } from './amounts.ts';
import { countryCode, currencyCode, fixedForm, identifier, optionalText, requiredText, text } from './text.ts';

/** The groups of fields that the payment tables of §2.1 and §2.3 share. */
export const identification = {
  merchant_id: fixedForm(requiredText()),
  account_id: fixedForm(requiredText()),
  encryption_data: fixedForm(optionalText),
};

export const order = {
  order_no: identifier.meta({
    description: 'Your number of the order. At most one payment of it can be in progress, and it can be paid once.',
  }),
  service: optionalText.meta({
    description:
      'The field that the interface prints as “the service”. It travels under the name that the relay’s profile gives it.',
  }),
  note: text(4000)
    .optional()
    .meta({ description: 'A remark of yours. The gateway keeps it with the payment. A card number in it is masked.' }),
  custom: text(4000)
    .optional()
    .meta({ description: 'Data of your own, handed on to the gateway. A card number in it is masked.' }),
  platform_source: optionalText.meta({ description: 'The shop platform that the order comes from.' }),
  device_type: optionalText.meta({
    description: 'The kind of device. Default: read from the `User-Agent`.',
  }),
};

export const amounts = (amount: Amount) => ({
  currency: currencyCode.meta({ description: 'ISO 4217 code of three capital letters.' }),
  amount: amount.meta({
    description: 'What is charged, as a decimal string: `"129.90"`, in yen `"1000"`, in dinars `"10.125"`.',
  }),
  item_total: amount.optional().meta({ description: 'The goods alone.' }),
  shipping: amount.optional().meta({ description: 'What delivery costs.' }),
  handling: amount.optional().meta({ description: 'What packing and handling costs.' }),
  tax_total: amount.optional().meta({ description: 'All taxes.' }),
  insurance: amount.optional().meta({ description: 'What insuring the delivery costs.' }),
  shipping_discount: amount.optional().meta({ description: 'What is taken off the delivery.' }),
  discount: amount.optional().meta({ description: 'What is taken off the goods.' }),
});

export const shopper = {
  shopper_id: fixedForm(optionalText).meta({ description: 'Your id of the shopper.' }),
  shopper_email: fixedForm(optionalText).meta({ description: 'Email address.' }),
  shopper_phone: fixedForm(optionalText).meta({ description: 'Phone number.' }),
  shopper_level: optionalText.meta({ description: 'How well you know the shopper, in your words.' }),
  first_name: optionalText.meta({ description: 'First name.' }),
  last_name: optionalText.meta({ description: 'Last name.' }),
  document: fixedForm(optionalText).meta({ description: 'Number of an identity document, such as a CPF or CNPJ.' }),
  birth_date: fixedForm(optionalText),
};

export const billing = {
  billing_country: countryCode.optional().meta({ description: 'Billing address: ISO 3166 code of the country.' }),
  billing_state: optionalText.meta({ description: 'Billing address: state.' }),
  billing_city: optionalText.meta({ description: 'Billing address: city.' }),
  billing_address: optionalText.meta({ description: 'Billing address: street and number.' }),
  billing_postal_code: fixedForm(optionalText).meta({ description: 'Billing address: postal code.' }),
};

export const delivery = {
  delivery_firstname: optionalText.meta({ description: 'First name of who receives the goods.' }),
  delivery_lastname: optionalText.meta({ description: 'Last name of who receives the goods.' }),
  delivery_country: countryCode.optional().meta({ description: 'Delivery address: ISO 3166 code of the country.' }),
  delivery_state: optionalText.meta({ description: 'Delivery address: state.' }),
  delivery_city: optionalText.meta({ description: 'Delivery address: city.' }),
  delivery_address: optionalText.meta({ description: 'Delivery address: street and number.' }),
  delivery_postal_code: fixedForm(optionalText).meta({ description: 'Delivery address: postal code.' }),
};

/** What the relay finds out about the shopper's device; the same in both tables. */
export const device = {
  os: optionalText.meta({ description: 'Operating system of the shopper’s device.' }),
  browser: optionalText.meta({ description: 'The shopper’s browser.' }),
  browser_lang: optionalText.meta({ description: 'Its language.' }),
  time_zone: optionalText.meta({ description: 'Its time zone, as an IANA name.' }),
  resolution: fixedForm(optionalText).meta({ description: 'Its screen, such as `1920x1080`.' }),
  cookie_new: fixedForm(optionalText).meta({ description: 'The device’s id after this visit.' }),
  cookie_old: fixedForm(optionalText).meta({ description: 'The device’s id on arrival, empty at the first visit.' }),
  device_fingerprint: fixedForm(optionalText).meta({ description: 'A fingerprint of the device.' }),
  color_depth: fixedForm(optionalText).meta({ description: 'Bits per pixel.' }),
};

export const shopperIp = {
  shopper_ip: fixedForm(optionalText).meta({
    description: 'The address that the shopper’s device connects from. The relay does not see it on this route.',
  }),
};
export const notifyUrl = { notify_url: fixedForm(text(2000)).optional() };

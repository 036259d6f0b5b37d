import type { Amount } from './amounts.ts';
import { countryCode, currencyCode, identifier, optionalText, requiredText, text } from './text.ts';

/** The groups of fields that the payment tables of §2.1 and §2.3 share. */
export const identification = {
  merchant_id: requiredText(),
  account_id: requiredText(),
  encryption_data: optionalText,
};

export const order = {
  order_no: identifier,
  service: optionalText,
  note: text(4000).optional(),
  custom: text(4000).optional(),
  platform_source: optionalText,
  device_type: optionalText,
};

export const amounts = (amount: Amount) => ({
  currency: currencyCode,
  amount,
  item_total: amount.optional(),
  shipping: amount.optional(),
  handling: amount.optional(),
  tax_total: amount.optional(),
  insurance: amount.optional(),
  shipping_discount: amount.optional(),
  discount: amount.optional(),
});

export const shopper = {
  shopper_id: optionalText,
  shopper_email: optionalText,
  shopper_phone: optionalText,
  shopper_level: optionalText,
  first_name: optionalText,
  last_name: optionalText,
  document: optionalText,
  birth_date: optionalText,
};

export const billing = {
  billing_country: countryCode.optional(),
  billing_state: optionalText,
  billing_city: optionalText,
  billing_address: optionalText,
  billing_postal_code: optionalText,
};

export const delivery = {
  delivery_firstname: optionalText,
  delivery_lastname: optionalText,
  delivery_country: countryCode.optional(),
  delivery_state: optionalText,
  delivery_city: optionalText,
  delivery_address: optionalText,
  delivery_postal_code: optionalText,
};

/** What the relay finds out about the shopper's device; the same in both tables. */
export const device = {
  os: optionalText,
  browser: optionalText,
  browser_lang: optionalText,
  time_zone: optionalText,
  resolution: optionalText,
  cookie_new: optionalText,
  cookie_old: optionalText,
  device_fingerprint: optionalText,
  color_depth: optionalText,
};

export const shopperIp = { shopper_ip: optionalText };
export const notifyUrl = { notify_url: text(2000).optional() };

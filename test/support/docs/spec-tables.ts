/**
 * The fields of the gateway's payment tables as the interface prints them, group by group: written manually,
 * independent of our schemas.
 */
const words = (text: string): readonly string[] => text.trim().split(/[\s,]+/);

/** §2.1: every field of a direct payment request. */
export const directPaymentTable = words(`
  merchant_id, account_id, order_no, encryption_data
  currency, amount, item_total, shipping, handling, tax_total, insurance, shipping_discount, discount
  service, items, note, custom, price_id, quote_id, quote_price, storefront_domains, installments, installments_id,
  platform_source, device_type, order_type, checkout_time
  shopper_id, shopper_email, shopper_ip, shopper_phone, shopper_level
  open3d, token_flag, token_id, card, expiration_month, expiration_year, security_code, first_name, last_name, document,
  birth_date, notify_url, challenge_window_size, session_id
  billing_country, billing_state, billing_city, billing_address, billing_postal_code
  os, browser, browser_lang, time_zone, resolution, cookie_new, cookie_old, device_fingerprint, user_agent,
  antifraud_token_cookie, color_depth, accept
  delivery_firstname, delivery_lastname, delivery_country, delivery_state, delivery_city, delivery_address,
  delivery_postal_code
  cart_items, account_owner, total_discount, additional_information, subscription
`);

/** §2.3: every field of an APM payment request. */
export const apmPaymentTable = words(`
  payment_method, merchant_id, account_id, order_no, currency, amount, item_total, shipping, handling, tax_total,
  insurance, shipping_discount, discount, service, items, note, custom, platform_source, device_type, encryption_data
  shopper_id, shopper_email, shopper_ip, shopper_phone, shopper_level, first_name, last_name, document, birth_date
  billing_country, billing_state, billing_city, billing_address, billing_postal_code
  os, browser, browser_lang, time_zone, resolution, cookie_new, cookie_old, device_fingerprint, color_depth
  delivery_firstname, delivery_lastname, delivery_country, delivery_state, delivery_city, delivery_district_name,
  delivery_street_name, delivery_address, delivery_postal_code
  return_url, notify_url
  bank_code
  person
`);

const account = words(
  'account_type account_number branch_number owner_document_number owner_name branch_country currency',
);

/** §2.3: every leaf of the person object, by its path in the request. */
export const personTable = [
  ...words(`
    document_number, document_type, social_name, email
    phone_country_code, phone_area_code, phone_number
    birth_date, net_monthly_average_income
    address_street, address_number, address_complement, address_postal_code, address_city, address_state, address_country
    fiscal_country
    documents.file_type, documents.file_data, documents.file_url, documents.labels.person_bank_account_id
  `),
  ...[...account, 'bank.code', 'bank.name'].map((name) => `documents.labels.bank_account.${name}`),
].map((path) => `person.${path}`);

import { describe, expect, it } from 'vitest';
import { apmPaymentRequest } from './apm-payment.ts';
import { directPaymentRequest } from './direct-payment.ts';
import { operationNames, operations } from './operations.ts';
import { queryRequest } from './query.ts';

/** §2.1, word for word; "the service" is the field `service`. */
const directFields = `merchant_id, account_id, order_no, encryption_data,
  currency, amount, item_total, shipping, handling, tax_total, insurance, shipping_discount, discount,
  service, items, note, custom, price_id, quote_id, quote_price, storefront_domains, installments, installments_id,
  platform_source, device_type, order_type, checkout_time,
  shopper_id, shopper_email, shopper_ip, shopper_phone, shopper_level,
  open3d, token_flag, token_id, card, expiration_month, expiration_year, security_code, first_name, last_name, document,
  birth_date, notify_url, challenge_window_size, session_id,
  billing_country, billing_state, billing_city, billing_address, billing_postal_code,
  os, browser, browser_lang, time_zone, resolution, cookie_new, cookie_old, device_fingerprint, user_agent,
  antifraud_token_cookie, color_depth, accept,
  delivery_firstname, delivery_lastname, delivery_country, delivery_state, delivery_city, delivery_address,
  delivery_postal_code,
  cart_items, account_owner, total_discount, additional_information, subscription`;

/** §2.3. */
const apmFields = `payment_method, merchant_id, account_id, order_no, currency, amount, item_total, shipping, handling,
  tax_total, insurance, shipping_discount, discount, service, items, note, custom, platform_source, device_type,
  encryption_data, shopper_id, shopper_email, shopper_ip, shopper_phone, shopper_level, first_name, last_name, document,
  birth_date, billing_country, billing_state, billing_city, billing_address, billing_postal_code,
  os, browser, browser_lang, time_zone, resolution, cookie_new, cookie_old, device_fingerprint, color_depth,
  delivery_firstname, delivery_lastname, delivery_country, delivery_state, delivery_city, delivery_district_name,
  delivery_street_name, delivery_address, delivery_postal_code, return_url, notify_url, bank_code, person`;

/** §4.1. */
const queryFields = `merchant_id, account_id, orders, trades, platform_source, order_status, query_start, query_end,
  encryption_data`;

const names = (table: string): string[] => table.split(/[\s,]+/).sort();

const payment = { merchant_id: '1', account_id: '2', order_no: 'A', currency: 'BRL', amount: '1.00' };

describe('the gateway’s messages', () => {
  it('have the fields of the spec’s tables, all of them and no others', () => {
    expect(Object.keys(directPaymentRequest.shape).sort()).toEqual(names(directFields));
    expect(Object.keys(apmPaymentRequest.shape).sort()).toEqual(names(apmFields));
    expect(Object.keys(queryRequest.shape).sort()).toEqual(names(queryFields));
  });

  it('require nothing of a payment but identity, order and amount', () => {
    expect(directPaymentRequest.safeParse(payment).success).toBe(true);
    expect(apmPaymentRequest.safeParse({ ...payment, payment_method: 'PIX' }).success).toBe(true);
  });

  it('refuse a misspelt field, also deep inside', () => {
    expect(directPaymentRequest.safeParse({ ...payment, shiping: '1.00' }).success).toBe(false);
    const person = { documents: { labels: { bank_account: { bank: { cod: '1' } } } } };
    expect(apmPaymentRequest.safeParse({ ...payment, payment_method: 'PIX', person }).success).toBe(false);
  });

  it('hold numbers where the spec has numbers and strings elsewhere', () => {
    expect(directPaymentRequest.safeParse({ ...payment, checkout_time: 1_790_000_000 }).success).toBe(true);
    expect(directPaymentRequest.safeParse({ ...payment, checkout_time: '1790000000' }).success).toBe(false);
    expect(directPaymentRequest.safeParse({ ...payment, color_depth: 24 }).success).toBe(false);
    expect(directPaymentRequest.safeParse({ ...payment, subscription: { billing_cycle: '12' } }).success).toBe(false);
  });

  it('refuse text that XML, JSON or a form could not carry', () => {
    for (const note of ['\u0000', 'a\u0007b', '\ud800', 'x\u007f']) {
      expect(directPaymentRequest.safeParse({ ...payment, note }).success, JSON.stringify(note)).toBe(false);
    }
    expect(directPaymentRequest.safeParse({ ...payment, note: 'line\n\ttab 😀' }).success).toBe(true);
  });

  it('are re-sent only where reading is all that the operation does', () => {
    expect(operationNames.filter((name) => operations[name].resend)).toEqual(['query', 'refund_search']);
  });
});

const words = (table: string): readonly string[] => table.trim().split(/\s+/);

/**
 * The fields of the requests whose schemas share groups of fields, in the order of the interface, without
 * `encryption_data`; "the service" is `service`. The schemas of all other messages have the interface's order.
 */
export const printedOrder = {
  /** §2.1. */
  direct_payment: words(`merchant_id account_id order_no
    currency amount item_total shipping handling tax_total insurance shipping_discount discount
    service items note custom price_id quote_id quote_price storefront_domains installments installments_id
    platform_source device_type order_type checkout_time
    shopper_id shopper_email shopper_ip shopper_phone shopper_level
    open3d token_flag token_id card expiration_month expiration_year security_code first_name last_name document
    birth_date notify_url challenge_window_size session_id
    billing_country billing_state billing_city billing_address billing_postal_code
    os browser browser_lang time_zone resolution cookie_new cookie_old device_fingerprint user_agent
    antifraud_token_cookie color_depth accept
    delivery_firstname delivery_lastname delivery_country delivery_state delivery_city delivery_address
    delivery_postal_code
    cart_items account_owner total_discount additional_information subscription`),
  /** §2.3. */
  apm_payment: words(`payment_method merchant_id account_id order_no currency amount item_total shipping handling
    tax_total insurance shipping_discount discount service items note custom platform_source device_type
    shopper_id shopper_email shopper_ip shopper_phone shopper_level first_name last_name document
    birth_date billing_country billing_state billing_city billing_address billing_postal_code
    os browser browser_lang time_zone resolution cookie_new cookie_old device_fingerprint color_depth
    delivery_firstname delivery_lastname delivery_country delivery_state delivery_city delivery_district_name
    delivery_street_name delivery_address delivery_postal_code return_url notify_url bank_code person`),
  /** §2.9. */
  payout: words(`merchant_id account_id beneficiary_id client_data fee_paid_by payment_amount source_amount
    payment_currency source_currency payment_date payment_method reason reference request_id swift_charge_option
    fund_source notify_url beneficiary payer`),
};

/** What no schema can say of a body, where several routes say it: see `RouteDoc.rules`. */

/** Which address a shopper may be sent back to is the operator's word. */
export const RETURN_URL_RULE =
  '`return_url` must lie under one of the account’s `return_urls` in the relay’s configuration';

/** Every field that is an amount, by its name. */
export const DECIMALS_RULE =
  'an amount (`amount`, `item_total`, `shipping`, `handling`, `tax_total`, `insurance`, `shipping_discount`, `discount`, `refund_amount`, `contract_amount`, `payment_amount`, `source_amount`, the `price` of an item, `each` and `total` of a plan) must not have more decimals than its currency, two where it is not known, but for zeros';

/** A free trial, or a check of a card. */
export const ZERO_RULE =
  'an `amount` of nothing needs a `subscription` of which something is said, or a `token_flag` other than `0`, and is paid by card alone';

export const BIRTH_DATE_RULE = 'a `birth_date` of the `person` that looks like a date must be a real one';

export const CONTRACT_DATES_RULE =
  'a `contract_start` or `contract_end` of the `subscription` that looks like a date must be a real one, and the end must not be before the start';

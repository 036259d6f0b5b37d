/** What the fields about the shopper, the card, the device and the delivery mean. */
export const shopperFields: Record<string, string> = {
  birth_date: 'Date of birth as `DD-MM-YYYY`.',
  card: 'The card number. It is sent to the gateway and kept nowhere.',
  'Attempt.card': 'The card, masked.',
  'Session.card': 'The card that paid, masked.',
  'PaymentAnswer.card': 'The card that paid, masked.',
  expiration_month: 'Month in which the card expires, `1` to `12`, with or without a leading zero.',
  expiration_year: 'Year in which the card expires, of four digits or two.',
  security_code: 'The code on the card. It lives in the memory of this one request and is kept nowhere.',
  token_id: 'The gateway’s token of a card.',
  user_agent: 'The shopper’s `User-Agent` header.',
  accept: 'The `Accept` header with which the shopper’s browser asks for a page.',
  checkout_time: 'When the shopper submitted, in Unix seconds. Now, where it is left out.',
};

/** What the fields of sessions, batches and searches mean. */
export const requestFields: Record<string, string> = {
  'UpdateSession.order': 'The fields that change. What is not here stays as it is.',
  return_url: 'Where the shopper goes at the end. It must lie under one of the account’s `return_urls`.',
  payment_method: 'The gateway’s name of the method.',
  'Session.revision': 'Counts the changes of the order, from 1.',
  transaction_id: 'The gateway’s id of the payment.',
  refund_amount: 'What goes back: at most the amount, and at most what is left of the payment.',
  recurring_id: 'The gateway’s id of the contract.',
  orders: 'Orders to find, by your `order_no`.',
  'SettleSession.outcome': '`approved`: the order was paid. `not_paid`: it was not.',
  'SettleSession.transaction_id': 'The gateway’s id of the payment, as its records have it.',
  'SettleSession.amount': 'What was paid, where it is not what was to be paid.',
  'SettleSession.currency': 'Its currency, where that differs.',
  'SettleSession.note': 'Why you know: the report or the person that you asked. It is kept with the session.',
  outcome: 'What became of it: of every item, unless `items` tells them apart.',
};

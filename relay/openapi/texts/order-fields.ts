/** What the fields of an order and of the money in it mean. A key with a dot is for one named schema alone. */
export const orderFields: Record<string, string> = {
  order_no: 'Your number of the order. At most one payment of it can be under way, and it can be paid once.',
  'Session.order_no': 'Your number of the order.',
  'Operation.note': 'What the person who settled it wrote.',
  price_id: 'The gateway’s id of a price.',
  currency: 'ISO 4217 code of three capital letters.',
  amount: 'What is charged, as a decimal string: `"129.90"`, in yen `"1000"`, in dinars `"10.125"`.',
  'Operation.items': 'What became of each item, in the order of the request.',
  'Item.name':
    'What the line is called. Neither `#,` nor `#;` may stand in it, nor a comma or semicolon at its start: the gateway’s format uses them.',
  'Item.code': 'Your code of the article, under the same rule.',
  contract: 'Your word for the contract.',
  contract_amount: 'What each later charge takes.',
  interval: 'The unit of the time between charges.',
  interval_count: 'How many of these units lie between two charges.',
  billing_cycle: 'How many charges there are in all.',
  promotion_cycle: 'How many charges at the start are promotional.',
  contract_start: 'When the contract begins.',
  contract_end: 'When it ends.',
};

/** What the fields of a payout mean. */
export const payoutFields: Record<string, string> = {
  request_id: 'A UUID that names this payout alone. It cannot be used twice by an account.',
};

/** What the fields of contracts mean. */
export const subscriptionFields: Record<string, string> = {
  subscriptions: 'The contracts, the newest first.',
  'SubscriptionAnswer.recurring_id': 'The gateway’s id of the contract: `POST /v1/subscription/cancel` ends it.',
  'SubscriptionAnswer.contract_name': 'Its name, as the gateway told it, or as your order has it.',
  'SubscriptionAnswer.status':
    '`active` until it is known to be over; `ending` while its end is being sent; `end_unknown` while nobody knows whether it was ended; `ended` once it was ended through the relay, the gateway told so in a signed notification, or the day of its `contract_end` is over. What was ended in the gateway’s portal, and not told, is not known here.',
  'SubscriptionAnswer.order_no': 'Your number of the order whose payment began it.',
  'SubscriptionAnswer.session_id': 'The session that it was paid through, where that is known.',
  'SubscriptionAnswer.started_at': 'When its first payment was made.',
  'SubscriptionAnswer.shopper_email': 'The shopper’s e-mail, masked, where the order has it.',
  'SubscriptionAnswer.card': 'The card of the first payment, masked.',
  'SubscriptionAnswer.currency': 'ISO 4217 code.',
  terms: 'The terms that your order had (§2.1).',
  'SubscriptionAnswer.recurring_deduction_period': 'What the gateway told with the first payment.',
  'SubscriptionAnswer.recurring_deduction_time': 'What the gateway told with the first payment.',
  'SubscriptionAnswer.recurring_status': 'The gateway’s code, from its last signed notification.',
  first_charge: 'The payment that began it.',
  later_charges:
    'How many charges after the first are known: those that queries about the order proved, and those that signed notifications told as approved. The newest 60 notifications of the session are read.',
  last_charge: 'The last of them that has a date.',
  'SubscriptionCharge.transaction_id': 'The gateway’s id of the charge.',
  'SubscriptionCharge.at': 'When it was made; of a later one when its notification came.',
  'SubscriptionCharge.amount': 'What it took, where that is known.',
  'SubscriptionCharge.currency': 'ISO 4217 code.',
  next_charge:
    'What to expect: the day, in the gateway’s time zone, and the amount. `by` tells whether the `gateway` told the day, or the relay read it out of the `terms`; the interface does not explain those, so it is no promise. Not there where the terms do not tell, or no charge is left.',
  'SubscriptionAnswer.date': 'The day, `YYYY-MM-DD`.',
  'SubscriptionAnswer.by': 'Who says so; in `end` who asked for it: the name of the API key.',
  'SubscriptionAnswer.amount': 'What it is expected to take.',
  'Operation.payout':
    'Of a payout: where the gateway last said that it stands, and how many notifications came to its notify_url. In answers to `GET /v1/operations/{id}` and in the list.',
  'Operation.payout_status': 'The gateway’s own word, such as `COMPLETED`.',
  'Operation.notifications': 'How many notifications came; the same one twice counts once.',
  'Operation.notified_at': 'When the last one came.',
  end: 'The last try to end it through the relay.',
  'SubscriptionAnswer.operation_id': 'The operation: `GET /v1/operations/{id}` tells more.',
  'SubscriptionAnswer.outcome': 'What became of it, where that is known.',
  'SubscriptionAnswer.notifications':
    'How many notifications came to the session’s notify_url; the same one twice counts once.',
  'SubscriptionAnswer.notified_at': 'When the last one came.',
};

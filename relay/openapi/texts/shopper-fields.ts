/** What the card is in answers. */
export const shopperFields: Record<string, string> = {
  'Attempt.card': 'The card, masked.',
  'Session.card': 'The card that paid, masked.',
  'PaymentAnswer.card': 'The card that paid, masked.',
};

/** What the fields of sessions, batches and searches mean. */
export const requestFields: Record<string, string> = {
  'UpdateSession.order': 'The fields that change. What is not here stays as it is.',
  'Session.revision': 'Counts the changes of the order, from 1.',
  transaction_id: 'The gateway’s id of the payment.',
  refund_amount: 'What goes back: at most the amount, and at most what is left of the payment.',
  recurring_id: 'The gateway’s id of the contract.',
  orders: 'Orders to find, by your `order_no`.',
  outcome: 'What became of it: of every item, unless `items` tells them apart.',
};

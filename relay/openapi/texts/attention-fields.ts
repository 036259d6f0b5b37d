const difference = {
  class:
    'In what the books differ: `missing_here` (the gateway has a payment that the relay has not), `missing_there`, `amount`, `currency`, `status`, `second_payment`, `refund_missing_here` or `refund_missing_there`.',
  order_no: 'Your number of the order.',
  transaction_id: 'The gateway’s id of the payment.',
  refund_reference_id: 'The gateway’s id of the refund.',
  known: 'Of `missing_here`: whether the relay has the order at all.',
  here: 'What the relay says.',
  there: 'What the gateway says.',
  status: 'How it stands.',
  amount: 'How much it is, as a decimal string.',
};

const report = {
  from: 'The start of the period.',
  to: 'The end of the period; it is not part of it.',
  orders: 'How many orders were compared.',
  uncompared: 'How many orders could not be compared.',
  total: 'How many differences there are, those too that `differences` has no room for.',
  differences: 'What differs, 200 at the most.',
};

const of = (name: string, fields: Record<string, string>): [string, string][] =>
  Object.entries(fields).map(([field, text]) => [`${name}.${field}`, text]);

/** What the fields of cases that wait for a person, and of reports of reconciliations, mean. */
export const attentionFields: Record<string, string> = Object.fromEntries([
  ...of('Attention', {
    at: 'When this was found.',
    groups: 'Every kind of case, the most urgent first, those without cases too.',
    reconciliation: 'The last reconciliation that was reported. It is not there where none was.',
    reported_at: 'When it was reported.',
    from: report.from,
    to: report.to,
    orders: report.orders,
    total: 'How many differences it found.',
  }),
  ...of('AttentionGroup', {
    kind: '`paid_twice`, `order_unknown` (the gateway did not tell for a day), `order_contradicted` (it shows something that does not fit), `order_overdue` (a payment still pends after its session’s time), `operation_unknown` (only a person can find out), `difference` (of the last reconciliation), `webhook_failed`; or without need of a person yet `order_asked` and `operation_asked` (the relay asks the gateway again and again) and `order_pending`.',
    count: 'How many there are, counted up to 100.',
    more: 'There are more, or may be: of orders that are paid twice the newest 200 are looked at.',
    oldest: 'Since when the first one waits.',
    cases: 'The first ones, the oldest first, 20 at the most.',
  }),
  ...of('AttentionCase', {
    since: 'Since when.',
    why: 'Why, in the words that sessions, operations, webhooks and reconciliations use: `timeout`, `amount_differs`, `http_503`, `missing_there`; `order_unknown_here` of a payment whose order the relay does not have at all.',
    order_no: 'Your number of the order.',
    session_id: 'The session that it is about.',
    transaction_id: 'The gateway’s id of the payment; of an order that is paid twice that of the second one.',
    operation_id: 'The operation that it is about.',
    operation: 'Which operation it is.',
    items: 'How many items it has.',
    event_id: 'The webhook that it is about.',
    event: 'What the webhook tells, such as `session.approved`.',
    amount: 'How much it is about, as a decimal string. Of an operation with several items it is not there.',
    next_query_at: 'When the relay asks the gateway next.',
  }),
  ...of('Difference', difference),
  ...of('ReconciliationReport', report),
  ...of('Reconciliation', {
    ...report,
    ...difference,
    reported_at: 'When it was reported.',
    by: 'Who reported it: the name of the API key, or `person:` and the name of who signed in to the console.',
  }),
]);

const figures: Record<string, string> = {
  payments: 'How many attempts began.',
  outcomes: 'What became of them.',
  approval_rate: 'Approved of those that were approved or declined. It is not there where there was neither.',
  approved: 'What approved payments came to, in each currency; of a method how many there were.',
  methods: 'The same by method, the most used first.',
  payment_method: '`card`, `token`, or the alternative payment method’s name.',
  declined: 'How many of them were declined.',
  decline_codes: 'How often each code of the gateway declined, the most frequent first; fifty codes at the most.',
  code: 'The gateway’s code.',
  count: 'How often.',
  refunds: 'Refunds that began, but for those that are known to have failed.',
  latency: 'How long the gateway took to answer. It is not there where it answered no payment.',
  answers: 'How many payments were answered with yes or no.',
  p50_ms: 'Half of the answers took no longer.',
  p95_ms: '95 of a hundred took no longer.',
  p99_ms: '99 of a hundred took no longer.',
  start: 'When the period begins. It ends with the start of the next one.',
};

/** What the fields of counts and sums mean. */
export const statsFields: Record<string, string> = {
  ...Object.fromEntries(
    ['Figures', 'PeriodFigures'].flatMap((name) =>
      Object.entries(figures).map(([field, text]) => [`${name}.${field}`, text]),
    ),
  ),
  'Outcomes.approved': 'They are paid.',
  'Outcomes.declined': 'The gateway declined them.',
  'Outcomes.refused': 'The gateway did not take the message.',
  'Outcomes.not_paid': 'They turned out to be absent at the gateway, were abandoned, or settled so by a person.',
  'Outcomes.in_flight': 'The gateway has not answered yet.',
  'Outcomes.redirected': 'The shopper is at the issuer’s page.',
  'Outcomes.pending': 'A voucher or transfer is under way.',
  'Outcomes.unknown': 'Nobody knows yet.',
  'Sum.currency': 'ISO 4217 code.',
  'Sum.count': 'How many.',
  'Sum.amount': 'What they come to.',
  'Stats.by': 'How long a period is.',
  'Stats.from': 'The start of the first period.',
  'Stats.to': 'The end of the last period.',
  'Stats.time_zone': 'Hours and days are those of UTC.',
  'Stats.currency': 'The currency that was asked for.',
  'Stats.computed_at': 'When this was computed.',
  'Stats.total': 'All periods together.',
  'Stats.periods': 'The figures of each period, the oldest first.',
};

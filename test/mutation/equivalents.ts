/** A code change that no behaviour shows: `text` of a file becomes `changed`, in lines with `line` if given. */
export type Equivalent = { file: string; line?: string; text: string; changed: string; why: string };

const payments: readonly Equivalent[] = [
  {
    file: 'relay/payments/attempt.ts',
    line: 'notified_at !== undefined && notified_at > ended',
    text: 'notified_at !== undefined',
    changed: 'true',
    why: 'Nothing is greater than undefined: the check satisfies the types.',
  },
  {
    file: 'relay/payments/attempt.ts',
    line: "state.reason === 'abandoned'",
    text: "state.status === 'not_paid'",
    changed: 'true',
    why: 'No other state has the reason `abandoned`: the check satisfies the types.',
  },
  {
    file: 'relay/payments/answer.ts',
    line: 'session.state.attempt_id !== attempt.id',
    text: 'session.state.attempt_id !== attempt.id',
    changed: 'false',
    why: 'At most one attempt of an order is in flight, so a processing session belongs to it.',
  },
  {
    file: 'relay/payments/answer.ts',
    line: 'if (waitingSession(before, attempt)) return becomeUnknown',
    text: 'waitingSession(before, attempt)',
    changed: 'true',
    why: 'The session of an attempt in flight processes it, or is over: then becomeUnknown changes the attempt alone, too.',
  },
  {
    file: 'relay/payments/operations/after-refund-search.ts',
    line: "if (found.kind === 'absent' && clear",
    text: "found.kind === 'absent'",
    changed: 'true',
    why: 'A count that is complete has settled the refund, so only a search that shows it absent completes it.',
  },
  {
    file: 'relay/payments/operations/match-refunds.ts',
    line: 'equal[0]?.fitting ?? []',
    text: '[]',
    changed: '["Stryker was here"]',
    why: 'A group has at least one item.',
  },
  {
    file: 'relay/payments/operations/match-refunds.ts',
    text: "''",
    changed: '"Stryker was here!"',
    why: 'The placeholder of a missing field is no amount, no currency, no code of the book and no name of a refund.',
  },
  {
    file: 'relay/payments/operations/operation.ts',
    line: 'state.settlement.absent !== undefined',
    text: "state.settlement.by === 'refund_search'",
    changed: 'true',
    why: 'A person’s settlement has no `absent`: the check satisfies the types.',
  },
  {
    file: 'relay/payments/operations/payout-message.ts',
    line: "return receivedAt < knownAt ? 'older' : 'newer'",
    text: 'receivedAt < knownAt',
    changed: 'receivedAt <= knownAt',
    why: 'The two are not equal there.',
  },
  {
    file: 'relay/payments/operations/payout-message.ts',
    line: 'const isOlder =',
    text: 'receivedAt !== undefined && knownAt !== undefined',
    changed: 'true',
    why: 'Nothing is less than undefined: the checks satisfy the types.',
  },
  {
    file: 'relay/payments/operations/payout-message.ts',
    line: 'settlement.items.every',
    text: 'current.settlement.items.every((item) => item === end)',
    changed: 'current.settlement.items.some(item => item === end)',
    why: 'A payout has one item.',
  },
  {
    file: 'relay/payments/operations/refund-names.ts',
    line: "state.settlement?.by === 'person'",
    text: 'state.settlement?.by',
    changed: 'state.settlement.by',
    why: 'An operation that is answered has an answer, and one without an answer was settled.',
  },
  {
    file: 'relay/payments/settle-by-person.ts',
    line: 'amount = attempt?.amount',
    text: "''",
    changed: '"Stryker was here!"',
    why: 'Only an attempt that was sent can be undecided, so an attempt exists.',
  },
  {
    file: 'relay/payments/schedule.ts',
    line: 'for (let ms = 5 * SECOND_MS; ms < overMs;',
    text: 'ms < overMs',
    changed: 'ms <= overMs',
    why: 'The end is excluded below and added as the last element.',
  },
  {
    file: 'relay/payments/settlement/approve-attempt.ts',
    line: "return isSame && proof.proof === 'answer'",
    text: "proof.proof === 'answer'",
    changed: 'true',
    why: 'A record of a known transaction never reaches this code; only its answer does.',
  },
  {
    file: 'relay/payments/settlement/credit.ts',
    line: "const movesTo = proof.proof === 'answer'",
    text: "proof.proof === 'answer'",
    changed: 'true',
    why: 'A record of a known transaction arrives without an attempt.',
  },
  {
    file: 'relay/payments/settlement/records.ts',
    line: 'if (id !== undefined) byTransaction.set(id, known)',
    text: 'id !== undefined',
    changed: 'true',
    why: 'No record without a transaction_id is looked up.',
  },
  {
    file: 'relay/payments/attempt.ts',
    line: "return state.status === 'redirected' ? state.returned_at",
    text: "state.status === 'redirected'",
    changed: 'true',
    why: 'No other state has a time of return: the check satisfies the types.',
  },
];

const operations: readonly Equivalent[] = [
  {
    ...{ file: 'relay/operations/payouts.ts', text: 'state.answer?.status', changed: 'state.answer.status' },
    why: 'An operation that has no answer has no such field: the type alone allows an undefined one.',
  },
  {
    file: 'relay/operations/refusal-problem.ts',
    ...{ text: 'items[begun.item]?.currency', changed: 'items[begun.item].currency' },
    why: 'The store counts the given items, so an item with this number exists.',
  },
  {
    ...{ file: 'relay/operations/routes.ts', text: "''", changed: '"Stryker was here!"' },
    why: 'The schema of the query accepts `before` only with both parts: the defaults satisfy the type.',
  },
  {
    ...{ file: 'relay/operations/routes.ts', text: 'operation === undefined', changed: 'false' },
    why: 'For the store an undefined filter is no filter.',
  },
  {
    ...{ file: 'relay/operations/routes.ts', text: 'status === undefined', changed: 'false' },
    why: 'For the store an undefined filter is no filter.',
  },
];

const reconciliation: readonly Equivalent[] = [
  {
    file: 'relay/reconciliation/notification-poller.ts',
    line: "fault: 'query_unanswered', own: false }",
    text: "'query_unanswered'",
    changed: '""',
    why: 'For a query that does not count, the poller reads only the cause.',
  },
  {
    file: 'relay/reconciliation/notification-ends.ts',
    line: 'toldOf.get(subject) ?? []',
    text: '[]',
    changed: '["Stryker was here"]',
    why: 'A text adds nothing to the count, like an empty list.',
  },
  {
    file: 'relay/reconciliation/order-poller.ts',
    line: 'return before ? [{',
    ...{ text: 'before', changed: 'true' },
    why: 'A query is applied only to the orders that it named: all are known.',
  },
  {
    file: 'relay/reconciliation/reconcile.ts',
    line: 'answer.counted ? await notificationsBefore(',
    text: '[]',
    changed: '["Stryker was here"]',
    why: 'The notifications are read only of a query that counts.',
  },
];

const checkout: readonly Equivalent[] = [
  {
    file: 'relay/checkout/return.ts',
    line: "case 'not_awaited':",
    text: "'not_awaited'",
    changed: '""',
    why: 'A value without a case is undefined, too.',
  },
  {
    file: 'relay/checkout/return.ts',
    line: 'const isDue =',
    text: 'next_query_at !== undefined',
    changed: 'true',
    why: 'No date is not past: the check satisfies the types.',
  },
  {
    file: 'relay/checkout/conflicts.ts',
    line: "order.hold !== 'free'",
    text: "'free'",
    changed: '""',
    why: 'A free order is not changed: the check saves a read.',
  },
  {
    file: 'relay/checkout/pay.ts',
    line: "case 'key_lost':",
    text: "'key_lost'",
    changed: '""',
    why: 'A browser’s payment leads no key anywhere, so it cannot lose one.',
  },
  {
    file: 'relay/checkout/pay.ts',
    line: 'earlierKeys = []',
    text: '[]',
    changed: '["Stryker was here"]',
    why: 'No attempt has this key.',
  },
  {
    file: 'relay/checkout/server/payment.ts',
    line: "if (state?.status !== 'approved')",
    text: "state?.status !== 'approved'",
    changed: 'false',
    why: 'A payer sees an approval only if the session is approved: the check satisfies the types.',
  },
  {
    file: 'relay/checkout/send-attempt.ts',
    line: "const reason = outcome.kind === 'unknown' ?",
    text: "outcome.kind === 'unknown'",
    changed: 'true',
    why: 'No other outcome has a reason: the check satisfies the types.',
  },
];

export const equivalents: readonly Equivalent[] = [...payments, ...operations, ...reconciliation, ...checkout];

import type { AttentionKind } from '../../shared/api/attention.ts';
import type { DifferenceClass } from '../../shared/api/reconciliation.ts';

/** The words of what waits for a person. */
export const home = {
  all_well: 'Nothing needs you.',
  looked: 'Last looked',
  case: 'Case',
  since: 'Since',
  kinds: {
    paid_twice: 'Paid twice',
    order_unknown: 'Not known for too long',
    order_contradicted: 'Contradicted by the gateway',
    order_overdue: 'Pending after its time',
    operation_unknown: 'Operations to settle',
    difference: 'Differences of the last reconciliation',
    webhook_failed: 'Webhooks given up',
    order_asked: 'Not known yet',
    operation_asked: 'Operations not known yet',
    order_pending: 'Pending',
  } satisfies Record<AttentionKind, string>,
  todo: {
    paid_twice: 'Refund the payment that is not owed.',
    order_unknown: 'Ask the gateway, then settle it by what its portal shows.',
    order_contradicted: 'Look in the gateway’s portal, then settle it by what it shows.',
    order_overdue: 'Ask the gateway, then settle it by what its portal shows.',
    operation_unknown: 'Look in the gateway’s portal what was done, then settle each item. Do not send it again.',
    difference: 'Compare it with the gateway’s portal.',
    webhook_failed: 'Find out why your server did not take it, then send it again.',
    order_asked: 'Nothing to do yet: the relay keeps asking the gateway.',
    operation_asked: 'Nothing to do yet: the relay keeps asking the gateway. Do not send it again.',
    order_pending: 'Nothing to do yet: the gateway tells once the money has come, or will not.',
  } satisfies Record<AttentionKind, string>,
  contradicted: {
    amount_differs: 'The gateway has another amount: compare both in its portal, then settle it.',
    paid_before: 'The gateway has an older payment of this order: find out whose it is, then settle it.',
    record_declined: 'It was settled as paid, and the gateway declined it: do not ship before its portal says paid.',
  },
  differences: {
    missing_here: 'The gateway has a payment that the relay does not know: ask the gateway on the order.',
    order_unknown_here: 'The relay has no such order: ship or refund it by hand.',
    missing_there: 'The gateway does not know this payment: do not ship, and ask the gateway’s operator.',
    amount: 'The gateway has another amount: look in its portal.',
    currency: 'The gateway has another currency: look in its portal.',
    status: 'One of the two says paid, the other not: ask the gateway on the order.',
    second_payment: 'The gateway has a second payment: ask it on the order, then refund one of the two.',
    refund_missing_here: 'Refunded in the gateway’s portal? Book it in the shop, do not refund again.',
    refund_missing_there: 'The gateway does not know this refund: ask the gateway’s operator.',
  } satisfies Record<DifferenceClass | 'order_unknown_here', string>,
  items: (count: number) => `${count} items`,
  first: (shown: number, count: string) => `The first ${shown} of ${count}.`,
  more: (count: number) => `Show ${count} more`,
  all: 'See all',
  by_itself: (count: string) => `The relay is finding out by itself: ${count}`,
  reconciled: 'Last reconciliation',
  compared: (orders: number, differences: number) =>
    `${orders === 1 ? '1 order' : `${orders} orders`} compared, ${
      differences === 0 ? 'no differences' : differences === 1 ? '1 difference' : `${differences} differences`
    }.`,
  never_reconciled: 'No reconciliation yet: the command turnpike reconcile makes one.',
};

/** Why it is not known what became of an operation. */
export const whyUnknown = {
  reasons: {
    timeout: 'The gateway did not answer in time.',
    connection_lost: 'The connection was lost before the gateway answered.',
    relay_stopped: 'The relay stopped before the answer came.',
    codes_not_listed: 'The gateway answered with a code that the relay’s profile does not list.',
    http_status: 'The gateway answered with an error.',
    refused: 'The gateway did not take it, but may have done something nevertheless.',
  },
  other: 'The gateway’s answer cannot be used:',
  looks: (count: number) => (count === 1 ? 'Asked once' : `Asked ${count} times`),
  last: 'last',
  sent: 'Response from the gateway',
  asked: 'Request',
};

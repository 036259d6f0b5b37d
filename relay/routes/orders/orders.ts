import { orderDetail, orderList, orderQuery } from '../../../shared/api/order.ts';
import { noteOrder, orderNote } from '../../../shared/api/order-note.ts';
import { orderPayment, paymentList, paymentQuery, settlePayment } from '../../../shared/api/order-payment.ts';
import {
  acknowledgeSubscription,
  subscriptionAnswer,
  subscriptionList,
  subscriptionQuery,
} from '../../../shared/api/subscription.ts';
import { END_OF_CONTRACT } from '../../../shared/gateway/end-of-contract.ts';
import {
  note,
  noteExamples,
  orderExamples,
  orderListExamples,
  paymentListExamples,
  reconciledExamples,
  refundedPayment,
  settledPayment,
  settlePaymentExamples,
} from '../examples/orders.ts';
import { acknowledgedSubscription, acknowledgeExamples, subscriptionExamples } from '../examples/subscriptions.ts';
import { json, key, noBody, type Parameter, type Routes } from '../route.ts';

const access = key('console');

/** The parameter of a path that names an order. */
export const ORDER_NO: Parameter = {
  name: 'order_no',
  in: 'path',
  description: 'Your number of the order.',
  example: 'A-1001',
};

/** The parameter of a path that names a payment. */
const TRANSACTION_ID: Parameter = {
  name: 'transaction_id',
  in: 'path',
  description: 'The gateway’s id of the payment.',
  example: refundedPayment.transaction_id,
};

/** The parameter of a path that names a contract. */
const RECURRING_ID: Parameter = {
  name: 'recurring_id',
  in: 'path',
  description: 'The gateway’s id of the contract.',
  example: acknowledgedSubscription.recurring_id,
};

/** The orders that the relay knows. */
export const orderRoutes = {
  listOrders: {
    method: 'get',
    path: '/v1/orders',
    summary: 'List orders',
    description: `Lists your orders, the newest first unless \`sort\` says otherwise. An order must match all given filters. A parameter that is not listed here is an error.

A page can contain fewer orders than \`limit\`, even none, if few orders among very many match: continue while there is a \`next\`. An order keeps its place while you page, also if it changes. If very many orders change at the same time, a change can take some seconds to appear.

With \`Accept: text/csv\` or \`format=csv\`, the answer is one CSV file of all orders that match, one line for each; \`limit\` then has no effect. If the connection breaks off, the file is incomplete. The relay sends at most five such files of an account at the same time, and refuses another one.`,
    access,
    query: orderQuery,
    answers: [
      json(200, 'One page of orders; or all orders that match, as CSV.', orderList, orderListExamples, {
        or: 'text/csv',
      }),
    ],
    problems: ['invalid_request', 'too_many_attempts', 'store_unavailable'],
  },
  getOrder: {
    method: 'get',
    path: '/v1/orders/{order_no}',
    summary: 'Read an order',
    description: `Returns one order: its payments, what was captured and refunded, and its history in \`timeline\`: sessions, attempts, settlements by people, the last query and the next one, notifications, webhooks and operations.

Each of \`payments\` has a \`status\` and its sums. A refund of the order counts as \`refunded\` from its beginning, until it is known to have failed; of a payment, \`refunded\` counts successful refunds alone, and \`refund_undecided\` the others. \`capturable\` and \`refundable\` are the most that a new capture or refund can have: once anything of a payment was captured, or where \`gateway.profile.capture\` is \`manual\` for its method, only what was captured can be refunded. The relay does not know refunds, captures and cancellations that were made elsewhere; \`POST /v1/refund/search\` searches for them at the gateway.`,
    access,
    parameters: [ORDER_NO],
    answers: [json(200, 'The order.', orderDetail, orderExamples)],
    problems: ['not_found', 'store_unavailable'],
  },
  listPayments: {
    method: 'get',
    path: '/v1/payments',
    summary: 'List payments',
    description: `Lists the transactions that paid your orders, those of the newest orders first. A payment must match all given filters. A parameter that is not listed here is an error.

\`limit\` counts orders: an order that was paid twice has two payments. A page can contain fewer, even none, if few payments among very many match: continue while there is a \`next\`. An order keeps its place while you page.

With \`Accept: text/csv\` or \`format=csv\`, the answer is one CSV file of all payments that match, as for \`GET /v1/orders\`.`,
    access,
    query: paymentQuery,
    answers: [
      json(200, 'One page of payments; or all payments that match, as CSV.', paymentList, paymentListExamples, {
        or: 'text/csv',
      }),
    ],
    problems: ['invalid_request', 'too_many_attempts', 'store_unavailable'],
  },
  getPayment: {
    method: 'get',
    path: '/v1/payments/{transaction_id}',
    summary: 'Read a payment',
    description:
      'Returns one payment by the gateway’s id, as `payments` of its order does: its status, its sums, and the operations on it. If the gateway charged several orders under one id, it is the payment of the first.',
    access,
    parameters: [TRANSACTION_ID],
    answers: [
      json(200, 'The payment.', orderPayment, [
        { name: 'refunded', summary: 'A payment that was refunded in part', value: refundedPayment },
      ]),
    ],
    problems: ['not_found', 'store_unavailable'],
  },
  settlePayment: {
    method: 'post',
    path: '/v1/payments/{transaction_id}/settle',
    summary: 'Settle a payment',
    description: `For a person who checked the gateway’s records. Decides about a payment that is not confirmed, held for a review, or reversed; nothing is sent to the gateway. The payment contains who decided, when and why (\`settled\`). Repeating the request changes nothing.

\`confirmed\`: the order can be delivered, and the webhook \`payment.ready\` says so; a payment that was held for a review is accepted (\`payment.accepted\`). \`reversed\`: the money is gone (\`payment.reversed\`). The decision holds until \`payment_status\` of the gateway’s record changes.`,
    access: key('settle'),
    repeatable: 'kept_answer',
    audit: 'payment.settle',
    parameters: [TRANSACTION_ID],
    body: { kind: 'json', schema: settlePayment, examples: settlePaymentExamples },
    rules: ['`note` must contain more than spaces'],
    answers: [
      json(200, 'The payment after the settlement.', orderPayment, [
        { name: 'confirmed', summary: 'Confirmed by a person', value: settledPayment },
      ]),
    ],
    problems: ['not_found', 'store_unavailable'],
  },
  noteOrder: {
    method: 'post',
    path: '/v1/orders/{order_no}/notes',
    summary: 'Add a note to an order',
    description:
      'Keeps a note with the name of the API key, or of the person in the console, and the time. The order’s timeline has it as long as orders are kept (`retention_days`); the gateway does not get it. A scope that only reads, such as `console`, is not enough.',
    access: { kind: 'api_key', scopes: ['settle', 'refund', 'capture', 'cancel', 'review'] },
    repeatable: 'kept_answer',
    audit: 'order.note',
    parameters: [ORDER_NO],
    body: { kind: 'json', schema: noteOrder, examples: noteExamples },
    rules: ['`note` must contain more than spaces, and no card number'],
    answers: [
      json(201, 'The note.', orderNote, [{ name: 'note', summary: 'A note of a person in the console', value: note }]),
    ],
    problems: ['not_found', 'store_unavailable'],
  },
  reconcileOrder: {
    method: 'post',
    path: '/v1/orders/{order_no}/reconcile',
    summary: 'Query the gateway about an order',
    description: `Queries the gateway about an order now, not only when its next query is due, applies the result, and answers as \`GET /v1/orders/{order_no}\` does: with the transactions that paid the order, its sessions, and whether the query counted. The timeline is included only if the API key also has the scope \`console\`. A failed query proves nothing (\`last_query.fault\`).

An order that the relay does not have is queried, too: it may be that of a later charge of a contract. 404 if it is not.

The relay queries one order at most once in two seconds; requests in between get the result of the same query.`,
    access: key('query'),
    repeatable: 'kept_answer',
    audit: 'order.reconcile',
    parameters: [ORDER_NO],
    body: noBody,
    answers: [json(200, 'The order.', orderDetail, reconciledExamples)],
    problems: ['not_found', 'store_unavailable'],
  },
} as const satisfies Routes;

/** The contracts that payments of orders began. */
export const subscriptionRoutes = {
  listSubscriptions: {
    method: 'get',
    path: '/v1/subscriptions',
    summary: 'List subscriptions',
    description: `Lists the contracts (§2.1 \`subscription\`) that payments of your orders began, the newest order first. Later charges are found by the gateway’s notifications and by \`POST /v1/orders/{order_no}/reconcile\`, and each is a payment of its own. The relay knows an end from \`POST /v1/subscription/cancel\`. A contract is listed as soon as the gateway has sent its \`recurring_id\`.

The end of a contract: ${END_OF_CONTRACT}

\`limit\` counts orders: an order that was paid twice has two contracts. Continue while there is a \`next\`.

With \`Accept: text/csv\` or \`format=csv\`, the answer is one CSV file of all contracts that match, as for \`GET /v1/orders\`.`,
    access: key('console'),
    query: subscriptionQuery,
    answers: [
      json(200, 'One page of contracts; or all that match, as CSV.', subscriptionList, subscriptionExamples, {
        or: 'text/csv',
      }),
    ],
    problems: ['invalid_request', 'too_many_attempts', 'store_unavailable'],
  },
  acknowledgeSubscription: {
    method: 'post',
    path: '/v1/subscriptions/{recurring_id}/acknowledge',
    summary: 'Acknowledge failed charges',
    description: `For a person who is done with the failed charges of a contract, for example because the shopper was asked for another card. They need no attention any more (\`charge_failed\`); the next charge that fails does. Nothing is sent to the gateway, and \`failures\` stays. Repeating the request changes nothing.`,
    access: key('settle'),
    repeatable: 'kept_answer',
    audit: 'subscription.acknowledge',
    parameters: [RECURRING_ID],
    body: { kind: 'json', schema: acknowledgeSubscription, examples: acknowledgeExamples },
    rules: ['`note` must contain more than spaces'],
    answers: [
      json(200, 'The contract.', subscriptionAnswer, [
        { name: 'acknowledged', summary: 'Acknowledged by a person', value: acknowledgedSubscription },
      ]),
    ],
    problems: ['not_found', 'store_unavailable'],
  },
} as const satisfies Routes;

import { emptyBody } from '../../../shared/api/fields.ts';
import { orderDetail, orderList, orderStatuses, unsettledStatuses } from '../../../shared/api/order.ts';
import { subscriptionList } from '../../../shared/api/subscription.ts';
import { transactionId } from '../../../shared/samples/ids.ts';
import { emptyExamples } from '../examples/events.ts';
import {
  orderExamples,
  orderListExamples,
  reconciledExamples,
  recurringId,
  subscriptionExamples,
} from '../examples/orders.ts';
import type { Access, Parameter, RouteDoc } from '../route.ts';
import type { JsonSchema } from '../schemas/json-schema.ts';

const access: Access = { kind: 'api_key', scopes: ['console'] };

const ORDER_NO: Parameter = {
  name: 'order_no',
  in: 'path',
  description: 'Your number of the order.',
  example: 'A-1001',
};

const filter = (name: string, description: string, example: string, schema?: JsonSchema): Parameter => ({
  name,
  in: 'query',
  description,
  example,
  ...(schema ? { schema } : {}),
});

const filters: readonly Parameter[] = [
  filter('status', '`open`, `in_progress` or `paid`.', 'paid', { type: 'string', enum: [...orderStatuses] }),
  filter(
    'session_status',
    'Only orders whose paid session, or last one, has the status `processing`, `redirected`, `pending` or `unknown`.',
    'pending',
    { type: 'string', enum: [...unsettledStatuses] },
  ),
  filter('decline_code', 'The gateway’s code of a declined attempt, as in `decline_codes` of `GET /v1/stats`.', '2001'),
  filter('created_from', 'Only orders that were created at this time or later.', '2027-03-01T00:00:00Z'),
  filter('created_to', 'Only orders that were created before this time.', '2027-04-01T00:00:00Z'),
  filter('amount', 'The amount that was paid, or is to be paid. Requires `currency`.', '129.90'),
  filter('currency', 'The currency of that amount.', 'BRL', { type: 'string', pattern: '^[A-Z]{3}$' }),
  filter(
    'payment_method',
    'The method of the attempt that paid, or of the last one: `card`, `token`, or the method’s name.',
    'PIX',
  ),
  filter('last4', 'The last four digits of a card of an attempt.', '1111', { type: 'string', pattern: '^[0-9]{4}$' }),
  filter('needs_attention', '`true`: only orders that need a person.', 'true', {
    type: 'string',
    enum: ['true'],
  }),
  filter(
    'email',
    'The shopper’s whole e-mail address, from the order or the form. Upper and lower case are equal.',
    'ada@example.com',
  ),
  filter('order_no', 'Your number of the order.', 'A-1001'),
  filter('order_no_prefix', 'The beginning of your number of the order.', 'A-10'),
  filter('transaction_id', 'The gateway’s id of an attempt to pay the order.', transactionId),
  filter('transaction_id_prefix', 'The beginning of that id. Not allowed together with `order_no_prefix`.', '202703'),
];

const pages: readonly Parameter[] = [
  filter('format', '`csv`: the same as `Accept: text/csv`, for links.', 'csv', {
    type: 'string',
    enum: ['json', 'csv'],
  }),
  filter('before', 'The `next` of the previous page.', '1806487920000-41', {
    type: 'string',
    pattern: '^[0-9]{1,16}-[0-9]{1,18}$',
  }),
  filter('limit', 'The size of a page, 1 to 100. Default: 20.', '100', {
    type: 'string',
    pattern: '^([1-9][0-9]?|100)$',
  }),
];

/** What the relay knows of orders, and of the contracts that they began. */
export const orderRoutes: readonly RouteDoc[] = [
  {
    method: 'get',
    path: '/v1/orders',
    id: 'listOrders',
    tag: 'Orders',
    summary: 'List orders',
    description: `Lists your orders, the newest first. An order must match all given filters. A parameter that is not listed here is an error.

A page can contain fewer orders than \`limit\`, even none, if few orders among very many match: continue while there is a \`next\`. An order keeps its place while you page, also if it changes. If very many orders change at the same time, a change can take some seconds to appear.

With \`Accept: text/csv\` or \`format=csv\`, the answer is one CSV file of all orders that match, one line for each; \`limit\` then has no effect. If the connection breaks off, the file is incomplete. The relay sends at most five such files of an account at the same time, and refuses another one.`,
    access,
    parameters: [...filters, ...pages],
    answers: [
      {
        status: 200,
        description: 'One page of orders; or all orders that match, as CSV.',
        content: { kind: 'json', schema: orderList, examples: orderListExamples, or: 'text/csv' },
      },
    ],
    problems: ['invalid_request', 'too_many_attempts', 'store_unavailable'],
  },
  {
    method: 'get',
    path: '/v1/orders/{order_no}',
    id: 'getOrder',
    tag: 'Orders',
    summary: 'Read an order',
    description: `Returns one order: its payments, what was captured and refunded, and its history in \`timeline\`: sessions, attempts, settlements by people, the last query and the next one, notifications, webhooks and operations.

A refund counts as refunded from its beginning, until it is known to have failed. \`refundable\` is the amount that a new refund can have. The relay does not know refunds and captures that were made elsewhere; \`POST /v1/refund/search\` searches for them at the gateway.`,
    access,
    parameters: [ORDER_NO],
    answers: [
      {
        status: 200,
        description: 'The order.',
        content: { kind: 'json', schema: orderDetail, examples: orderExamples },
      },
    ],
    problems: ['not_found', 'store_unavailable'],
  },
  {
    method: 'post',
    path: '/v1/orders/{order_no}/reconcile',
    id: 'reconcileOrder',
    tag: 'Orders',
    summary: 'Query the gateway about an order',
    description: `Queries the gateway about an order now, not only when its next query is due, applies the result, and answers as \`GET /v1/orders/{order_no}\` does: with the transactions that paid the order, its sessions, and whether the query counted. The timeline is included only if the API key also has the scope \`console\`. A failed query proves nothing (\`last_query.fault\`).

The relay queries one order at most once in two seconds; requests in between get the result of the same query.`,
    access: { kind: 'api_key', scopes: ['query'] },
    repeatable: 'kept_answer',
    parameters: [ORDER_NO],
    body: { kind: 'json', schema: emptyBody, examples: emptyExamples, isOptional: true },
    answers: [
      {
        status: 200,
        description: 'The order.',
        content: { kind: 'json', schema: orderDetail, examples: reconciledExamples },
      },
    ],
    problems: ['not_found', 'store_unavailable'],
  },
  {
    method: 'get',
    path: '/v1/subscriptions',
    id: 'listSubscriptions',
    tag: 'Orders',
    summary: 'List subscriptions',
    description: `Lists the contracts (§2.1 \`subscription\`) that payments of your orders began, the newest order first. The relay knows later charges from the gateway’s notifications and from queries about the order, and an end from \`POST /v1/subscription/cancel\`. A contract is listed as soon as the gateway has sent its \`recurring_id\`.

\`limit\` counts orders: an order that was paid twice has two contracts. Continue while there is a \`next\`.`,
    access: { kind: 'api_key', scopes: ['console'] },
    parameters: [
      filter('recurring_id', 'The gateway’s id of the contract.', recurringId),
      filter('order_no', 'Your number of the order whose payment began the contract.', 'A-1001'),
      filter('email', 'The shopper’s whole e-mail address, from the order or the form.', 'ada@example.com'),
      ...pages,
    ],
    answers: [
      {
        status: 200,
        description: 'One page of contracts.',
        content: {
          kind: 'json',
          schema: subscriptionList,
          examples: subscriptionExamples,
        },
      },
    ],
    problems: ['invalid_request', 'store_unavailable'],
  },
];

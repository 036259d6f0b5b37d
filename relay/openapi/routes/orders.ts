import { orderStatuses, unsettledStatuses } from '../../../shared/api/order.ts';
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
    'Only orders of which the session that was paid, or the last one, is `processing`, `redirected`, `pending` or `unknown`.',
    'pending',
    { type: 'string', enum: [...unsettledStatuses] },
  ),
  filter(
    'decline_code',
    'The gateway’s code of an attempt that it declined, as `decline_codes` of `GET /v1/stats` has it.',
    '2001',
  ),
  filter('created_from', 'Only orders that were made then or later.', '2027-03-01T00:00:00Z'),
  filter('created_to', 'Only orders that were made before.', '2027-04-01T00:00:00Z'),
  filter('amount', 'What was paid, or is to be paid. Needs `currency`.', '129.90'),
  filter('currency', 'Its currency.', 'BRL', { type: 'string', pattern: '^[A-Z]{3}$' }),
  filter(
    'payment_method',
    '`card`, `token` or the name of the method: of the attempt that paid, or of the last one.',
    'PIX',
  ),
  filter('last4', 'The last four digits of a card that was tried.', '1111', { type: 'string', pattern: '^[0-9]{4}$' }),
  filter('needs_attention', '`true`: only orders that a person must look at.', 'true', {
    type: 'string',
    enum: ['true'],
  }),
  filter(
    'email',
    'The shopper’s e-mail as a whole, of the order or typed; letters’ case does not matter.',
    'ada@example.com',
  ),
  filter('order_no', 'Your number of the order.', 'A-1001'),
  filter('order_no_prefix', 'How your number of the order begins.', 'A-10'),
  filter('transaction_id', 'The gateway’s id of an attempt to pay it.', transactionId),
  filter('transaction_id_prefix', 'How that id begins. Not together with `order_no_prefix`.', '202703'),
];

const pages: readonly Parameter[] = [
  filter('format', '`csv`: the same as `Accept: text/csv`, for links.', 'csv', {
    type: 'string',
    enum: ['json', 'csv'],
  }),
  filter('before', 'The `next` of the page before.', '1806487920000-41', {
    type: 'string',
    pattern: '^[0-9]{1,16}-[0-9]{1,18}$',
  }),
  filter('limit', 'How many at once, 1 to 100. 20, where it is left out.', '100', {
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
    description: `What the relay knows of your orders, the newest first. Filters that are given together must all hold. A parameter that is not listed here is an error.

A page can hold fewer orders than \`limit\`, even none, where few among very many are wanted: go on as long as there is a \`next\`. An order keeps its place while you page, whatever becomes of it. What changed a moment ago can take some seconds to show where very much changes at once.

With \`Accept: text/csv\`, or \`format=csv\`, every order that the filters find comes as one CSV file, a line each; \`limit\` does not count then. A file that ends before its last line is cut off by the connection: an answer that breaks off is not whole. Five such files of an account are sent at once; one more is refused.`,
    access,
    parameters: [...filters, ...pages],
    answers: [
      {
        status: 200,
        description: 'One page of orders; or all of them, as CSV.',
        content: { kind: 'json', schema: 'OrderList', examples: orderListExamples, or: 'text/csv' },
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
    description: `One order: what paid it, what was captured and refunded, and in one \`timeline\` all that happened to it: sessions, attempts, settlements by people, the last query and the next one, notifications, webhooks and operations.

Refunds count as refunded from the moment that they begin until it is known that they failed: \`refundable\` is what a new refund may ask for. What was refunded or captured outside of this relay is not known here; \`POST /v1/refund/search\` asks the gateway.`,
    access,
    parameters: [ORDER_NO],
    answers: [
      {
        status: 200,
        description: 'The order.',
        content: { kind: 'json', schema: 'OrderDetail', examples: orderExamples },
      },
    ],
    problems: ['not_found', 'store_unavailable'],
  },
  {
    method: 'post',
    path: '/v1/orders/{order_no}/reconcile',
    id: 'reconcileOrder',
    tag: 'Orders',
    summary: 'Ask the gateway about an order',
    description: `Asks the gateway about an order now instead of when its next query is due, applies what it says, and answers as \`GET /v1/orders/{order_no}\` does: with the transactions that paid the order, its sessions, and whether the query counted; with its timeline only where the API key has the scope \`console\`, too. A query that failed proves nothing (\`last_query.fault\`).

The gateway is asked about one order at most once in two seconds; requests in between get the result of the same query.`,
    access: { kind: 'api_key', scopes: ['query'] },
    repeatable: 'kept_answer',
    parameters: [ORDER_NO],
    body: { kind: 'json', schema: 'EmptyBody', examples: emptyExamples, isOptional: true },
    answers: [
      {
        status: 200,
        description: 'The order.',
        content: { kind: 'json', schema: 'OrderDetail', examples: reconciledExamples },
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
    description: `The contracts (§2.1 \`subscription\`) that payments of your orders began, the newest order first, as far as the relay knows them: it learns of later charges from the gateway’s notifications and from queries about the order, and of an end from \`POST /v1/subscription/cancel\`. One is listed once the gateway has told its \`recurring_id\`.

\`limit\` counts orders: one that was paid twice has two contracts. Go on as long as there is a \`next\`.`,
    access: { kind: 'api_key', scopes: ['console'] },
    parameters: [
      filter('recurring_id', 'The gateway’s id of the contract.', recurringId),
      filter('order_no', 'Your number of the order whose payment began it.', 'A-1001'),
      filter('email', 'The shopper’s e-mail as a whole, of the order or typed.', 'ada@example.com'),
      ...pages,
    ],
    answers: [
      {
        status: 200,
        description: 'One page of contracts.',
        content: {
          kind: 'json',
          schema: 'SubscriptionList',
          examples: subscriptionExamples,
        },
      },
    ],
    problems: ['invalid_request', 'store_unavailable'],
  },
];

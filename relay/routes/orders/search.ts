import { MAX_HITS, type SearchAnswer, searchAnswer, searchQuery } from '../../../shared/api/search.ts';
import { time } from '../../../shared/samples/ids.ts';
import { paidSummary, refundedPayment } from '../examples/orders.ts';
import { json, key, type Routes } from '../route.ts';

const { transaction_id, order_no, amount, currency, status, paid_at, method } = refundedPayment;
const none = { hits: [] };

const byNumber: SearchAnswer = {
  searched: (['order_no', 'transaction_id', 'recurring_id'] as const).map((as) => ({ as, value: 'a-1001' })),
  orders: { hits: [{ ...paidSummary, matched: ['order_no'] }] },
  ...{ payments: none, sessions: none, operations: none, subscriptions: none },
};

const byPayment: SearchAnswer = {
  searched: (['order_no', 'transaction_id', 'recurring_id'] as const).map((as) => ({ as, value: transaction_id })),
  payments: {
    hits: [
      {
        transaction_id,
        order_no,
        amount,
        currency,
        status,
        paid_at,
        ...(method ? { method } : {}),
        matched: ['transaction_id'],
      },
    ],
  },
  ...{ orders: none, sessions: none, operations: none, subscriptions: none },
};

const byCard: SearchAnswer = {
  searched: [{ as: 'last4', value: '1111', from: time }],
  orders: { hits: [{ ...paidSummary, matched: ['last4'] }], more: true },
  ...{ payments: none, sessions: none, operations: none, subscriptions: none },
};

/** One search for everything in an account. */
export const searchRoutes = {
  searchEverything: {
    method: 'get',
    path: '/v1/search',
    summary: 'Search for everything',
    description: `Finds orders, payments, sessions, operations and contracts by a text of any kind: the number of an order in letters of any case, its beginning or its end; the gateway’s id of a payment or its beginning, or of a contract; the id of a session or an operation; a whole e-mail address; the last four digits of a card; an amount as it is written in English or in Portuguese, with or without a currency. \`searched\` states what the text was taken for. An amount that could mean two (\`1.000\`) is searched for as both.

Of each kind there are at most ${MAX_HITS} hits. The last four digits of a card are searched for in the orders of the last 90 days: \`GET /v1/orders?last4=\` finds older ones. Of a complete card number, only the last four digits are searched for. Do not send one: it would be in the address.`,
    access: key('console'),
    query: searchQuery,
    answers: [
      json(200, 'What was found, by kind.', searchAnswer, [
        { name: 'order', summary: 'By the number of an order', value: byNumber },
        { name: 'payment', summary: 'By the id of a payment', value: byPayment },
        { name: 'card', summary: 'By the last four digits of a card', value: byCard },
      ]),
    ],
    problems: ['invalid_request', 'store_unavailable'],
  },
} as const satisfies Routes;

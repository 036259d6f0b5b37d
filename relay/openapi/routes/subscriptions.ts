import type { SubscriptionList } from '../../../shared/api/subscription.ts';
import { operationId, sessionId, time, transactionId } from '../../../shared/samples/ids.ts';
import type { Parameter, RouteDoc } from '../route.ts';

const recurringId = 'REC-30417';

const page: SubscriptionList = {
  subscriptions: [
    {
      ...{ recurring_id: recurringId, contract_name: 'Tea club', status: 'active', order_no: 'A-1001' },
      ...{ session_id: sessionId, started_at: time, shopper_email: 'a•••@example.com', card: '411111******1111' },
      currency: 'BRL',
      terms: { contract_amount: '49.90', interval: 'month' },
      first_charge: { transaction_id: transactionId, at: time, amount: '49.90', currency: 'BRL' },
      later_charges: 1,
      last_charge: { transaction_id: '20270430101500000044', at: '2027-04-30T10:15:02.000Z' },
      next_charge: { date: '2027-05-31', by: 'terms', amount: '49.90', currency: 'BRL' },
      ...{ notifications: 2, notified_at: '2027-04-30T10:15:02.000Z' },
    },
    {
      ...{ recurring_id: 'REC-29982', status: 'end_unknown', order_no: 'A-0977' },
      ...{ started_at: '2027-02-28T18:02:11.000Z', currency: 'BRL' },
      first_charge: {
        ...{ transaction_id: '20270228180211000017', at: '2027-02-28T18:02:11.000Z', amount: '99.00' },
        currency: 'BRL',
      },
      later_charges: 0,
      end: { operation_id: operationId, status: 'unknown', outcome: 'unknown', at: time, by: 'support' },
      notifications: 0,
    },
  ],
  next: '1806487920000-41',
};

const filter = (name: string, description: string, example: string): Parameter => ({
  ...{ name, in: 'query', description, example },
});

/** What the relay knows of contracts. */
export const subscriptionRoutes: readonly RouteDoc[] = [
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
      {
        ...filter('before', 'The `next` of the page before.', '1806487920000-41'),
        schema: { type: 'string', pattern: '^[0-9]{1,16}-[0-9]{1,18}$' },
      },
      {
        ...filter('limit', 'How many at once, 1 to 100. 20, where it is left out.', '100'),
        schema: { type: 'string', pattern: '^([1-9][0-9]?|100)$' },
      },
    ],
    answers: [
      {
        status: 200,
        description: 'One page of contracts.',
        content: {
          kind: 'json',
          schema: 'SubscriptionList',
          examples: [{ name: 'page', summary: 'One that goes on, and one of whose end nobody knows', value: page }],
        },
      },
    ],
    problems: ['invalid_request', 'store_unavailable'],
  },
];

import type {
  AcknowledgeSubscription,
  SubscriptionAnswer,
  SubscriptionList,
} from '../../../shared/api/subscription.ts';
import { operationId, sessionId, time, transactionId } from '../../../shared/samples/ids.ts';
import type { Example } from '../route.ts';

const recurringId = 'REC-30417';

const subscribed: SubscriptionAnswer = {
  ...{ recurring_id: recurringId, contract_name: 'Tea club', status: 'active', order_no: 'A-1001' },
  ...{ session_id: sessionId, started_at: time, shopper_email: 'a•••@example.com', card: '411111******1111' },
  currency: 'BRL',
  terms: { contract_amount: '49.90', interval: 'month' },
  first_charge: { transaction_id: transactionId, order_no: 'A-1001', at: time, amount: '49.90', currency: 'BRL' },
  later_charges: 1,
  last_charge: {
    ...{ transaction_id: '20270430101500000044', order_no: 'A-1001-R2', at: '2027-04-30T10:15:00.000Z' },
    ...{ amount: '49.90', currency: 'BRL' },
  },
  failures: 0,
  next_charge: { date: '2027-05-31', by: 'terms', amount: '49.90', currency: 'BRL' },
  ...{ notifications: 2, notified_at: '2027-04-30T10:15:02.000Z' },
};

const subscriptionPage: SubscriptionList = {
  subscriptions: [
    subscribed,
    {
      ...{ recurring_id: 'REC-29982', status: 'end_unknown', order_no: 'A-0977' },
      ...{ started_at: '2027-02-28T18:02:11.000Z', currency: 'BRL' },
      first_charge: {
        ...{
          transaction_id: '20270228180211000017',
          order_no: 'A-0977',
          at: '2027-02-28T18:02:11.000Z',
          amount: '99.00',
        },
        currency: 'BRL',
      },
      ...{ later_charges: 0, failures: 0 },
      end: { operation_id: operationId, status: 'unknown', outcome: 'unknown', at: time, by: 'support' },
      notifications: 0,
    },
  ],
  next: '1806487920000-41',
};

const acknowledge: AcknowledgeSubscription = { note: 'Asked the shopper for another card' };

export const acknowledgeExamples: Example[] = [
  { name: 'acknowledged', summary: 'The shopper was asked', value: acknowledge },
];

/** A contract whose failed charge a person acknowledged. */
export const acknowledgedSubscription: SubscriptionAnswer = {
  ...subscribed,
  failures: 1,
  last_failure: {
    ...{ transaction_id: '20270531101500000045', order_no: 'A-1001-R3', at: '2027-05-31T10:15:00.000Z' },
    ...{ amount: '49.90', currency: 'BRL', result: { code: '4100', message: 'Insufficient funds' } },
    acknowledged: { by: 'support', at: '2027-05-31T12:00:00.000Z', ...acknowledge },
  },
};

export const subscriptionExamples: Example[] = [
  { name: 'page', summary: 'An active contract, and one whose end is unknown', value: subscriptionPage },
];

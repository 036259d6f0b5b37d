import type { SubscriptionList } from '../../../shared/api/subscription.ts';
import { operationId, sessionId, time, transactionId } from '../../../shared/samples/ids.ts';
import type { Example } from '../route.ts';

export const recurringId = 'REC-30417';

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

export const subscriptionExamples: Example[] = [
  { name: 'page', summary: 'One that goes on, and one of whose end nobody knows', value: page },
];

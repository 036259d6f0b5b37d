import type { Faults } from './fault.ts';

/** Faults in queries and the records that they show. */
export const queryFaults: Faults = {
  'failed-queries-not-halved': {
    module: 'relay/reconciliation/content-fault.ts',
    file: 'queries/content-faults.ts?whole',
    seed: 13,
  },
  'refusals-halved': {
    module: 'relay/reconciliation/content-fault.ts',
    file: 'queries/content-faults.ts?halved',
    regression: 'A query that the gateway refused was halved again and again.',
  },
  'no-back-off': { module: 'relay/payments/schedule.ts', file: 'queries/no-back-off.ts', seed: 39 },
  'asks-before-limits': {
    module: 'relay/checkout/pay.ts',
    file: 'queries/asks-before-limits.ts',
    regression: 'A press over its limits was asked about before it was refused.',
  },
  'no-list-is-empty': {
    module: 'relay/gateway/call.ts',
    file: 'queries/no-list-is-empty.ts',
    regression: 'An answer without a list proved that there was no payment.',
  },
  'numbers-as-sent': { module: 'relay/reconciliation/sort-records.ts', file: 'queries/numbers-as-sent.ts', seed: 5 },
  'numbers-unread': { module: 'relay/gateway/answers/json-answer.ts', file: 'queries/numbers-unread.ts', seed: 28 },
  'currency-as-sent': { module: 'shared/gateway/amounts.ts', file: 'queries/currency-as-sent.ts', seed: 2 },
  'not-found-is-record': {
    module: 'relay/reconciliation/sort-records.ts',
    file: 'queries/not-found-is-record.ts',
    seed: 7,
  },
  'earlier-of-two-times': { module: 'relay/gateway/time-zone.ts', file: 'queries/earlier-times.ts', seed: 46 },
  'plans-ahead-kept': { module: 'relay/store/leases.ts', file: 'queries/plans-ahead.ts', seed: 37 },
  'orders-by-number': { module: 'relay/store/order-cache.ts', file: 'queries/orders-by-number.ts', seed: 2 },
  'reconciles-unknown': {
    module: 'relay/orders/reconcile-now.ts',
    file: 'queries/reconciles-unknown.ts',
    regression: 'A payment began while its order was asked about as unknown, and a record that held it was not used.',
  },
  'foreign-proves-absence': {
    module: 'relay/reconciliation/sort-records.ts',
    file: 'queries/foreign-records.ts',
    regression: 'An order was taken for unpaid because a query showed nothing of it, and a record of another order.',
  },
  'leased-ahead': {
    module: 'relay/store/leases.ts',
    file: 'queries/leased-ahead.ts',
    regression: 'A relay whose clock was ahead died during a query, and its lease kept all others from the order.',
  },
  'asked-ahead': { module: 'relay/store/leases.ts', file: 'queries/asked-ahead.ts', seed: 15 },
};

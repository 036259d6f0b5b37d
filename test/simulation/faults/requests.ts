import type { Faults } from './fault.ts';

/** Faults in requests, keys and limits. */
export const requestFaults: Faults = {
  'abandons-unasked': { module: 'relay/checkout/return.ts', file: 'requests/abandons-unasked.ts', seed: 3 },
  'payer-hung-up': { module: 'relay/checkout/send-attempt.ts', file: 'requests/payer-hung-up.ts', seed: 13 },
  'unsent-operations': { module: 'relay/reconciliation/unsent.ts', file: 'requests/unsent.ts?operations', seed: 33 },
  'unsent-attempts': { module: 'relay/reconciliation/unsent.ts', file: 'requests/unsent.ts?attempts', seed: 18 },
  'unsent-searched-once': {
    module: 'relay/reconciliation/unsent.ts',
    file: 'requests/unsent.ts?once',
    regression: 'A payment that was never sent was looked for once only.',
  },
  'unsent-never-searched': { module: 'relay/reconciliation/unsent.ts', file: 'requests/unsent.ts?never', seed: 8 },
  'view-is-return': { module: 'relay/checkout/return.ts', file: 'requests/view-is-return.ts', seed: 15 },
  'keys-forgotten': { module: 'relay/operating/retention.ts', file: 'requests/keys-forgotten.ts', seed: 5 },
  'secrets-forgotten': { module: 'relay/base/keys.ts', file: 'requests/secrets-forgotten.ts', seed: 8 },
  'waits-for-ever': {
    module: 'relay/reconciliation/reconcile.ts',
    file: 'requests/waits.ts',
    regression: 'A press waited for two queries of ten seconds each.',
  },
  'only-payments-paused': { module: 'relay/context/context.ts', file: 'requests/pauses-only-payments.ts', seed: 5 },
  'server-pays-without-query': {
    module: 'relay/checkout/pay.ts',
    file: 'requests/pays-again.ts?ended',
    regression: 'A server paid after a payment that began and was declined while the gateway was asked.',
  },
  'sends-late': { module: 'relay/reconciliation/send-window.ts', file: 'requests/sends-late.ts', seed: 17 },
  'sends-settled': {
    module: 'relay/reconciliation/send-window.ts',
    file: 'requests/sends-settled.ts',
    regression:
      'A payment was sent though its order was paid by another record before its relay heard that it is stored.',
  },
  'pays-again': { module: 'relay/checkout/pay.ts', file: 'requests/pays-again.ts', seed: 25 },
  'kept-after-rollback': {
    module: 'relay/store/sqlite/file/group.ts',
    file: 'requests/kept-after-rollback.ts',
    seed: 9,
  },
  'counted-ahead': {
    module: 'relay/store/leases.ts',
    file: 'requests/counted-ahead.ts',
    regression: 'A clock that was ahead used up the limits of a shopper.',
  },
  'ends-by-the-clock': {
    module: 'relay/context/context.ts',
    file: 'requests/ends-by-the-clock.ts',
    regression: 'A clock that was ahead for an hour made a relay forget a key, and a refund was made twice.',
  },
  'keys-released-once': {
    module: 'relay/reconciliation/late-writes.ts',
    file: 'requests/keys-released-once.ts',
    seed: 10,
  },
};

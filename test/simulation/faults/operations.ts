import type { Faults } from './fault.ts';

/** Faults in refunds, payouts and other operations. */
export const operationFaults: Faults = {
  'forgotten-payouts': {
    module: 'relay/store/sql/retention/purge.ts',
    file: 'operations/forgotten.ts?payouts',
    seed: 8,
  },
  'forgotten-references': {
    module: 'relay/store/sql/retention/purge.ts',
    file: 'operations/forgotten.ts?references',
    seed: 29,
  },
  'forgotten-refunds': {
    module: 'relay/store/sql/retention/purge.ts',
    file: 'operations/forgotten.ts?refunds',
    seed: 34,
  },
  'references-ignored': {
    module: 'relay/operations/run-operation.ts',
    file: 'operations/references-ignored.ts',
    seed: 4,
  },
  'named-refunds-unsearched': {
    module: 'relay/payments/operations/after-refund-search.ts',
    file: 'operations/named-refunds-unsearched.ts',
    regression: 'An answer that was stored unheard, and stored again, reopened a refund that a search had settled.',
  },
  'crashed-refunds-unsearched': {
    module: 'relay/reconciliation/orphaned.ts',
    file: 'operations/unsearched.ts',
    regression: 'A refund whose relay died while it was sent was not searched for.',
  },
  'searches-cut-short': {
    module: 'relay/reconciliation/refund-search.ts',
    file: 'operations/searches-cut-short.ts',
    regression:
      'The searches of a slow gateway had too little time, so that a refund whose answer was lost could not be told.',
  },
  'refused-payouts-freed': {
    module: 'relay/payments/operations/operation.ts',
    file: 'operations/refused-payouts-freed.ts',
    seed: 10,
  },
  'last-payout-message-wins': {
    module: 'relay/payments/operations/payout-message.ts',
    file: 'operations/payout-messages.ts',
    seed: 21,
  },
  'outcomes-by-place': {
    module: 'relay/payments/operations/answered-state.ts',
    file: 'operations/outcomes.ts',
    regression: 'An answer that was stored unheard, and stored again, reopened a refund that a search had settled.',
  },
  'watched-from-end': {
    module: 'relay/payments/operations/after-refund-search.ts',
    file: 'operations/watched-from-end.ts',
    regression: 'A refund was searched for a shorter time because a clock that was behind told its end.',
  },
  'answers-after-settlement-ignored': {
    module: 'relay/payments/operations/answered-state.ts',
    file: 'operations/outcomes.ts?verdict',
    seed: 24,
  },
  'payouts-turn-back': {
    module: 'relay/payments/operations/payout-message.ts',
    file: 'operations/payout-messages.ts?back',
    regression: 'A payout that was returned was completed for some minutes, by a notification of before.',
  },
  'first-end-wins': {
    module: 'relay/payments/operations/payout-message.ts',
    file: 'operations/payout-messages.ts?untimed',
    seed: 21,
  },
  'later-status-wins': {
    module: 'relay/payments/operations/payout-message.ts',
    file: 'operations/payout-messages.ts?later',
    seed: 7,
  },
  'others-refunds': {
    module: 'relay/payments/operations/match-refunds.ts',
    file: 'operations/others-refunds.ts',
    seed: 9,
  },
  'captures-unaccounted': {
    module: 'relay/payments/ledger/accounting.ts',
    file: 'operations/unaccounted.ts?captures',
    seed: 3,
  },
  'cancellations-unaccounted': {
    module: 'relay/payments/ledger/accounting.ts',
    file: 'operations/unaccounted.ts?cancellations',
    seed: 3,
  },
  'rejections-unaccounted': {
    module: 'relay/payments/ledger/accounting.ts',
    file: 'operations/unaccounted.ts?reviews',
    seed: 3,
  },
  'undecided-unaccounted': {
    module: 'relay/payments/ledger/accounting.ts',
    file: 'operations/unaccounted.ts?undecided',
    seed: 3,
  },
  'undecided-refunds-unaccounted': {
    module: 'relay/payments/ledger/accounting.ts',
    file: 'operations/unaccounted.ts?refunds',
    seed: 23,
  },
  'refused-unaccounted': {
    module: 'relay/payments/ledger/accounting.ts',
    file: 'operations/unaccounted.ts?refused',
    seed: 10,
  },
  'refused-unreserved': {
    module: 'relay/payments/operations/counted-refunds.ts',
    file: 'operations/refused-unreserved.ts',
    seed: 46,
  },
  'undecided-left': { module: 'relay/payments/ledger/ledger.ts', file: 'operations/ledger.ts?undecided', seed: 1 },
  'first-operation-shown': { module: 'relay/payments/ledger/ledger.ts', file: 'operations/ledger.ts?first', seed: 8 },
  'last-payment-chosen': {
    module: 'relay/operations/chosen-payment.ts',
    file: 'operations/chosen-payments.ts',
    seed: 1,
  },
  'unknown-is-done': {
    module: 'relay/payments/operations/operation.ts',
    file: 'operations/done-by-answer.ts',
    seed: 5,
  },
  'late-refunds-unseen': {
    module: 'relay/reconciliation/apply-search.ts',
    file: 'operations/late-refunds-unseen.ts',
    seed: 10,
  },
  'late-refunds-uncertain': {
    module: 'relay/reconciliation/apply-search.ts',
    file: 'operations/late-refunds-unseen.ts?uncertain',
    seed: 18,
  },
  'late-refunds-shown': {
    module: 'relay/reconciliation/apply-search.ts',
    file: 'operations/late-refunds-unseen.ts?shown',
    seed: 10,
  },
};

import type { Faults } from './fault.ts';

/** Faults in outcomes of payments. */
export const paymentFaults: Faults = {
  'declines-for-good': { module: 'relay/payments/attempt.ts', file: 'payments/declines-for-good.ts', seed: 11 },
  'not-found-abandoned': { module: 'relay/payments/attempt.ts', file: 'payments/not-found-abandoned.ts', seed: 6 },
  'absent-is-declined': {
    module: 'relay/payments/settlement/release.ts',
    file: 'payments/absent-is-declined.ts',
    seed: 1,
  },
  'ready-again': {
    module: 'relay/payments/settlement/confirmation.ts',
    file: 'payments/confirmations.ts?again',
    seed: 1,
  },
  'held-is-ready': {
    module: 'relay/payments/settlement/confirmation.ts',
    file: 'payments/confirmations.ts?held',
    seed: 3,
  },
  'reversals-unreported': {
    module: 'relay/payments/settlement/confirmation.ts',
    file: 'payments/confirmations.ts?reversed',
    seed: 7,
  },
  'records-awaited-for-good': {
    module: 'relay/payments/settlement/confirmation.ts',
    file: 'payments/confirmations.ts?awaited',
    seed: 6,
  },
  'late-unreported': { module: 'relay/payments/transitions.ts', file: 'payments/late-unreported.ts', seed: 3 },
  'absent-at-once': { module: 'relay/payments/absence-clock.ts', file: 'payments/absence-clock.ts?once', seed: 1 },
  'absent-too-soon': { module: 'relay/payments/absence-clock.ts', file: 'payments/absence-clock.ts?soon', seed: 1 },
  'declines-of-others': { module: 'relay/payments/settlement/records.ts', file: 'payments/records.ts?dates', seed: 35 },
  'errors-decline': { module: 'relay/gateway/outcome.ts', file: 'payments/errors-decline.ts', seed: 13 },
  'pending-is-unknown': {
    module: 'relay/payments/settlement/records.ts',
    file: 'payments/records.ts?pending',
    seed: 20,
  },
  'others-forgotten': {
    module: 'relay/payments/attempt.ts',
    file: 'payments/others-forgotten.ts',
    regression: 'A declined transaction was forgotten once another one paid its order.',
  },
  'currencies-ignored': {
    module: 'relay/payments/settlement/records.ts',
    file: 'payments/records.ts?currencies',
    regression: 'An approved record in another currency paid an order whose answer was lost.',
  },
  'late-approval-dropped': {
    module: 'relay/payments/answer.ts',
    file: 'payments/answers.ts?late',
    regression: 'A signed approval was dropped because it came late.',
  },
  'unsigned-declines-for-good': {
    module: 'relay/payments/answer.ts',
    file: 'payments/answers.ts?unsigned',
    regression: 'An unsigned decline was taken for a signed one, and another payment was sent unasked.',
  },
  'changes-by-amount': {
    module: 'relay/payments/amount-due.ts',
    file: 'payments/changes-by-amount.ts',
    regression: 'A webhook reported an order as unchanged that changed, but for its amount.',
  },
  'returns-of-five-seconds': { module: 'relay/payments/schedule.ts', file: 'payments/returns.ts', seed: 3 },
  'charges-reported-again': {
    module: 'relay/payments/settlement/contracts.ts',
    file: 'payments/charges-reported-again.ts',
    seed: 1,
  },
  'waiting-by-the-clock': {
    module: 'relay/payments/absence-clock.ts',
    file: 'payments/absence-clock.ts?clock',
    regression: 'A clock that was set forward made a payment absent that was sent a minute before.',
  },
  'uncounted-proves-nothing': {
    module: 'relay/payments/settlement/settle-order.ts',
    file: 'payments/uncounted-records.ts',
    seed: 3,
  },
  'future-times-kept': {
    module: 'relay/payments/absence-clock.ts',
    file: 'payments/absence-clock.ts?ahead',
    regression: 'A clock that was ahead when an answer was lost kept people from hearing of it for a month.',
  },
  'pending-answer-unknown': {
    module: 'relay/gateway/outcome.ts',
    file: 'payments/pending-answers.ts',
    regression: 'A payment that was answered as pending was absent before its record came.',
  },
};

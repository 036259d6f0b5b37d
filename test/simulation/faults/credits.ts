import type { Faults } from './fault.ts';

/** Faults in credits of payments. */
export const creditFaults: Faults = {
  'refusals-for-good': {
    module: 'relay/payments/settlement/credit.ts',
    file: 'credits/uncredited.ts?settled',
    seed: 1,
  },
  'one-session-at-a-time': {
    module: 'relay/payments/settlement/credit.ts',
    file: 'credits/uncredited.ts?others',
    seed: 3,
  },
  'oldest-is-credited': {
    module: 'relay/payments/settlement/match.ts',
    file: 'credits/approvals.ts?oldest',
    seed: 23,
  },
  'latest-is-credited': {
    module: 'relay/payments/settlement/match.ts',
    file: 'credits/approvals.ts?latest',
    seed: 3,
  },
  'others-charges-pay': {
    module: 'relay/payments/settlement/match.ts',
    file: 'credits/approvals.ts?alone',
    regression:
      'A person said that a contract’s payment does not pay its order, and a later charge of the contract paid it.',
  },
  'unreported-beside-persons': {
    module: 'relay/payments/settlement/credit.ts',
    file: 'credits/unreported-beside-persons.ts',
    regression: 'A person said that an order is paid, and a charge of another currency was credited without a report.',
  },
  'both-to-refund': { module: 'relay/payments/settlement/credit.ts', file: 'credits/both-to-refund.ts', seed: 1 },
  'rivals-forgotten': {
    module: 'relay/payments/settlement/match.ts',
    file: 'credits/rivals-forgotten.ts',
    regression: 'A declined record was forgotten once another record paid its attempt.',
  },
  'signed-names-dropped': {
    module: 'relay/gateway/outcome.ts',
    file: 'credits/signed-names-dropped.ts',
    regression: 'A payment was credited to an attempt whose signed answer had named another transaction.',
  },
  'known-records-kept': {
    module: 'relay/payments/settlement/settle-order.ts',
    file: 'credits/known-records.ts',
    seed: 14,
  },
  'others-answers': { module: 'relay/gateway/outcome.ts', file: 'credits/others-answers.ts', seed: 1 },
  'signed-approval-absent': {
    module: 'relay/payments/settlement/settle-order.ts',
    file: 'credits/signed-approvals.ts',
    regression: 'A payment whose approval the gateway had signed counted as absent while queries did not show it.',
  },
  'answered-pending-absent': {
    module: 'relay/payments/settlement/settle-order.ts',
    file: 'credits/answered-pending.ts',
    regression: 'A payment that was answered as pending was absent before its record came.',
  },
  'moved-credit-absent': {
    module: 'relay/payments/settlement/credit.ts',
    file: 'credits/moved-credits.ts',
    regression: 'A credit moved to another attempt left one absent whose own answer had the codes of an approval.',
  },
  'unsigned-proves': {
    module: 'relay/payments/settlement/proof.ts',
    file: 'credits/unsigned-proves.ts',
    regression: 'A transaction that only an unsigned answer named counted as the first of two payments.',
  },
};

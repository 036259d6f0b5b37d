import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

type Fault = {
  /** The relay's module that has the fault. */
  module: string;
  /** The file in `mutants` that replaces it. */
  file: string;
} & FoundBy;

/**
 * Where the search starts. `seed`: at the first generated history that found the fault; it goes on to the last of the default run.
 * `regression`: at the regression test that found this; the other ones follow. Changes of the generator do not move a fault out of the range.
 */
type FoundBy = { seed: number } | { regression: string };

/** Faults that a relay once had or could have. */
export const faults: Readonly<Record<string, Fault>> = {
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
  'reversals-untold': {
    module: 'relay/payments/settlement/confirmation.ts',
    file: 'payments/confirmations.ts?reversed',
    seed: 7,
  },
  'records-awaited-for-good': {
    module: 'relay/payments/settlement/confirmation.ts',
    file: 'payments/confirmations.ts?awaited',
    seed: 6,
  },
  'late-untold': { module: 'relay/payments/transitions.ts', file: 'payments/late-untold.ts', seed: 3 },
  'abandons-unasked': { module: 'relay/checkout/return.ts', file: 'requests/abandons-unasked.ts', seed: 3 },
  'absent-at-once': { module: 'relay/payments/absence-clock.ts', file: 'payments/waited.ts?once', seed: 1 },
  'absent-too-soon': { module: 'relay/payments/absence-clock.ts', file: 'payments/waited.ts?soon', seed: 1 },
  'declines-of-others': { module: 'relay/payments/settlement/records.ts', file: 'payments/records.ts?dates', seed: 35 },
  'errors-decline': { module: 'relay/gateway/outcome.ts', file: 'payments/errors-decline.ts', seed: 13 },
  'refusals-for-good': {
    module: 'relay/payments/settlement/credit.ts',
    file: 'credits/uncredited.ts?settled',
    seed: 1,
  },
  'one-spoils-all': {
    module: 'relay/reconciliation/content-fault.ts',
    file: 'queries/content-faults.ts?whole',
    seed: 13,
  },
  'refusals-halved': {
    module: 'relay/reconciliation/content-fault.ts',
    file: 'queries/content-faults.ts?halved',
    regression: 'A query that the gateway refused was halved again and again.',
  },
  'one-session-at-a-time': {
    module: 'relay/payments/settlement/credit.ts',
    file: 'credits/uncredited.ts?others',
    seed: 3,
  },
  'pending-is-unknown': {
    module: 'relay/payments/settlement/records.ts',
    file: 'payments/records.ts?pending',
    seed: 20,
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
  'rivals-forgotten': {
    module: 'relay/payments/settlement/match.ts',
    file: 'credits/rivals-forgotten.ts',
    regression: 'A declined record was forgotten once another record paid its attempt.',
  },
  'unreported-beside-persons': {
    module: 'relay/payments/settlement/credit.ts',
    file: 'credits/unreported-beside-persons.ts',
    regression: 'A person said that an order is paid, and a charge of another currency was credited without a report.',
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
  'no-back-off': { module: 'relay/payments/schedule.ts', file: 'queries/no-back-off.ts', seed: 39 },
  'asks-before-limits': {
    module: 'relay/checkout/pay.ts',
    file: 'queries/asks-before-limits.ts',
    regression: 'A press over its limits was asked about before it was refused.',
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
  'unsent-tries-count': {
    module: 'relay/webhooks/commit.ts',
    file: 'notifications/commits.ts?unsent',
    regression: 'Attempts that were never sent counted against the limits.',
  },
  'payer-hung-up': { module: 'relay/checkout/send-attempt.ts', file: 'requests/payer-hung-up.ts', seed: 13 },
  'unsent-operations': { module: 'relay/reconciliation/unsent.ts', file: 'requests/unsent.ts?operations', seed: 33 },
  'unsent-attempts': { module: 'relay/reconciliation/unsent.ts', file: 'requests/unsent.ts?attempts', seed: 18 },
  'unsent-looked-for-once': {
    module: 'relay/reconciliation/unsent.ts',
    file: 'requests/unsent.ts?once',
    regression: 'A payment that was never sent was looked for once only.',
  },
  'unsent-never-looked-for': { module: 'relay/reconciliation/unsent.ts', file: 'requests/unsent.ts?never', seed: 8 },
  'decisions-kept-after': {
    module: 'relay/webhooks/commit.ts',
    file: 'notifications/commits.ts?sessions-first',
    regression: 'The answer of a person’s decision was kept after it, and the relay died between the two.',
  },
  'verdicts-kept-after': {
    module: 'relay/webhooks/commit.ts',
    file: 'notifications/commits.ts?operations-first',
    regression: 'The answer of a person’s verdict on a refund was kept after it, and the relay died between the two.',
  },
  'known-transactions-taken': {
    module: 'relay/webhooks/commit.ts',
    file: 'notifications/commits.ts?taken',
    regression: 'A person settled an order with the transaction of another one.',
  },
  'webhooks-after': { module: 'relay/webhooks/commit.ts', file: 'notifications/commits.ts?webhooks', seed: 13 },
  'changes-by-amount': {
    module: 'relay/payments/session-sum.ts',
    file: 'payments/changes-by-amount.ts',
    regression: 'A webhook reported an order as unchanged that changed, but for its amount.',
  },
  'no-list-is-empty': {
    module: 'relay/gateway/call.ts',
    file: 'queries/no-list-is-empty.ts',
    regression: 'An answer without a list proved that there was no payment.',
  },
  'numbers-as-sent': { module: 'relay/reconciliation/sort-records.ts', file: 'queries/numbers-as-sent.ts', seed: 5 },
  'notified-once': {
    module: 'relay/payments/settlement/notifications.ts',
    file: 'notifications/follow-notices.ts?once',
    seed: 21,
  },
  'repeats-for-paid': {
    module: 'relay/payments/settlement/notifications.ts',
    file: 'notifications/follow-notices.ts?paid',
    seed: 6,
  },
  'paid-orders-unwatched': {
    module: 'relay/payments/settlement/notifications.ts',
    file: 'notifications/follow-notices.ts?unwatched',
    regression: 'An attempt that was declined before another one paid its order was watched no more, and charged.',
  },
  'returns-of-five-seconds': { module: 'relay/payments/schedule.ts', file: 'payments/returns.ts', seed: 3 },
  'numbers-unread': { module: 'relay/gateway/answers/json-answer.ts', file: 'queries/numbers-unread.ts', seed: 28 },
  'currency-as-sent': { module: 'shared/gateway/amounts.ts', file: 'queries/currency-as-sent.ts', seed: 2 },
  'not-found-is-record': {
    module: 'relay/reconciliation/sort-records.ts',
    file: 'queries/not-found-is-record.ts',
    seed: 7,
  },
  'view-is-return': { module: 'relay/checkout/return.ts', file: 'requests/view-is-return.ts', seed: 15 },
  'refused-payouts-freed': {
    module: 'relay/payments/operations/operation.ts',
    file: 'operations/refused-payouts-freed.ts',
    seed: 10,
  },
  'last-payout-news-wins': {
    module: 'relay/payments/operations/payout-message.ts',
    file: 'operations/payout-news.ts',
    seed: 21,
  },
  'outcomes-by-place': {
    module: 'relay/payments/operations/answered-state.ts',
    file: 'operations/outcomes.ts',
    regression: 'An answer that was stored unheard, and stored again, reopened a refund that a search had settled.',
  },
  'charges-told-again': {
    module: 'relay/payments/settlement/contracts.ts',
    file: 'payments/charges-told-again.ts',
    seed: 1,
  },
  'signed-names-dropped': {
    module: 'relay/gateway/outcome.ts',
    file: 'credits/signed-names-dropped.ts',
    regression: 'A payment was credited to an attempt whose signed answer had named another transaction.',
  },
  'watched-from-end': {
    module: 'relay/payments/operations/after-refund-search.ts',
    file: 'operations/watched-from-end.ts',
    regression: 'A refund was searched for a shorter time because a clock that was behind told its end.',
  },
  'keys-forgotten': { module: 'relay/operating/retention.ts', file: 'requests/keys-forgotten.ts', seed: 5 },
  'earlier-of-two-times': { module: 'relay/gateway/time-zone.ts', file: 'queries/earlier-times.ts', seed: 46 },
  'plans-ahead-kept': { module: 'relay/store/leases.ts', file: 'queries/plans-ahead.ts', seed: 37 },
  'waiting-by-the-clock': {
    module: 'relay/payments/absence-clock.ts',
    file: 'payments/waited.ts?clock',
    regression: 'A clock that was set forward made a payment absent that was sent a minute before.',
  },
  'secrets-forgotten': { module: 'relay/base/keys.ts', file: 'requests/secrets-forgotten.ts', seed: 8 },
  'known-records-kept': {
    module: 'relay/payments/settlement/settle-order.ts',
    file: 'credits/known-records.ts',
    seed: 14,
  },
  'uncounted-proves-nothing': {
    module: 'relay/payments/settlement/settle-order.ts',
    file: 'payments/uncounted-records.ts',
    seed: 3,
  },
  'one-endpoint-told': { module: 'relay/webhooks/new-event.ts', file: 'notifications/one-endpoint.ts', seed: 9 },
  'left-out-untold': {
    module: 'relay/webhooks/new-event.ts',
    file: 'notifications/left-out.ts',
    regression: 'A session that ended while its account was out of the config sent no webhook.',
  },
  'verdicts-for-good': {
    module: 'relay/payments/operations/answered-state.ts',
    file: 'operations/outcomes.ts?verdict',
    seed: 24,
  },
  'gives-up-at-once': {
    module: 'relay/operating/retention.ts',
    file: 'notifications/gives-up-at-once.ts',
    regression: 'The webhooks of a long pause were given up while their account was missing for a moment.',
  },
  'gone-at-once': { module: 'relay/webhooks/send-webhook.ts', file: 'notifications/gone-at-once.ts', seed: 26 },
  'payouts-turn-back': {
    module: 'relay/payments/operations/payout-message.ts',
    file: 'operations/payout-news.ts?back',
    regression: 'A payout that was returned was completed for some minutes, by a notification of before.',
  },
  'first-end-wins': {
    module: 'relay/payments/operations/payout-message.ts',
    file: 'operations/payout-news.ts?untimed',
    seed: 21,
  },
  'later-status-wins': {
    module: 'relay/payments/operations/payout-message.ts',
    file: 'operations/payout-news.ts?later',
    seed: 7,
  },
  'orders-by-number': { module: 'relay/store/order-cache.ts', file: 'queries/orders-by-number.ts', seed: 2 },
  'waits-for-ever': {
    module: 'relay/reconciliation/reconcile.ts',
    file: 'requests/waits.ts',
    regression: 'A press waited for two queries of ten seconds each.',
  },
  'pauses-nothing': { module: 'relay/context/context.ts', file: 'requests/pauses-nothing.ts', seed: 5 },
  'reconciles-unknown': {
    module: 'relay/orders/reconcile-now.ts',
    file: 'queries/reconciles-unknown.ts',
    regression: 'A payment began while its order was asked about as unknown, and a record that held it was not used.',
  },
  'ended-unasked': {
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
  'undone-kept': { module: 'relay/store/sqlite/file/group.ts', file: 'requests/undone-kept.ts', seed: 9 },
  'others-answers': { module: 'relay/gateway/outcome.ts', file: 'credits/others-answers.ts', seed: 1 },
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
    module: 'relay/payments/operations/refund-rule.ts',
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
  'late-refunds-untold': {
    module: 'relay/reconciliation/apply-search.ts',
    file: 'operations/late-refunds-unseen.ts?told',
    seed: 18,
  },
  'late-refunds-shown': {
    module: 'relay/reconciliation/apply-search.ts',
    file: 'operations/late-refunds-unseen.ts?shown',
    seed: 10,
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
  'ahead-waits': {
    module: 'relay/payments/absence-clock.ts',
    file: 'payments/waited.ts?ahead',
    regression: 'A clock that was ahead when an answer was lost kept people from hearing of it for a month.',
  },
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
  'pending-answer-unknown': {
    module: 'relay/gateway/outcome.ts',
    file: 'payments/pending-answers.ts',
    regression: 'A payment that was answered as pending was absent before its record came.',
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
  'unsigned-proves': {
    module: 'relay/payments/settlement/payment.ts',
    file: 'credits/unsigned-proves.ts',
    regression: 'A transaction that only an unsigned answer named counted as the first of two payments.',
  },
  'keys-released-once': {
    module: 'relay/reconciliation/late-writes.ts',
    file: 'requests/keys-released-once.ts',
    seed: 10,
  },
};

/** Puts a fault back: every file of the relay that imports its module gets the wrong one, that one itself apart. */
export function plantFault(name: string): void {
  const fault = faults[name];
  if (fault === undefined) throw new Error(`no such fault: ${name}; there are ${Object.keys(faults).join(', ')}`);
  const { module, file } = fault;
  const [right, wrong] = [urlOf(`../../${module}`), urlOf(`./mutants/${file}`)];
  const missing = [right, wrong].find((url) => !existsSync(new URL(url)));
  if (missing) throw new Error(`the fault ${name} names a module that is not there: ${missing}`);
  const relay = urlOf('../../relay/');
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const isOfRelay = context.parentURL?.startsWith(relay) || context.parentURL?.endsWith('simulation/relay.ts');
      return resolved.url === right && isOfRelay ? { ...resolved, url: wrong } : resolved;
    },
  });
}

function urlOf(path: string): string {
  return new URL(path, import.meta.url).href;
}

import type { Faults } from './fault.ts';

/** Faults in notifications and webhooks. */
export const notificationFaults: Faults = {
  'unsent-tries-count': {
    module: 'relay/commit/commit.ts',
    file: 'notifications/commits.ts?unsent',
    regression: 'Attempts that were never sent counted against the limits.',
  },
  'decisions-kept-after': {
    module: 'relay/commit/commit.ts',
    file: 'notifications/commits.ts?sessions-first',
    regression: 'The answer of a person’s decision was kept after it, and the relay died between the two.',
  },
  'verdicts-kept-after': {
    module: 'relay/commit/commit.ts',
    file: 'notifications/commits.ts?operations-first',
    regression: 'The answer of a person’s verdict on a refund was kept after it, and the relay died between the two.',
  },
  'known-transactions-taken': {
    module: 'relay/commit/commit.ts',
    file: 'notifications/commits.ts?taken',
    regression: 'A person settled an order with the transaction of another one.',
  },
  'webhooks-after': { module: 'relay/commit/commit.ts', file: 'notifications/commits.ts?webhooks', seed: 13 },
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
  'one-endpoint-notified': { module: 'relay/commit/new-event.ts', file: 'notifications/one-endpoint.ts', seed: 9 },
  'left-out-unreported': {
    module: 'relay/commit/new-event.ts',
    file: 'notifications/left-out.ts',
    regression: 'A session that ended while its account was out of the config sent no webhook.',
  },
  'gives-up-at-once': {
    module: 'relay/operating/retention.ts',
    file: 'notifications/gives-up-at-once.ts',
    regression: 'The webhooks of a long pause were given up while their account was missing for a moment.',
  },
  'gone-at-once': { module: 'relay/webhooks/after-try.ts', file: 'notifications/gone-at-once.ts', seed: 26 },
};

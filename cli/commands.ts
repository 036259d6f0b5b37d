import type { Command } from 'commander';
import type { ExitCode } from './base/errors.ts';
import type { Io } from './base/io.ts';

/** A command of `turnpike`. Its modules are loaded when it is used: most of the time of a start is spent on loading. */
export type Entry = {
  name: string;
  /** Its line in the list of commands. */
  says: string;
  /** @param ends gets the exit code of a command that ends without an error, but not with 0 */
  load(io: Io, ends: (code: ExitCode) => void): Promise<Command>;
};

const batch = (name: 'refund' | 'capture' | 'cancel' | 'review', says: string): Entry => ({
  name,
  says,
  load: async (io, ends) => (await import('./money/batch.ts')).batchCommand(name, io, ends),
});

/** All commands, in the order of the help. */
export const entries: readonly Entry[] = [
  {
    name: 'orders',
    says: 'find orders, and see what happened to one',
    load: async (io) => (await import('./records/order-commands.ts')).ordersCommand(io),
  },
  {
    name: 'payments',
    says: 'find payments, see one, decide about one',
    load: async (io) => (await import('./records/payment-commands.ts')).paymentsCommand(io),
  },
  {
    name: 'sessions',
    says: 'open a checkout, see its outcome, decide what is undecided',
    load: async (io) => (await import('./records/session-commands.ts')).sessionsCommand(io),
  },
  {
    name: 'query',
    says: 'ask the gateway itself about orders, transactions or a period',
    load: async (io) => (await import('./records/gateway-query-commands.ts')).queryCommand(io),
  },
  {
    name: 'refunds',
    says: 'find refunds in the gateway’s records',
    load: async (io) => (await import('./records/gateway-query-commands.ts')).refundsCommand(io),
  },
  batch('refund', 'give money back: all that is refundable, or an amount'),
  batch('capture', 'take money that is only authorised: all that is capturable, or an amount'),
  batch('cancel', 'give up a payment that is only authorised'),
  batch('review', 'accept or reject a payment that is held for review'),
  {
    name: 'subscription',
    says: 'end the contract of a subscription, or acknowledge failed charges',
    load: async (io, ends) => (await import('./money/payout-and-subscription.ts')).subscriptionCommand(io, ends),
  },
  {
    name: 'payout',
    says: 'send a payout, by options or from a file, or by both',
    load: async (io, ends) => (await import('./money/payout-and-subscription.ts')).payoutCommand(io, ends),
  },
  {
    name: 'operations',
    says: 'see the outcomes of refunds, captures and other operations',
    load: async (io) => (await import('./records/operation-commands.ts')).operationsCommand(io),
  },
  {
    name: 'bulk',
    says: 'refund, capture, cancel or review what a CSV file lists, each row once',
    load: async (io, ends) => (await import('./bulk/bulk.ts')).bulkCommand(io, ends),
  },
  {
    name: 'events',
    says: 'list the events for the shop, and send them again',
    load: async (io) => (await import('./records/event-commands.ts')).eventsCommand(io),
  },
  {
    name: 'webhooks',
    says: 'list the endpoints that events are sent to, and how deliveries to them go',
    load: async (io) => (await import('./records/webhook-commands.ts')).webhooksCommand(io),
  },
  {
    name: 'listen',
    says: 'forward events to a shop on this machine, signed, until Ctrl-C',
    load: async (io) => (await import('./listen/listen.ts')).listenCommand(io),
  },
  {
    name: 'trigger',
    says: 'send a signed sample of an event to a shop’s receiver; no relay is needed',
    load: async (io) => (await import('./webhooks/trigger.ts')).triggerCommand(io),
  },
  {
    name: 'reconcile',
    says: 'compare the orders of a period with the gateway’s books: payments, sums, currencies, outcomes, refunds',
    load: async (io, ends) => (await import('./reconcile/reconcile.ts')).reconcileCommand(io, ends),
  },
  {
    name: 'config',
    says: 'check the relay’s settings',
    load: async (io) => (await import('./settings/config.ts')).configCommand(io),
  },
  {
    name: 'key',
    says: 'make API keys for the relay',
    load: async (io) => (await import('./settings/new.ts')).keyCommand(io),
  },
  {
    name: 'secret',
    says: 'make secrets for webhooks',
    load: async (io) => (await import('./settings/new.ts')).secretCommand(io),
  },
  {
    name: 'person',
    says: 'make people who may sign in to the console',
    load: async (io) => (await import('./settings/new.ts')).personCommand(io),
  },
  {
    name: 'doctor',
    says: 'check the relay’s settings against the gateway: connection, clock, signature, codes, and more',
    load: async (io, ends) => (await import('./doctor/doctor.ts')).doctorCommand(io, ends),
  },
];

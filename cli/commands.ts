import type { Entry } from './base/entry.ts';

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
    name: 'subscriptions',
    alias: 'subscription',
    says: 'find the contracts of subscriptions, end one, or acknowledge failed charges',
    load: async (io, ends) => (await import('./money/subscriptions.ts')).subscriptionsCommand(io, ends),
  },
  {
    name: 'payout',
    says: 'send a payout, by options or from a file, or by both',
    load: async (io, ends) => (await import('./money/payout.ts')).payoutCommand(io, ends),
  },
  {
    name: 'operations',
    says: 'find refunds, captures and other operations, and see their outcomes',
    load: async (io) => (await import('./records/operation-commands.ts')).operationsCommand(io),
  },
  {
    name: 'bulk',
    says: 'refund, capture, cancel, review or settle what a CSV file lists, each row once',
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
    name: 'sandbox',
    says: 'start a relay and a gateway that moves no money on this machine, until Ctrl-C',
    load: async (io, ends) => (await import('./settings/sandbox.ts')).sandboxCommand(io, ends),
  },
  {
    name: 'reconcile',
    says: 'compare the orders of a period with the gateway’s books: payments, sums, currencies, outcomes, refunds',
    load: async (io, ends) => (await import('./reconcile/reconcile.ts')).reconcileCommand(io, ends),
  },
  {
    name: 'attention',
    says: 'list what waits for a person, the most urgent first',
    load: async (io) => (await import('./account/attention.ts')).attentionCommand(io),
  },
  {
    name: 'stats',
    says: 'count and add up payments and refunds, by hour or day',
    load: async (io) => (await import('./account/stats.ts')).statsCommand(io),
  },
  {
    name: 'audit',
    says: 'list who requested what, the newest first',
    load: async (io) => (await import('./account/audit.ts')).auditCommand(io),
  },
  {
    name: 'profile',
    says: 'show the meaning of the gateway’s codes',
    load: async (io) => (await import('./account/profile.ts')).profileCommand(io),
  },
  {
    name: 'logs',
    says: 'follow the events of the account, or the requests of its keys',
    load: async (io) => (await import('./listen/tail.ts')).logsCommand(io),
  },
  {
    name: 'open',
    says: 'open the console, an order in it, or the documentation of the API in a browser',
    load: async (io) => (await import('./account/open.ts')).openCommand(io),
  },
  {
    name: 'get',
    says: 'send a GET to a path of the API, and print the answer',
    load: async (io) => (await import('./account/raw.ts')).getCommand(io),
  },
  {
    name: 'post',
    says: 'send a POST to a path of the API, and print the answer',
    load: async (io) => (await import('./account/raw.ts')).postCommand(io),
  },
  {
    name: 'login',
    says: 'keep the address and the key of a relay, as a profile',
    load: async (io) => (await import('./account/login.ts')).loginCommand(io),
  },
  {
    name: 'logout',
    says: 'forget a profile and its key',
    load: async (io) => (await import('./account/login.ts')).logoutCommand(io),
  },
  {
    name: 'whoami',
    says: 'show the relay and the key that commands use, and what the key permits',
    load: async (io) => (await import('./account/whoami.ts')).whoamiCommand(io),
  },
  {
    name: 'completion',
    says: 'print a script that completes commands and options in bash, zsh or fish',
    needsAll: true,
    load: async (io) => (await import('./completion/completion.ts')).completionCommand(io),
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

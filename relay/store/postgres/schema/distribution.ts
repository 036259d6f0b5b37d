/**
 * The place of a table's rows in a database with several nodes: distributed by the hash of some columns, so that one
 * node has a row; or `whole`, on one node or on all. Each with its reason.
 */
export type Placement = { by: readonly [string, ...string[]] } | { whole: string };

const order: Placement = { by: ['account', 'order_no'] };
const payment: Placement = { by: ['transaction_id'] };
const list: Placement = { whole: 'a list of all orders or operations, updated a moment later by one relay' };
const statistics: Placement = { whole: 'statistics of all accounts, added up by one relay' };
const people: Placement = { whole: 'few rows, of people and not of orders' };

/** The placement of each table. */
export const placements: Readonly<Record<string, Placement>> = {
  orders: order,
  sessions: order,
  attempts: order,
  order_notes: order,
  listed_payments: order,
  // A payment is found by its transaction_id, which pays one order only.
  transactions: payment,
  refunds: payment,
  refunded_payments: payment,
  payment_operations: payment,
  // An operation may have items of several orders, and a payout has none.
  operations: { by: ['id'] },
  payout_requests: { by: ['account', 'request_id'] },
  operation_references: { by: ['account', 'name', 'reference'] },
  // The subject is a session or an operation, whose webhooks are in order.
  events: { by: ['subject'] },
  notifications: { by: ['subject'] },
  idempotency_keys: { by: ['account', 'route', 'key'] },
  counted: { by: ['key'] },
  listed_orders: list,
  order_terms: list,
  operation_terms: list,
  unlisted: list,
  stats_tallies: statistics,
  stats_changes: statistics,
  stats_span: statistics,
  approvals: people,
  audit: { whole: 'one log, numbered in order' },
  audit_terms: { whole: 'one log, numbered in order' },
  requests: { whole: 'one log, in the order of its time' },
  sign_ins: people,
  people: people,
  recovery_codes: people,
  known_networks: people,
  alerts: people,
  reconciliations: { whole: 'one row of each account' },
  pulse: { whole: 'one row, which is written to see that the store works' },
  migrations: { whole: 'one row, the version' },
};

import { z } from 'zod';
import { effectNames } from '../gateway/operations.ts';
import { identifier, optionalString, string } from '../gateway/text.ts';
import { type FilterOf, listFormat, moment, nextPage, pageQuery, pageSize } from './fields.ts';
import { itemOutcome } from './operation.ts';

/**
 * The actions in the audit log: operations by their names, payments of a shop's server, changes of payments, sessions, orders and
 * webhooks, sign-ins and changes of a person's own sign-in, and exports of lists.
 */
const auditActions = [
  ...effectNames,
  'payment',
  'payment.settle',
  'subscription.acknowledge',
  'operation.settle',
  'approval.request',
  'approval.approve',
  'approval.decline',
  'approval.withdraw',
  'session.update',
  'session.settle',
  'session.expire',
  'order.reconcile',
  'order.note',
  'reconciliation.report',
  'event.redeliver',
  'event.acknowledge',
  'events.redeliver',
  'console.sign_in',
  'console.sign_out',
  'console.sign_ins_end',
  'console.password_change',
  'console.second_factor_add',
  'console.second_factor_remove',
  'console.second_factor_reset',
  'console.recovery_codes_new',
  'console.recovery_code_use',
  'orders.export',
  'payments.export',
  'operations.export',
  'subscriptions.export',
  'events.export',
  'audit.export',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The part of a request that concerns one payment, payout or contract. */
export const auditItem = z
  .object({
    transaction_id: optionalString.describe('The payment.'),
    order_no: optionalString.describe('Your number of its order.'),
    recurring_id: optionalString.describe('The contract that ends.'),
    review_flag: optionalString.describe('The decision of a review, in the gateway’s words.'),
    amount: optionalString.describe('The amount: of a refund, the amount to refund.'),
    currency: optionalString.describe('Its currency.'),
    source_amount: optionalString.describe('Of a payout with two amounts, the amount that is taken.'),
    source_currency: optionalString.describe('Its currency.'),
    outcome: itemOutcome.optional().describe('The outcome of this item of an operation.'),
  })
  .meta({ name: 'AuditItem', description: 'What was asked for.' });
export type AuditItem = z.infer<typeof auditItem>;

/** One request of a person or a key. Newer relays have actions that are not in `auditActions`. */
export const auditEntry = z
  .object({
    id: string.describe('The place of the entry in the log. Later entries have higher numbers.'),
    at: moment.describe('The time.'),
    by: string.describe(
      'The name of the API key, or `person:` and the name of the person who was signed in to the console.',
    ),
    action: string.describe(
      'The action: the name of an operation, or another action such as `session.settle` or `event.redeliver`. Newer relays have more.',
    ),
    subject: optionalString.describe(
      'The id of the operation, session, webhook or request for approval (of `approval.approve` that of the operation that it began); of a payment that a person settled, its `transaction_id`; of a contract, its `recurring_id`; of a saved list, its filter without the values that may name a shopper.',
    ),
    orders: z.array(z.string()).optional().describe('Your numbers of the orders that the request named.'),
    items: z.array(auditItem).optional().describe('The requested items of an operation; the payment of a settlement.'),
    outcome: itemOutcome
      .optional()
      .describe(
        'The outcome of an operation as it is known now: `unknown` while that of an item is, else `failed` if an item failed. Of `operation.settle`, as that person settled it.',
      ),
    decision: optionalString.describe(
      'What a person decided: of `session.settle` `approved` or `not_paid`, of `payment.settle` `confirmed` or `reversed`.',
    ),
    ip: optionalString.describe('The address that the request came from.'),
    request_id: string.describe('The `X-Request-Id` of the request, as in the relay’s log.'),
    problem: optionalString.describe(
      'The code of the problem by which the request was refused. Absent if the request took effect.',
    ),
  })
  .meta({ name: 'AuditEntry', description: 'An entry of the audit log.' });
export type AuditEntry = z.infer<typeof auditEntry>;

/** The answer of `GET /v1/audit`, newest first. `next` is the `before` of the next page; the last page has none. */
export const auditList = z
  .object({
    entries: z.array(auditEntry).describe('The entries, the newest first.'),
    next: nextPage,
  })
  .meta({ name: 'AuditList', description: 'One page of the audit log.' });
export type AuditList = z.infer<typeof auditList>;

/** The query of `GET /v1/audit`: texts. */
export const auditQuery = z.strictObject({
  order_no: identifier.optional().meta({
    description: 'Only entries that name this order. Requests that named only a `transaction_id` are not among them.',
    example: 'A-1001',
  }),
  by: z.string().min(1).max(255).optional().meta({
    description: 'Only requests with the API key of this name, or by the person of this name after `person:`.',
    example: 'support',
  }),
  ...pageQuery(
    z
      .string()
      .regex(/^[1-9]\d{0,15}$/, 'must be the id of an entry')
      .meta({
        description: 'Only entries older than the one with this id: the `next` of the previous page.',
        example: '2040',
      }),
    pageSize(1000, 100),
  ),
  format: listFormat.meta({
    description: '`csv`: the same as `Accept: text/csv`, for links. `limit` then has no effect.',
    example: 'csv',
  }),
});

/** The filter of the audit log, as the client takes it. */
export type AuditFilter = FilterOf<typeof auditQuery>;

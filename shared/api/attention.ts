import { z } from 'zod';
import { operationNames } from '../gateway/operations.ts';
import { optionalString, string } from '../gateway/text.ts';
import { moment } from './fields.ts';

/**
 * The kinds of cases, most urgent first. The last three wait for the gateway, which the relay queries, or for a
 * shopper.
 */
export const attentionKinds = [
  /** The order was paid more than once, and not refunded down to one payment. */
  'paid_twice',
  /** The gateway declined or charged back a payment after its approval, and no person has settled it. */
  'payment_reversed',
  /** The gateway's records do not show a payment that it approved. */
  'payment_unconfirmed',
  /** The gateway holds a payment for a review. */
  'payment_held',
  /** A payment has been authorised for longer than `profile.authorisation_days` and was not captured. */
  'payment_authorised',
  /** The gateway declined a later charge of a contract, and none has succeeded since. */
  'charge_failed',
  /** The gateway did not report in time whether an order was paid. */
  'order_unknown',
  /** The gateway has a record that matches no attempt of the order. */
  'order_contradicted',
  /** A payment is still pending at the end of its checkout. */
  'order_overdue',
  /** The gateway cannot be queried for the outcome of an operation. */
  'operation_unknown',
  /** A person's request waits for another person's approval (`console.approval`). */
  'approval',
  /** A difference of the last reconciliation. */
  'difference',
  /** A webhook was given up. */
  'webhook_failed',
  'order_asked',
  'operation_asked',
  'order_pending',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** The maximum number of counted and of listed cases of a kind. */
export const MAX_COUNTED = 100;
export const MAX_CASES = 20;

/** One case: its start, its reason and its subject. */
const attentionCase = z
  .object({
    since: moment.describe('When this began.'),
    why: string.describe(
      'The reason, in the terms of sessions, operations, webhooks and reconciliations, such as `timeout`, `amount_differs`, `http_503` or `missing_there`; of a payment `held`, `reversed`, `unconfirmed` or `authorised`; of a failed charge the gateway’s `payment_status`. `order_unknown_here`: the relay does not have the order of this payment. `transaction_known`: the gateway charged another order under the same transaction_id before.',
    ),
    order_no: optionalString.describe('Your number of the order.'),
    session_id: optionalString.describe('The id of the session.'),
    transaction_id: optionalString.describe(
      'The gateway’s id of the payment that this is about. For an order that was paid twice: of the second payment that is not fully refunded or cancelled.',
    ),
    recurring_id: optionalString.describe('The gateway’s id of the contract whose charge failed.'),
    operation_id: optionalString.describe('The id of the operation.'),
    approval_id: optionalString.describe('The id of the request that waits for approval.'),
    by: optionalString.describe('Who asks for approval: `person:` and the name of the person.'),
    expires_at: moment.optional().describe('When the request for approval expires.'),
    operation: z.enum(operationNames).optional().describe('The name of the operation.'),
    items: z.int().optional().describe('The number of its items.'),
    event_id: optionalString.describe('The id of the webhook.'),
    event: optionalString.describe('The type of the webhook, such as `session.approved`.'),
    amount: optionalString.describe('The amount, as a decimal string. Absent for an operation with several items.'),
    currency: optionalString.describe('ISO 4217 code of three capital letters.'),
    payment_method: optionalString.describe(
      'The method of the payment, or of the last attempt: `card`, `token`, or its name.',
    ),
    next_query_at: moment.optional().describe('When the relay queries the gateway next.'),
  })
  .meta({ name: 'AttentionCase', description: 'A case.' });
export type AttentionCase = z.infer<typeof attentionCase>;

/** The cases of one kind, oldest first. `oldest` is the start of the first one. */
const attentionGroup = z
  .object({
    /** One of `attentionKinds`; newer relays have more. */
    kind: string.describe(
      '`paid_twice`, `payment_reversed` (the gateway declined or charged back an approved payment), `payment_unconfirmed` (the gateway’s records do not show an approved payment), `payment_held` (a payment waits for a review), `payment_authorised` (a payment was not captured for longer than `gateway.profile.authorisation_days`), `charge_failed` (the last charge of a contract failed), `order_unknown` (the outcome is unknown for a day), `order_contradicted` (the gateway’s records contradict the order), `order_overdue` (a payment is still pending after its session’s time), `operation_unknown` (only a person can settle it), `difference` (of the last reconciliation) or `webhook_failed`. These need no person yet: `order_asked` and `operation_asked` (the relay continues to query the gateway) and `order_pending`.',
    ),
    count: z.int().min(0).max(MAX_COUNTED).describe('The number of cases, counted up to 100.'),
    more: z.literal(true).optional().describe('`true` if there are more cases.'),
    oldest: moment.optional().describe('When the oldest case began.'),
    cases: z.array(attentionCase).max(MAX_CASES).describe('The oldest cases, the oldest first, at most 20.'),
  })
  .meta({ name: 'AttentionGroup', description: 'The cases of one kind.' });
export type AttentionGroup = z.infer<typeof attentionGroup>;

/** The answer of `GET /v1/attention`: every kind, most urgent first. */
export const attention = z
  .object({
    at: moment.describe('When this answer was computed.'),
    groups: z.array(attentionGroup).describe('Every kind, the most urgent first, including kinds without cases.'),
    reconciliation: z
      .object({
        reported_at: moment.describe('When it was reported.'),
        from: moment.describe('The start of the period.'),
        to: moment.describe('The end of the period, exclusive.'),
        orders: z.int().describe('The number of orders that were compared.'),
        total: z.int().describe('The number of differences.'),
      })
      .optional()
      .describe('The last reconciliation that was reported. Absent if there is none.'),
  })
  .meta({ name: 'Attention', description: 'The cases that wait for a person, or for the gateway.' });
export type Attention = z.infer<typeof attention>;

import { z } from 'zod';
import { operationNames } from '../gateway/operations.ts';
import { moment } from './fields.ts';

/**
 * What may wait for a person, the most urgent first; the last three wait for the gateway, which the relay keeps asking, or for a
 * shopper.
 */
export const attentionKinds = [
  /** Paid more than once, and not refunded down to one payment. */
  'paid_twice',
  /** The gateway did not tell in time whether an order was paid. */
  'order_unknown',
  /** The gateway shows something that does not fit an order. */
  'order_contradicted',
  /** A payment still pends when its checkout's time is over. */
  'order_overdue',
  /** Nobody can ask the gateway what became of an operation. */
  'operation_unknown',
  /** The last reconciliation found it. */
  'difference',
  /** A webhook was given up. */
  'webhook_failed',
  'order_asked',
  'operation_asked',
  'order_pending',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** Up to how many cases of a kind are counted, and how many of them are told of. */
export const MAX_COUNTED = 100;
export const MAX_CASES = 20;

/** One case: since when, why, what it is about. */
export const attentionCase = z.object({
  since: moment.meta({ description: 'Since when.' }),
  why: z.string().meta({
    description:
      'Why, in the words that sessions, operations, webhooks and reconciliations use: `timeout`, `amount_differs`, `http_503`, `missing_there`; `order_unknown_here` of a payment whose order the relay does not have at all.',
  }),
  order_no: z.string().optional().meta({ description: 'Your number of the order.' }),
  session_id: z.string().optional().meta({ description: 'The session that it is about.' }),
  transaction_id: z
    .string()
    .optional()
    .meta({ description: 'The gateway’s id of the payment; of an order that is paid twice that of the second one.' }),
  operation_id: z.string().optional().meta({ description: 'The operation that it is about.' }),
  operation: z.enum(operationNames).optional().meta({ description: 'Which operation it is.' }),
  items: z.int().optional().meta({ description: 'How many items it has.' }),
  event_id: z.string().optional().meta({ description: 'The webhook that it is about.' }),
  event: z.string().optional().meta({ description: 'What the webhook tells, such as `session.approved`.' }),
  amount: z.string().optional().meta({
    description: 'How much it is about, as a decimal string. Of an operation with several items it is not there.',
  }),
  currency: z.string().optional().meta({ description: 'ISO 4217 code of three capital letters.' }),
  next_query_at: moment.optional().meta({ description: 'When the relay asks the gateway next.' }),
});
export type AttentionCase = z.infer<typeof attentionCase>;

/** The cases of one kind, the oldest first. `oldest` is since when the first one waits. */
export const attentionGroup = z.object({
  /** One of `attentionKinds`; newer relays have more. */
  kind: z.string().meta({
    description:
      '`paid_twice`, `order_unknown` (the gateway did not tell for a day), `order_contradicted` (it shows something that does not fit), `order_overdue` (a payment still pends after its session’s time), `operation_unknown` (only a person can find out), `difference` (of the last reconciliation), `webhook_failed`; or without need of a person yet `order_asked` and `operation_asked` (the relay asks the gateway again and again) and `order_pending`.',
  }),
  count: z.int().min(0).max(MAX_COUNTED).meta({ description: 'How many there are, counted up to 100.' }),
  more: z
    .literal(true)
    .optional()
    .meta({ description: 'There are more, or may be: of orders that are paid twice the newest 200 are looked at.' }),
  oldest: moment.optional().meta({ description: 'Since when the first one waits.' }),
  cases: z
    .array(attentionCase)
    .max(MAX_CASES)
    .meta({ description: 'The first ones, the oldest first, 20 at the most.' }),
});
export type AttentionGroup = z.infer<typeof attentionGroup>;

/** What `GET /v1/attention` answers: every kind, the most urgent first. */
export const attention = z.object({
  at: moment.meta({ description: 'When this was found.' }),
  groups: z
    .array(attentionGroup)
    .meta({ description: 'Every kind of case, the most urgent first, those without cases too.' }),
  reconciliation: z
    .object({
      reported_at: moment.meta({ description: 'When it was reported.' }),
      from: moment.meta({ description: 'The start of the period.' }),
      to: moment.meta({ description: 'The end of the period; it is not part of it.' }),
      orders: z.int().meta({ description: 'How many orders were compared.' }),
      total: z.int().meta({ description: 'How many differences it found.' }),
    })
    .optional()
    .meta({ description: 'The last reconciliation that was reported. It is not there where none was.' }),
});
export type Attention = z.infer<typeof attention>;

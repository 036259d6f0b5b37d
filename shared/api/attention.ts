import { z } from 'zod';
import { operationNames } from '../gateway/operations.ts';

const moment = z.iso.datetime();

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
  since: moment,
  /** A reason or result, in the words that sessions, operations, webhooks and reconciliations use. */
  why: z.string(),
  order_no: z.string().optional(),
  session_id: z.string().optional(),
  transaction_id: z.string().optional(),
  operation_id: z.string().optional(),
  operation: z.enum(operationNames).optional(),
  /** How many items the operation has. */
  items: z.int().optional(),
  event_id: z.string().optional(),
  event: z.string().optional(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  /** When the relay asks the gateway next. */
  next_query_at: moment.optional(),
});
export type AttentionCase = z.infer<typeof attentionCase>;

/** The cases of one kind, the oldest first. `oldest` is since when the first one waits. */
export const attentionGroup = z.object({
  /** One of `attentionKinds`; newer relays have more. */
  kind: z.string(),
  count: z.int().min(0).max(MAX_COUNTED),
  /** There are more than `count`, or may be. */
  more: z.literal(true).optional(),
  oldest: moment.optional(),
  cases: z.array(attentionCase).max(MAX_CASES),
});
export type AttentionGroup = z.infer<typeof attentionGroup>;

/** What `GET /v1/attention` answers: every kind, the most urgent first. */
export const attention = z.object({
  at: moment,
  groups: z.array(attentionGroup),
  /** The last reconciliation that was reported. */
  reconciliation: z
    .object({ reported_at: moment, from: moment, to: moment, orders: z.int(), total: z.int() })
    .optional(),
});
export type Attention = z.infer<typeof attention>;

import { z } from 'zod';
import { operationNames } from '../gateway/operations.ts';
import { text } from '../gateway/text.ts';

const moment = z.iso.datetime();

/** The result of a refund search that did not settle the refund. */
export const refundSearchResults = ['absent', 'ambiguous', 'undecided', 'search_unanswered', 'search_refused'] as const;

const outcome = z.enum(['succeeded', 'failed']);

/** What became of each item of an operation; a payout and a subscription's end have one. */
export const itemOutcome = z.enum(['succeeded', 'failed', 'unknown']);

export const operationStatuses = ['in_flight', 'answered', 'refused', 'not_sent', 'unknown', 'settled'] as const;

/**
 * Why it is not known. A refund that the gateway is asked about has `looks`; what it is not asked about, or not any more,
 * needs attention.
 */
const unknown = z.object({
  reason: z.string(),
  since: moment,
  looks: z.int().optional(),
  next_look_at: moment.optional(),
  last_look: z.object({ at: moment, found: z.enum(refundSearchResults) }).optional(),
  needs_attention: z.boolean(),
});

/** What `GET /v1/operations/:id` answers. `answer` is the gateway's own message, `evidence` what it sent instead. */
export const operationAnswer = z.object({
  id: z.string(),
  operation: z.enum(operationNames),
  status: z.enum(operationStatuses),
  created_at: moment,
  /** The name of the API key that asked for it. */
  by: z.string().optional(),
  settled_at: moment.optional(),
  request: z.record(z.string(), z.unknown()),
  answer: z.record(z.string(), z.unknown()).optional(),
  items: z.array(itemOutcome).optional(),
  /** The shop's own names of the items, in the order of the request. */
  references: z.array(z.string()).optional(),
  unknown: unknown.optional(),
  /** Of a payout: where the gateway last said that it stands, in its own word, and what came to its notify_url. */
  payout: z
    .object({ payout_status: z.string().optional(), notifications: z.int(), notified_at: moment.optional() })
    .optional(),
  evidence: z.object({ http_status: z.int().optional(), body: z.string().optional() }).optional(),
  settlement: z
    .discriminatedUnion('by', [
      z.object({
        by: z.literal('person'),
        /** The name of the API key that said it. */
        who: z.string().optional(),
        items: z.array(itemOutcome),
        note: z.string().optional(),
      }),
      z.object({
        by: z.literal('refund_search'),
        items: z.array(itemOutcome),
        refund_reference_ids: z.array(z.string()),
      }),
    ])
    .optional(),
});
export type OperationAnswer = z.infer<typeof operationAnswer>;

/** The operations that are kept: those that change something at the gateway. */
export const effectNames = ['refund', 'review', 'capture', 'cancel', 'subscription_cancel', 'payout'] as const;

/**
 * An operation in the list of them. What the gateway answered, and all of a payout's request, stand in `GET /v1/operations/:id`.
 */
export const operationSummary = operationAnswer.omit({ answer: true, evidence: true });
export type OperationSummary = z.infer<typeof operationSummary>;

/** What `GET /v1/operations` answers, the newest first. `next` is the `before` of the next page; the last page has none. */
export const operationList = z.object({ operations: z.array(operationSummary), next: z.string().optional() });
export type OperationList = z.infer<typeof operationList>;

/** What `GET /v1/operations` may be asked for, as it stands in the query: texts. */
export const operationQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .default(20),
  before: z
    .string()
    .regex(/^\d{1,13}-[\w-]{1,200}$/, 'must be the next of the page before')
    .optional(),
  operation: z.enum(effectNames).optional(),
  status: z.enum(operationStatuses).optional(),
  needs_attention: z.literal('true', { error: 'must be true, or left out' }).optional(),
});

/** Which operations to list, as the client takes it. */
export type OperationFilter = {
  operation?: (typeof effectNames)[number];
  status?: (typeof operationStatuses)[number];
  /** Only operations that wait for a person. */
  needs_attention?: true;
  /** Only operations after the page before: its `next`. */
  before?: string;
  /** How many at once: 1 to 100. */
  limit?: number;
};

/**
 * `POST /v1/operations/:id/settle`: a person who looked at the gateway's books says what became of an operation whose
 * outcome is unknown. `items` tells it for each item where they differ.
 */
export const settleBody = z.strictObject({
  outcome: outcome.meta({ description: 'What became of it: of every item, unless `items` tells them apart.' }),
  items: z.array(outcome).min(1).max(100).optional().meta({
    description:
      'What became of each item, in the order of the request, where they differ. As many as the operation has.',
  }),
  note: text(2000)
    .optional()
    .meta({ description: 'Why you know: the report or the person that you asked. It is kept with the operation.' }),
});
export type SettleBody = z.infer<typeof settleBody>;

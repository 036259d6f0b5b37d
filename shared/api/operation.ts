import { z } from 'zod';
import { type EffectName, effectNames, operationNames } from '../gateway/operations.ts';
import { text } from '../gateway/text.ts';
import { evidence, moment, nextPage } from './fields.ts';

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
  reason: z.string().meta({
    description:
      'Why nobody knows, such as `timeout`, `signature_wrong`, `echo_mismatch`, `codes_not_listed` or `refused`; the relay’s docs/watch-it.md lists them all.',
  }),
  since: moment.meta({ description: 'Since when.' }),
  looks: z.int().optional().meta({ description: 'How often the gateway was asked.' }),
  next_look_at: moment.optional().meta({ description: 'When the gateway is asked next.' }),
  last_look: z
    .object({
      at: moment.meta({ description: 'When.' }),
      found: z.enum(refundSearchResults).meta({
        description:
          'Why that settled nothing: `absent` (the refunds are not all there yet, which proves nothing), `ambiguous` (what is there could be another refund too), `undecided` (they have a status that is not listed), `search_unanswered` or `search_refused`.',
      }),
    })
    .optional()
    .meta({ description: 'What the gateway said when it was last asked.' }),
  needs_attention: z.boolean().meta({
    description:
      'True when nothing looks for its outcome, or not any more: a person must look at the gateway’s books and settle it.',
  }),
});

/** What `GET /v1/operations/:id` answers. `answer` is the gateway's own message, `evidence` what it sent instead. */
export const operationAnswer = z.object({
  id: z.string().meta({ description: 'The operation, as in the header `X-Operation-Id`.' }),
  operation: z.enum(operationNames).meta({ description: 'Which operation it is.' }),
  status: z.enum(operationStatuses).meta({
    description:
      'Where it stands. `unknown`: nobody knows yet; `unknown.needs_attention` tells whether it waits for a person. `settled` tells what that person, or a search for its refunds, found.',
  }),
  created_at: moment.meta({ description: 'When it began.' }),
  by: z.string().meta({ description: 'Who asked for it: the name of the API key.' }),
  settled_at: moment.optional().meta({ description: 'When it was known what became of it.' }),
  request: z.record(z.string(), z.unknown()).meta({ description: 'What you asked for, without card data.' }),
  answer: z.record(z.string(), z.unknown()).optional().meta({ description: 'The gateway’s answer, field by field.' }),
  items: z
    .array(itemOutcome)
    .optional()
    .meta({ description: 'What became of each item, in the order of the request.' }),
  references: z
    .array(z.string())
    .optional()
    .meta({ description: 'Your own names of the items, in the order of the request.' }),
  unknown: unknown.optional().meta({
    description:
      'There while nobody knows what became of it, or of an item of it; of a refused refund, while it still counts as refunded.',
  }),
  payout: z
    .object({
      payout_status: z.string().optional().meta({ description: 'The gateway’s own word, such as `COMPLETED`.' }),
      notifications: z.int().meta({ description: 'How many notifications came; the same one twice counts once.' }),
      notified_at: moment.optional().meta({ description: 'When the last one came.' }),
    })
    .optional()
    .meta({
      description:
        'Of a payout: where the gateway last said that it stands, and how many notifications came to its notify_url. In answers to `GET /v1/operations/{id}` and in the list.',
    }),
  evidence,
  settlement: z
    .discriminatedUnion('by', [
      z.object({
        by: z.literal('person').meta({
          description: 'A person settled it.',
        }),
        who: z.string().meta({ description: 'The name of the API key that the person used.' }),
        items: z.array(itemOutcome).meta({ description: 'What became of each item, in the order of the request.' }),
        note: z.string().optional().meta({ description: 'What the person who settled it wrote.' }),
      }),
      z.object({
        by: z.literal('refund_search').meta({
          description: 'The gateway named the refunds when the relay searched for them.',
        }),
        items: z.array(itemOutcome).meta({ description: 'What became of each item, in the order of the request.' }),
        refund_reference_ids: z
          .array(z.string())
          .meta({ description: 'The refunds that the search found, one for each item that is known.' }),
      }),
    ])
    .optional()
    .meta({ description: 'What a person said who settled it, or what a search for its refunds found.' }),
});
export type OperationAnswer = z.infer<typeof operationAnswer>;

/**
 * An operation in the list of them. What the gateway answered, and all of a payout's request, stand in `GET /v1/operations/:id`.
 */
export const operationSummary = operationAnswer.omit({ answer: true, evidence: true });
export type OperationSummary = z.infer<typeof operationSummary>;

/** What `GET /v1/operations` answers, the newest first. `next` is the `before` of the next page; the last page has none. */
export const operationList = z.object({
  operations: z.array(operationSummary).meta({ description: 'The operations, the newest first.' }),
  next: nextPage,
});
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
  operation?: EffectName;
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

import { z } from 'zod';
import { keptMetadata } from '../checkout/metadata.ts';
import { effectNames, operationNames } from '../gateway/operations.ts';
import { boolean, optionalString, string, text } from '../gateway/text.ts';
import { operationId } from '../samples/ids.ts';
import { evidence, type FilterOf, instant, listFormat, moment, nextPage, onlyTrue, pageQuery } from './fields.ts';

/** The result of a refund search that did not settle the refund. */
export const refundSearchResults = ['absent', 'ambiguous', 'undecided', 'search_unanswered', 'search_refused'] as const;

const outcome = z.enum(['succeeded', 'failed']);

/** The outcome of each item of an operation; a payout and a subscription's end have one item. */
export const itemOutcome = z.enum(['succeeded', 'failed', 'unknown']);

export const operationStatuses = ['in_flight', 'answered', 'refused', 'not_sent', 'unknown', 'settled'] as const;

/**
 * Why the outcome is not known. A refund that is being searched for has `queries`; an operation that is not, or no
 * longer, searched for needs attention.
 */
const unknown = z.object({
  reason: string.describe(
    'Why the outcome is unknown, such as `timeout`, `signature_wrong`, `echo_mismatch`, `codes_not_listed` or `refused`. The relay’s docs/monitoring.md lists all reasons.',
  ),
  since: moment.describe('When this began.'),
  queries: z.int().optional().describe('How often the relay queried the gateway.'),
  next_query_at: moment.optional().describe('When the relay queries the gateway next.'),
  last_query: z
    .object({
      at: moment.describe('The time.'),
      found: z
        .enum(refundSearchResults)
        .describe(
          'Why it settled nothing: `absent` (the gateway does not show all refunds; a single such search proves nothing), `ambiguous` (a refund that it shows could also be another one), `undecided` (a refund has a status that is not listed), `search_unanswered` or `search_refused`.',
        ),
    })
    .optional()
    .describe('The result of the last search.'),
  needs_attention: boolean.describe(
    '`true` if the relay does not query the gateway about it, or no longer does: a person must check the gateway’s records and settle it.',
  ),
});

/** The answer of `GET /v1/operations/:id`. `answer` is the gateway's message, `evidence` an unusable answer. */
export const operationAnswer = z
  .object({
    id: string.describe('The id of the operation, as in the header `X-Operation-Id`.'),
    operation: z.enum(operationNames).describe('The name of the operation.'),
    status: z
      .enum(operationStatuses)
      .describe(
        'The status of the operation. `unknown`: the outcome is not known; `unknown.needs_attention` states whether it waits for a person. `settled`: `settlement` contains the decision of a person, or the result of the refund search.',
      ),
    created_at: moment.describe('When it began.'),
    by: string.describe('The name of the API key that requested it, or `person:` and the name of the person.'),
    approved_by: optionalString.describe(
      'For what another person of the console had to approve (`console.approval`): `person:` and their name.',
    ),
    settled_at: moment.optional().describe('When its outcome became known.'),
    request: z.record(z.string(), z.unknown()).describe('Your request, without card data.'),
    answer: z.record(z.string(), z.unknown()).optional().describe('The gateway’s answer, field by field.'),
    items: z.array(itemOutcome).optional().describe('The outcome of each item, in the order of the request.'),
    metadata: keptMetadata,
    references: z.array(z.string()).optional().describe('Your references of the items, in the order of the request.'),
    unknown: unknown
      .optional()
      .describe(
        'Present while its outcome, or that of an item, is unknown. For a refused refund: present while it still counts as refunded.',
      ),
    payout: z
      .object({
        payout_status: optionalString.describe('The gateway’s status, such as `COMPLETED`.'),
        notifications: z.int().describe('The number of notifications. A repeated one counts once.'),
        notified_at: moment.optional().describe('The time of the last notification.'),
      })
      .optional()
      .describe(
        'For a payout: its last status at the gateway, and the notifications to its `notify_url`. In answers to `GET /v1/operations/{id}` and in the list.',
      ),
    evidence,
    settlement: z
      .discriminatedUnion('by', [
        z.object({
          by: z.literal('person').describe('A person settled it.'),
          who: string.describe('The name of the API key that the person used.'),
          items: z.array(itemOutcome).describe('The outcome of each item, in the order of the request.'),
          note: optionalString.describe('The note of the person who settled it.'),
        }),
        z.object({
          by: z.literal('refund_search').describe('Refund searches found the refunds, or did not show them.'),
          items: z.array(itemOutcome).describe('The outcome of each item, in the order of the request.'),
          refund_reference_ids: z
            .array(z.string())
            .describe('The refunds that the search found, one for each item with a known outcome.'),
          absent: z
            .array(z.int())
            .optional()
            .describe(
              'The numbers, from 0, of the items that at least three searches did not show: they count as `failed`. The relay goes on searching for thirty days.',
            ),
          late: z
            .literal(true)
            .optional()
            .describe('Present if a refund was found after it had counted as failed or refused.'),
        }),
      ])
      .optional()
      .describe('The decision of the person who settled it, or the result of the refund search.'),
  })
  .meta({ name: 'Operation', description: 'An operation with its outcome.' });
export type OperationAnswer = z.infer<typeof operationAnswer>;

/**
 * An operation in a list. Only `GET /v1/operations/:id` has the gateway's answer and the complete request of a payout.
 */
const operationSummary = operationAnswer
  .omit({ answer: true, evidence: true })
  .meta({ name: 'OperationSummary', description: 'An operation without the gateway’s answer.' });
export type OperationSummary = z.infer<typeof operationSummary>;

/** The answer of `GET /v1/operations`, newest first. `next` is the `before` of the next page; the last page has none. */
export const operationList = z
  .object({
    operations: z.array(operationSummary).describe('The operations, the newest first.'),
    next: nextPage,
  })
  .meta({ name: 'OperationList', description: 'One page of operations.' });
export type OperationList = z.infer<typeof operationList>;

/** The query of `GET /v1/operations`: texts. */
export const operationQuery = z.strictObject({
  operation: z.enum(effectNames).optional().meta({ description: 'Only operations of this name.', example: 'refund' }),
  status: z
    .enum(operationStatuses)
    .optional()
    .meta({ description: 'Only operations with this status.', example: 'unknown' }),
  needs_attention: onlyTrue.meta({
    description:
      '`true`: only operations that wait for a person (`unknown.needs_attention`), because the relay does not query the gateway about them, or no longer does.',
    example: 'true',
  }),
  created_from: instant.optional().meta({
    description: 'Only operations that began at this time or later.',
    example: '2027-03-01T00:00:00Z',
  }),
  created_to: instant.optional().meta({
    description: 'Only operations that began before this time.',
    example: '2027-04-01T00:00:00Z',
  }),
  format: listFormat.meta({ description: '`csv`: the same as `Accept: text/csv`, for links.', example: 'csv' }),
  ...pageQuery(
    z
      .string()
      .regex(/^\d{1,13}-[A-Za-z0-9_-]{1,200}$/, 'must be the next of the page before')
      .meta({ description: 'The `next` of the previous page.', example: `1806488100000-${operationId}` }),
  ),
});

/** The filter of operations, as the client takes it. */
export type OperationFilter = FilterOf<typeof operationQuery>;

/**
 * `POST /v1/operations/:id/settle`: a person who looked at the gateway's records states the outcome of an operation
 * with an unknown outcome. `items` has the outcomes of the items if they differ.
 */
export const settleBody = z
  .strictObject({
    outcome: outcome.describe('The outcome of all items, unless `items` gives one for each.'),
    items: z
      .array(outcome)
      .min(1)
      .max(100)
      .optional()
      .describe(
        'The outcome of each item, in the order of the request, if they differ. One entry for each item of the operation.',
      ),
    note: text(2000)
      .optional()
      .describe('How you know it, such as the report or the person that you asked. It is stored with the operation.'),
  })
  .meta({ name: 'Settle', description: 'The decision of a person.' });
export type SettleBody = z.infer<typeof settleBody>;

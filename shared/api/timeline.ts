import { z } from 'zod';
import { operationNames } from '../gateway/operations.ts';
import { delivery } from './event.ts';
import { moment } from './fields.ts';
import { operationAnswer, operationStatuses } from './operation.ts';
import { attemptAnswer } from './session.ts';

const outcome = z.enum(['succeeded', 'failed', 'unknown']);

/** Something that happened to an order, and when. */
export const timelineEntry = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('session').meta({ description: 'A session was created.' }),
      at: moment.meta({ description: 'The time.' }),
      session_id: z.string().meta({ description: 'The id of the session.' }),
    }),
    z.object({
      type: z.literal('attempt').meta({ description: 'An attempt to pay began.' }),
      at: moment.meta({ description: 'The time.' }),
      session_id: z.string().meta({ description: 'The id of the session.' }),
      attempt: attemptAnswer.meta({ description: 'The attempt, with its outcome.' }),
    }),
    z.object({
      type: z.literal('settled').meta({ description: 'A person settled a session.' }),
      at: moment.meta({ description: 'The time.' }),
      session_id: z.string().meta({ description: 'The id of the session.' }),
      by: z.string().meta({ description: 'The name of the API key that decided it.' }),
      note: z.string().meta({ description: 'The note of that person.' }),
      outcome: z.enum(['approved', 'not_paid']).optional().meta({ description: 'The decision of the person.' }),
    }),
    z.object({
      type: z.literal('query').meta({ description: 'The relay queried the gateway.' }),
      at: moment.meta({ description: 'The time.' }),
      counted: z.boolean().meta({ description: 'Whether the query’s answer counts as a proof.' }),
      fault: z.string().optional().meta({ description: 'Why the query does not count.' }),
    }),
    z.object({
      type: z.literal('next_query').meta({ description: 'The relay will query the gateway.' }),
      at: moment.meta({ description: 'The time.' }),
    }),
    z.object({
      type: z.literal('notification').meta({ description: 'The gateway sent a notification.' }),
      at: moment.meta({ description: 'The time.' }),
      session_id: z.string().meta({ description: 'The id of the session.' }),
      times: z.int().meta({ description: 'How often the same notification arrived.' }),
      last_at: moment.meta({ description: 'When it last arrived.' }),
      verified: z.boolean().meta({ description: 'Whether it was signed under the profile.' }),
      fields: z
        .record(z.string(), z.string())
        .meta({ description: 'The fields of the notification, without card data.' }),
      told_at: moment.optional().meta({ description: 'When the webhook `notification.received` told you of it.' }),
    }),
    z.object({
      type: z.literal('webhook').meta({ description: 'A webhook was written.' }),
      at: moment.meta({ description: 'The time.' }),
      id: z.string().meta({ description: 'Its `webhook-id`.' }),
      event: z.string().meta({ description: 'The type of the webhook, such as `session.approved`.' }),
      subject: z.string().meta({ description: 'The id of the session or operation.' }),
      delivery: delivery.meta({ description: 'The status of its delivery.' }),
    }),
    z.object({
      type: z.literal('operation').meta({ description: 'An operation was requested.' }),
      at: moment.meta({ description: 'The time.' }),
      id: z.string().meta({ description: 'The id of the operation, as in the header `X-Operation-Id`.' }),
      operation: z.enum(operationNames).meta({ description: 'The name of the operation.' }),
      status: z.enum(operationStatuses).meta({ description: 'The status of the operation.' }),
      by: z.string().meta({ description: 'The name of the API key that requested it.' }),
      settled_at: moment.optional().meta({ description: 'When its outcome became known.' }),
      items: z
        .array(
          z.object({
            outcome: outcome.optional().meta({ description: 'The outcome of the item.' }),
            request: z.record(z.string(), z.unknown()).meta({ description: 'Your request, without card data.' }),
            reference: z.string().optional().meta({ description: 'Your reference of the item.' }),
          }),
        )
        .meta({ description: 'The items of the operation that are about this order.' }),
      unknown: operationAnswer.shape.unknown.meta({
        description: 'Present while its outcome, or that of an item, is unknown.',
      }),
      settlement: operationAnswer.shape.settlement.meta({
        description: 'The decision of the person who settled it, or the result of the refund search.',
      }),
    }),
  ])
  .meta({ name: 'TimelineEntry', description: 'An event in the history of an order.' });
export type TimelineEntry = z.infer<typeof timelineEntry>;

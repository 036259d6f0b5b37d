import { z } from 'zod';
import { operationNames } from '../gateway/operations.ts';
import { delivery } from './event.ts';
import { moment } from './fields.ts';
import { operationAnswer, operationStatuses } from './operation.ts';
import { attemptAnswer } from './session.ts';

const outcome = z.enum(['succeeded', 'failed', 'unknown']);

/** Something that happened to an order, and when. */
export const timelineEntry = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session').meta({ description: 'A session was made.' }),
    at: moment.meta({ description: 'When.' }),
    session_id: z.string().meta({ description: 'The session that it is about.' }),
  }),
  z.object({
    type: z.literal('attempt').meta({ description: 'An attempt to pay began.' }),
    at: moment.meta({ description: 'When.' }),
    session_id: z.string().meta({ description: 'The session that it is about.' }),
    attempt: attemptAnswer.meta({ description: 'The attempt, with what became of it.' }),
  }),
  z.object({
    type: z.literal('settled').meta({ description: 'A person settled a session.' }),
    at: moment.meta({ description: 'When.' }),
    session_id: z.string().meta({ description: 'The session that it is about.' }),
    by: z.string().meta({ description: 'Who decided it: the name of the API key.' }),
    note: z.string().meta({ description: 'Why, in that person’s words.' }),
    outcome: z.enum(['approved', 'not_paid']).optional().meta({ description: 'What the person decided.' }),
  }),
  z.object({
    type: z.literal('query').meta({ description: 'The relay queried the gateway.' }),
    at: moment.meta({ description: 'When.' }),
    counted: z.boolean().meta({ description: 'Whether the query was answered in a way that can prove something.' }),
    fault: z.string().optional().meta({ description: 'Why the query does not count.' }),
  }),
  z.object({
    type: z.literal('next_query').meta({ description: 'The relay will query the gateway.' }),
    at: moment.meta({ description: 'When.' }),
  }),
  z.object({
    type: z.literal('notification').meta({ description: 'A notification came from the gateway.' }),
    at: moment.meta({ description: 'When.' }),
    session_id: z.string().meta({ description: 'The session that it is about.' }),
    times: z.int().meta({ description: 'How often the same bytes came.' }),
    last_at: moment.meta({ description: 'When they came last.' }),
    verified: z.boolean().meta({ description: 'Whether it was signed under the profile.' }),
    fields: z.record(z.string(), z.string()).meta({ description: 'What it names, without card data.' }),
    told_at: moment.optional().meta({ description: 'When you were told of it by `notification.received`.' }),
  }),
  z.object({
    type: z.literal('webhook').meta({ description: 'A webhook was written.' }),
    at: moment.meta({ description: 'When.' }),
    id: z.string().meta({ description: 'Its `webhook-id`.' }),
    event: z.string().meta({ description: 'What the webhook tells, such as `session.approved`.' }),
    subject: z.string().meta({ description: 'The session or operation that it is about.' }),
    delivery: delivery.meta({ description: 'How far its delivery is.' }),
  }),
  z.object({
    type: z.literal('operation').meta({ description: 'An operation was asked for.' }),
    at: moment.meta({ description: 'When.' }),
    id: z.string().meta({ description: 'The operation, as in the header `X-Operation-Id`.' }),
    operation: z.enum(operationNames).meta({ description: 'Which operation it is.' }),
    status: z.enum(operationStatuses).meta({ description: 'Where it stands.' }),
    by: z.string().meta({ description: 'Who asked for it: the name of the API key.' }),
    settled_at: moment.optional().meta({ description: 'When it was known what became of it.' }),
    items: z
      .array(
        z.object({
          outcome: outcome.optional().meta({ description: 'What became of the item.' }),
          request: z.record(z.string(), z.unknown()).meta({ description: 'What you asked for, without card data.' }),
          reference: z.string().optional().meta({ description: 'Your own name of the item.' }),
        }),
      )
      .meta({ description: 'The items of the operation that are about this order.' }),
    unknown: operationAnswer.shape.unknown.meta({
      description: 'There while nobody knows what became of it, or of an item of it.',
    }),
    settlement: operationAnswer.shape.settlement.meta({
      description: 'What a person said who settled it, or what a search for its refunds found.',
    }),
  }),
]);
export type TimelineEntry = z.infer<typeof timelineEntry>;

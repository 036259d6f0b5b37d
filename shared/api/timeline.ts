import { z } from 'zod';
import { operationNames } from '../gateway/operations.ts';
import { boolean, optionalString, string } from '../gateway/text.ts';
import { delivery } from './event.ts';
import { moment } from './fields.ts';
import { operationAnswer, operationStatuses } from './operation.ts';
import { orderNote } from './order-note.ts';
import { paymentVerdicts } from './order-payment.ts';
import { attemptAnswer, sessionVerdicts } from './session.ts';

const outcome = z.enum(['succeeded', 'failed', 'unknown']);

/** An entry of an order's timeline. */
export const timelineEntry = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('session').describe('A session was created.'),
      at: moment.describe('The time.'),
      session_id: string.describe('The id of the session.'),
    }),
    z.object({
      type: z.literal('attempt').describe('An attempt to pay began.'),
      at: moment.describe('The time.'),
      session_id: string.describe('The id of the session.'),
      attempt: attemptAnswer.describe('The attempt, with its outcome.'),
    }),
    z.object({
      type: z.literal('settled').describe('A person settled a session or a payment.'),
      at: moment.describe('The time.'),
      session_id: optionalString.describe('The id of the session.'),
      transaction_id: optionalString.describe('The gateway’s id of the payment that was settled.'),
      by: string.describe('The name of the API key that decided it.'),
      note: string.describe('The note of that person.'),
      outcome: z
        .enum([...sessionVerdicts, ...paymentVerdicts])
        .optional()
        .describe('The decision of the person.'),
    }),
    z.object({
      type: z.literal('note').describe('A person noted something.'),
      ...orderNote.shape,
    }),
    z.object({
      type: z.literal('query').describe('The relay queried the gateway.'),
      at: moment.describe('The time.'),
      counted: boolean.describe('Whether the query’s answer counts as a proof.'),
      fault: optionalString.describe('Why the query does not count.'),
    }),
    z.object({
      type: z.literal('next_query').describe('The relay will query the gateway.'),
      at: moment.describe('The time.'),
    }),
    z.object({
      type: z.literal('notification').describe('The gateway sent a notification.'),
      at: moment.describe('The time.'),
      session_id: string.describe('The id of the session.'),
      times: z.int().describe('The number of times that the same notification arrived.'),
      last_at: moment.describe('When it last arrived.'),
      verified: boolean.describe('Whether it was signed under the profile.'),
      fields: z.record(z.string(), z.string()).describe('The fields of the notification, without card data.'),
      told_at: moment.optional().describe('When the webhook `notification.received` reported it to you.'),
    }),
    z.object({
      type: z.literal('webhook').describe('A webhook was written.'),
      at: moment.describe('The time.'),
      id: string.describe('Its `webhook-id`.'),
      event: string.describe('The type of the webhook, such as `session.approved`.'),
      subject: string.describe('The id of the session or operation.'),
      delivery: delivery.describe('The status of its delivery.'),
    }),
    z.object({
      type: z.literal('operation').describe('An operation was requested.'),
      at: moment.describe('The time.'),
      id: string.describe('The id of the operation, as in the header `X-Operation-Id`.'),
      operation: z.enum(operationNames).describe('The name of the operation.'),
      status: z.enum(operationStatuses).describe('The status of the operation.'),
      by: string.describe('The name of the API key that requested it.'),
      settled_at: moment.optional().describe('When its outcome became known.'),
      items: z
        .array(
          z.object({
            outcome: outcome.optional().describe('The outcome of the item.'),
            message: optionalString.describe(
              'The gateway’s words to the item, such as `V0006:The payment was cancelled`.',
            ),
            request: z.record(z.string(), z.unknown()).describe('Your request, without card data.'),
            reference: optionalString.describe('Your reference of the item.'),
          }),
        )
        .describe('The items of the operation that are about this order.'),
      unknown: operationAnswer.shape.unknown.describe('Present while its outcome, or that of an item, is unknown.'),
      settlement: operationAnswer.shape.settlement.describe(
        'The decision of the person who settled it, or the result of the refund search.',
      ),
    }),
  ])
  .meta({ name: 'TimelineEntry', description: 'An event in the history of an order.' });
export type TimelineEntry = z.infer<typeof timelineEntry>;

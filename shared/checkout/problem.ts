import { z } from 'zod';
import { optionalString, string } from '../gateway/text.ts';
import { problemCodes } from './problem-codes.ts';

/** One fault of a request: its dotted path, and the message. */
const fieldError = z
  .object({
    path: string.describe('The path of the field, such as `order.amount` or `refund_orders.0.currency`.'),
    message: string.describe('The fault of the value.'),
  })
  .meta({ name: 'FieldError', description: 'One field that is wrong.' });
export type FieldError = z.infer<typeof fieldError>;

/** Why the gateway declined an operation: its code, if there is one, and its message. */
const declineResult = z.object({
  code: optionalString.describe('The gateway’s code.'),
  message: string.describe('The gateway’s message.'),
});
export type DeclineResult = z.infer<typeof declineResult>;

/** A problem (RFC 9457, `application/problem+json`) as the relay writes it. */
export const problem = z
  .object({
    type: z
      .string()
      .regex(/^urn:turnpike:problem:[a-z_]+$/)
      .describe('The same code as a URN.'),
    title: string.describe('The code in words.'),
    status: z.int().min(400).max(599).describe('The HTTP status.'),
    detail: string.describe('Advice for people. Programs branch on `code`.'),
    code: z.enum(problemCodes).describe('The code of the problem. Its meaning never changes.'),
    errors: z.array(fieldError).optional().describe('Every field that is wrong.'),
    operation_id: optionalString.describe('The operation or the payment’s session that it is about.'),
    operation_ids: z.array(string).optional().describe('All operations that it is about, where there may be several.'),
    transaction_ids: z
      .array(string)
      .optional()
      .describe('With `several_payments`: the transactions that the request can name.'),
    result: declineResult.optional().describe('Why the gateway declined it, with `operation_declined`.'),
    session_id: optionalString.describe(
      'The session that pays the order, or paid it, as far as it is known: in answers to `POST /v1/sessions`.',
    ),
  })
  .meta({ name: 'Problem', description: 'An error (RFC 9457).' });
export type Problem = z.infer<typeof problem>;

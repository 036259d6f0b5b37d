import { z } from 'zod';
import { type FieldError, type Problem, type ProblemCode, problems } from '../../../shared/checkout/problem.ts';

/** Every error code, in the order of its table. */
export const problemCodes = Object.keys(problems).filter((code): code is ProblemCode => Object.hasOwn(problems, code));

const fieldError: z.ZodType<FieldError> = z
  .object({
    path: z
      .string()
      .meta({ description: 'The path of the field, such as `order.amount` or `refund_orders.0.currency`.' }),
    message: z.string().meta({ description: 'What is wrong with the value.' }),
  })
  .meta({ name: 'FieldError', description: 'One field that is wrong.' });

/** RFC 9457, as the relay writes it. */
export const problem: z.ZodType<Problem> = z
  .object({
    type: z
      .string()
      .regex(/^urn:turnpike:problem:[a-z_]+$/)
      .meta({ description: 'The same code as a URN.' }),
    title: z.string().meta({ description: 'The code in words.' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'What to do about it, for people. Programs branch on `code`.' }),
    code: z.enum(problemCodes).meta({ description: 'What went wrong. It never changes its meaning.' }),
    errors: z.array(fieldError).optional().meta({ description: 'Every field that is wrong.' }),
    operation_id: z
      .string()
      .optional()
      .meta({ description: 'The operation or the payment’s session that it is about.' }),
    session_id: z.string().optional().meta({
      description:
        'The session that pays the order, or paid it, as far as it is known: in answers to `POST /v1/sessions`.',
    }),
  })
  .meta({ name: 'Problem', description: 'An error (RFC 9457).' });

/** `GET /`. */
export const about = z
  .object({
    name: z.string().meta({ description: 'Always `turnpike-relay`.' }),
    version: z.string().meta({ description: 'The version that runs.' }),
    description: z.string().meta({ description: 'A description in one sentence.' }),
    links: z
      .object({
        docs: z.string().meta({ description: 'The reference of the API.' }),
        openapi: z.string().meta({ description: 'The OpenAPI document.' }),
        health: z.string().meta({ description: 'Whether the process runs.' }),
        readiness: z.string().meta({ description: 'Whether it accepts payments.' }),
      })
      .meta({ description: 'Paths of this relay.' }),
  })
  .meta({ name: 'About', description: 'The relay’s name, version and paths.' });

/** `GET /healthz` and `GET /readyz`. */
export const health = z
  .object({ status: z.literal('up').meta({ description: 'Always `up`.' }) })
  .meta({ name: 'Health', description: 'The relay runs.' });
export const readiness = z
  .object({
    status: z
      .enum(['ready', 'not_ready'])
      .meta({ description: '`not_ready` while the store cannot be reached or the relay is about to stop.' }),
  })
  .meta({ name: 'Readiness', description: 'Whether the relay accepts payments.' });

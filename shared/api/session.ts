import { z } from 'zod';
import { sessionStatuses } from '../checkout/status.ts';
import { result } from './payment.ts';

const moment = z.iso.datetime();

/** What `POST /v1/sessions` answers with 201. The client secret is for the page that shows the form. */
export const sessionCreated = z.object({
  id: z.string(),
  client_secret: z.string(),
  checkout_url: z.url({ protocol: /^https?$/ }),
  status: z.enum(sessionStatuses),
  expires_at: moment,
  order_no: z.string(),
});
export type SessionCreated = z.infer<typeof sessionCreated>;

export const attemptStatuses = [
  'in_flight',
  'redirected',
  'unknown',
  'approved',
  'declined',
  'not_paid',
  'refused',
  'not_sent',
] as const;

/** What a look at an unknown session found: why it is still unknown. */
export const lookResults = ['absent', 'pending', 'codes_not_listed', 'query_unanswered', 'query_refused'] as const;

/** One try to pay a session. `card` shows no more than the first six and the last four digits, `evidence` none at all. */
const attemptAnswer = z.object({
  id: z.string(),
  status: z.enum(attemptStatuses),
  method: z.string(),
  card: z.string().optional(),
  amount: z.string(),
  currency: z.string(),
  started_at: moment,
  settled_at: moment.optional(),
  transaction_id: z.string().optional(),
  result: result.optional(),
  reason: z.string().optional(),
  evidence: z.object({ http_status: z.int().optional(), body: z.string().optional() }).optional(),
});

/** What `GET /v1/sessions/:id` answers. */
export const sessionAnswer = z.object({
  id: z.string(),
  status: z.enum(sessionStatuses),
  order_no: z.string(),
  currency: z.string(),
  amount: z.string(),
  revision: z.int(),
  created_at: moment,
  expires_at: moment,
  attempts: z.array(attemptAnswer),
  transaction_id: z.string().optional(),
  card: z.string().optional(),
  recurring_id: z.string().optional(),
  result: result.optional(),
  unknown: z
    .object({
      reason: z.string(),
      since: moment,
      next_look_at: moment,
      looks: z.int(),
      needs_attention: z.boolean(),
      last_look: z.object({ at: moment, found: z.enum(lookResults) }).optional(),
    })
    .optional(),
  paid_twice: z.array(z.string()).optional(),
});
export type SessionAnswer = z.infer<typeof sessionAnswer>;

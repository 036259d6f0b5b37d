import { z } from 'zod';
import { sessionStatuses } from '../checkout/status.ts';
import { positiveShopAmount } from '../gateway/amounts.ts';
import { currencyCode, identifier, text } from '../gateway/text.ts';
import { paymentDetails, result } from './payment.ts';

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
  'pending',
  'unknown',
  'approved',
  'declined',
  'not_paid',
  'refused',
  'not_sent',
] as const;

/** What the last query of an unknown session found: why it is still unknown. */
export const lookResults = [
  'absent',
  'pending',
  'codes_not_listed',
  'amount_differs',
  'paid_before',
  'query_unanswered',
  'query_refused',
] as const;

/** One try to pay a session. `card` shows no more than the first six and the last four digits, `evidence` none at all. */
export const attemptAnswer = z.object({
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
  /** Why it is unknown; of one that is `not_paid`: `absent`, `abandoned` or `settled`. */
  reason: z.string().optional(),
  evidence: z.object({ http_status: z.int().optional(), body: z.string().optional() }).optional(),
});

export type AttemptAnswer = z.infer<typeof attemptAnswer>;

/** What `GET /v1/sessions/:id` answers. */
export const sessionAnswer = z.object({
  id: z.string(),
  /** For the page that shows the form, until the session is over. */
  client_secret: z.string().optional(),
  checkout_url: z.url({ protocol: /^https?$/ }).optional(),
  status: z.enum(sessionStatuses),
  order_no: z.string(),
  currency: z.string(),
  amount: z.string(),
  /** What refunds took of its payment, if any did, whoever asked for them; those of which nothing is known yet count. */
  refunded: z.string().optional(),
  revision: z.int(),
  created_at: moment,
  expires_at: moment,
  attempts: z.array(attemptAnswer),
  transaction_id: z.string().optional(),
  card: z.string().optional(),
  recurring_id: z.string().optional(),
  ...paymentDetails,
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
  pending: z
    .object({
      since: moment,
      next_look_at: moment,
      looks: z.int(),
      needs_attention: z.boolean(),
      transaction_id: z.string().optional(),
      /** Whether the shopper may give it up and choose another way. */
      can_abandon: z.boolean(),
    })
    .optional(),
  paid_twice: z.array(z.string()).optional(),
  /** Why a session ended unpaid: `declined`, `absent`, `abandoned`, `settled`, or `order_already_paid`. */
  reason: z.string().optional(),
  /** A person decided the outcome: the name of the API key, when (ISO 8601), and why. */
  settled: z
    .object({
      by: z.string(),
      at: moment,
      note: z.string(),
      /** What the person said; of what is `approved` the payment, as they said it. */
      outcome: z.enum(['approved', 'not_paid']).optional(),
      transaction_id: z.string().optional(),
      amount: z.string().optional(),
      currency: z.string().optional(),
    })
    .optional(),
  /** The name of the API key by which the shop withdrew the session. */
  withdrawn_by: z.string().optional(),
  /** The order differs now from what was paid. */
  order_changed: z.literal(true).optional(),
  /** A session that is over and that a person must look at: the gateway contradicts it, or shows something undecided of its order. */
  needs_attention: z.literal(true).optional(),
});
export type SessionAnswer = z.infer<typeof sessionAnswer>;

const note = text(2000).refine((value) => value.trim() !== '', 'must say why');

/**
 * `POST /v1/sessions/:id/settle`: a person who looked at the gateway's records decides what is undecided. `amount` and
 * `currency` are the attempt's where they are left out.
 */
export const settleSession = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('approved').meta({ description: '`approved`: the order was paid. `not_paid`: it was not.' }),
    transaction_id: identifier
      .refine((value) => value.trim() === value, 'must not begin or end with a space')
      .meta({ description: 'The gateway’s id of the payment, as its records have it.' }),
    amount: positiveShopAmount.optional().meta({ description: 'What was paid, where it is not what was to be paid.' }),
    currency: currencyCode.optional().meta({ description: 'Its currency, where that differs.' }),
    note: note.meta({
      description: 'Why you know: the report or the person that you asked. It is kept with the session.',
    }),
  }),
  z.strictObject({
    outcome: z.literal('not_paid').meta({ description: '`approved`: the order was paid. `not_paid`: it was not.' }),
    note: note.meta({
      description: 'Why you know: the report or the person that you asked. It is kept with the session.',
    }),
  }),
]);
export type SettleSession = z.infer<typeof settleSession>;

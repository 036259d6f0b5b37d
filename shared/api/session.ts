import { z } from 'zod';
import { sessionStatuses } from '../checkout/status.ts';
import { positiveShopAmount } from '../gateway/amounts.ts';
import { currencyCode, identifier, text } from '../gateway/text.ts';
import { evidence, moment } from './fields.ts';
import { paymentDetails, result } from './payment.ts';

/** What `POST /v1/sessions` answers with 201. The client secret is for the page that shows the form. */
export const sessionCreated = z.object({
  id: z.string().meta({ description: 'The session. Keep it: `GET /v1/sessions/{id}` tells what became of it.' }),
  client_secret: z.string().meta({ description: 'For the page that shows the form. It opens this one session.' }),
  checkout_url: z
    .url({ protocol: /^https?$/ })
    .meta({ description: 'The hosted page of this session, with the secret in its fragment.' }),
  status: z.enum(sessionStatuses).meta({ description: '`open`: waiting for the shopper.' }),
  expires_at: moment.meta({ description: 'Until when it can be paid.' }),
  order_no: z.string().meta({
    description: 'Your number of the order. At most one payment of it can be under way, and it can be paid once.',
  }),
});
export type SessionCreated = z.infer<typeof sessionCreated>;

const attemptStatuses = [
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
const lookResults = [
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
  id: z.string().meta({ description: 'The attempt.' }),
  status: z.enum(attemptStatuses).meta({ description: 'Where the attempt stands.' }),
  method: z.string().meta({ description: '`card`, `token`, or the alternative payment method’s name.' }),
  card: z.string().optional().meta({ description: 'The card, masked.' }),
  amount: z.string().meta({ description: 'What was to be charged: the amount as it was when the attempt was sent.' }),
  currency: z.string().meta({ description: 'ISO 4217 code.' }),
  started_at: moment.meta({ description: 'When it began.' }),
  settled_at: moment.optional().meta({ description: 'When it was known what became of it.' }),
  transaction_id: z.string().optional().meta({ description: 'The gateway’s id of the payment.' }),
  result: result.optional().meta({ description: 'What the gateway said, without card data.' }),
  reason: z.string().optional().meta({
    description:
      'Why nobody knows yet, such as `timeout`, `signature_wrong` or `echo_mismatch`; the relay’s docs/watch-it.md lists them all. Of one that is `not_paid`: `absent`, `abandoned` or `settled`.',
  }),
  evidence,
});

export type AttemptAnswer = z.infer<typeof attemptAnswer>;

/** What `GET /v1/sessions/:id` answers. */
export const sessionAnswer = z.object({
  id: z.string().meta({ description: 'The session.' }),
  client_secret: z.string().optional().meta({
    description:
      'For the page that shows the form, until the session is over. It opens this one session. Only in answers to `GET` and `PATCH /v1/sessions/{id}`: whoever may settle alone gets no way to pay.',
  }),
  checkout_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: 'The hosted page of this session, with the secret in its fragment.' }),
  status: z.enum(sessionStatuses).meta({ description: 'Where the session stands. `approved` is final.' }),
  order_no: z.string().meta({ description: 'Your number of the order.' }),
  currency: z.string().meta({ description: 'ISO 4217 code.' }),
  amount: z.string().meta({
    description:
      'What is charged, with the decimals of its currency, at least two. Once it is paid, what was paid: less or more than the order says now, if it was changed after an attempt was left at the issuer and that one was paid late.',
  }),
  refunded: z.string().optional().meta({
    description:
      'What refunds took of the payment, if any did, whoever asked for them. A refund that is under way or of which nobody knows yet counts. In answers to `GET /v1/sessions/{id}`, and in sessions of an order.',
  }),
  revision: z.int().meta({ description: 'Counts the changes of the order, from 1.' }),
  created_at: moment.meta({ description: 'When it began.' }),
  expires_at: moment.meta({ description: 'Until when it can be paid.' }),
  attempts: z.array(attemptAnswer).meta({ description: 'Every try to pay this session, oldest first.' }),
  transaction_id: z.string().optional().meta({ description: 'The gateway’s id of the payment.' }),
  card: z.string().optional().meta({ description: 'The card that paid, masked.' }),
  recurring_id: z.string().optional().meta({ description: 'The gateway’s id of the contract that the payment began.' }),
  ...paymentDetails,
  result: result.optional().meta({ description: 'What the gateway said, without card data.' }),
  unknown: z
    .object({
      reason: z.string().meta({
        description:
          'Why nobody knows yet, such as `timeout`, `signature_wrong` or `echo_mismatch`; the relay’s docs/watch-it.md lists them all.',
      }),
      since: moment.meta({ description: 'Since when.' }),
      next_look_at: moment.meta({ description: 'When the gateway is asked next.' }),
      looks: z.int().meta({ description: 'How often the gateway was asked.' }),
      needs_attention: z.boolean().meta({
        description:
          'True when the relay did not find out within `resolve.give_up_ms`, a day if not set: a person must look at the gateway’s records.',
      }),
      last_look: z
        .object({
          at: moment.meta({ description: 'When.' }),
          found: z.enum(lookResults).meta({
            description:
              'Why it proved nothing: `absent` (the gateway does not know this attempt), `pending`, `codes_not_listed`, `amount_differs`, `paid_before`, `query_unanswered` or `query_refused`.',
          }),
        })
        .optional()
        .meta({ description: 'What the gateway said to the last question.' }),
    })
    .optional()
    .meta({ description: 'There while nobody knows whether it was paid. The relay asks the gateway again by itself.' }),
  pending: z
    .object({
      since: moment.meta({ description: 'Since when.' }),
      next_look_at: moment.meta({ description: 'When the gateway is asked next.' }),
      looks: z.int().meta({ description: 'How often the gateway was asked.' }),
      needs_attention: z.boolean().meta({
        description:
          'True when the payment was still pending after the session expired: a person must look at the gateway’s records.',
      }),
      transaction_id: z.string().optional().meta({ description: 'The gateway’s id of the payment.' }),
      can_abandon: z
        .boolean()
        .meta({ description: 'Whether the shopper may give it up and choose another way to pay.' }),
    })
    .optional()
    .meta({
      description:
        'There while a payment is under way that takes long, such as a voucher. The relay asks the gateway about it by itself.',
    }),
  paid_twice: z.array(z.string()).optional().meta({
    description:
      'There when this order was paid more than once: every transaction that paid it, the first one first. Give the others back.',
  }),
  reason: z.string().optional().meta({
    description: 'Why the session ended unpaid: `declined`, `absent`, `abandoned`, `settled` or `order_already_paid`.',
  }),
  settled: z
    .object({
      by: z.string().meta({ description: 'The name of the API key with which it was decided.' }),
      at: moment.meta({ description: 'When.' }),
      note: z.string().meta({ description: 'Why, in that person’s words.' }),
      outcome: z.enum(['approved', 'not_paid']).optional().meta({ description: 'What the person decided.' }),
      transaction_id: z
        .string()
        .optional()
        .meta({ description: 'The gateway’s id of the payment, as that person gave it.' }),
      amount: z.string().optional().meta({
        description: 'What was paid, as that person gave it.',
      }),
      currency: z.string().optional().meta({ description: 'ISO 4217 code.' }),
    })
    .optional()
    .meta({ description: 'There when a person decided the outcome.' }),
  withdrawn_by: z
    .string()
    .optional()
    .meta({ description: 'The name of the API key by which the shop withdrew the session.' }),
  order_changed: z.literal(true).optional().meta({
    description:
      'There when the order differs now, in its amount or in another field, from the `revision` that was paid: compare both before you ship.',
  }),
  needs_attention: z.literal(true).optional().meta({
    description:
      'True when a person must look at the gateway’s records: it declined what a person had settled as approved, or shows something undecided of an order whose sessions are all over.',
  }),
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

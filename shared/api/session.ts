import { z } from 'zod';
import { keptMetadata } from '../checkout/metadata.ts';
import { result } from '../checkout/pay.ts';
import { sessionStatuses } from '../checkout/status.ts';
import { positiveShopAmount } from '../gateway/amount-fields.ts';
import { boolean, currencyCode, identifier, optionalString, orderNoText, string } from '../gateway/text.ts';
import { evidence, moment, settledBy, settlementNote } from './fields.ts';
import { paymentDetails } from './payment.ts';

/** An order in an answer: the fields that shops look for, and every other field of the request. */
const keptOrder = z
  .looseObject({
    order_no: string.describe(orderNoText),
    currency: string.describe('ISO 4217 code.'),
    amount: string.describe('The amount, with the decimals of its currency, at least two.'),
    items: z
      .array(
        z
          .object({
            name: string.describe('The name of the line.'),
            code: string.describe('Your code of the article.'),
            price: string.describe('The price of one piece.'),
            quantity: z.int().describe('The quantity.'),
          })
          .meta({ name: 'KeptItem', description: 'One line of the order.' }),
      )
      .optional()
      .describe('The lines of the order.'),
    note: optionalString.describe('Your remark.'),
    custom: optionalString.describe('Your own data.'),
    shopper_id: optionalString.describe('Your id of the shopper.'),
  })
  .meta({
    name: 'KeptOrder',
    description:
      'An order with every field that you gave: without card data, and without the content of a document’s file.',
  });

/** The answer of `POST /v1/sessions` with 201. The client secret is for the page with the form. */
export const sessionCreated = z
  .object({
    id: string.describe('The id of the session. Store it: `GET /v1/sessions/{id}` returns the status.'),
    client_secret: string.describe('The secret for the page that shows the form. It is valid for this session only.'),
    checkout_url: z
      .url({ protocol: /^https?$/ })
      .describe('The hosted page of this session, with the secret in its fragment.'),
    status: z.enum(sessionStatuses).describe('`open`: the session waits for the shopper.'),
    expires_at: moment.describe('The session can be paid until this time.'),
    order_no: string.describe(orderNoText),
    order: keptOrder.optional().describe('The order.'),
    metadata: keptMetadata,
  })
  .meta({ name: 'SessionCreated', description: 'A new session.' });
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

/** The decisions of a person about an order. */
export const sessionVerdicts = ['approved', 'not_paid'] as const;

/** Why the gateway's records leave an order undecided. */
export const holdReasons = ['pending', 'codes_not_listed', 'amount_differs', 'paid_before'] as const;

/** The result of the last query about an unknown session: why it is still unknown. */
const lookResults = ['absent', ...holdReasons, 'query_unanswered', 'query_refused'] as const;

/** One try to pay a session. `card` has at most the first six and the last four digits, and `evidence` has none. */
export const attemptAnswer = z
  .object({
    id: string.describe('The id of the attempt.'),
    status: z.enum(attemptStatuses).describe('The status of the attempt.'),
    method: string.describe('`card`, `token`, or the alternative payment method’s name.'),
    card: optionalString.describe('The card, masked.'),
    amount: string.describe('The amount of the order when the attempt was sent.'),
    currency: string.describe('ISO 4217 code.'),
    device_fingerprint: z
      .literal('missing')
      .optional()
      .describe(
        'The form did not read the device’s fingerprint, so the gateway received none: a content blocker or an old browser.',
      ),
    started_at: moment.describe('When it began.'),
    settled_at: moment.optional().describe('When its outcome became known.'),
    transaction_id: optionalString.describe('The gateway’s id of the payment.'),
    result: result.optional().describe('The gateway’s result, without card data.'),
    reason: optionalString.describe(
      'Why the outcome is unknown, such as `timeout`, `signature_wrong` or `echo_mismatch`. The relay’s docs/monitoring.md lists all reasons. For `not_paid`: `absent`, `abandoned` or `settled`.',
    ),
    evidence,
  })
  .meta({ name: 'Attempt', description: 'One attempt to pay.' });

export type AttemptAnswer = z.infer<typeof attemptAnswer>;

/** The answer of `GET /v1/sessions/:id`. */
export const sessionAnswer = z
  .object({
    id: string.describe('The session.'),
    client_secret: optionalString.describe(
      'The secret for the page that shows the form, until the session is over. It is valid for this session only. Only in answers to `GET` and `PATCH /v1/sessions/{id}`: a key that may only settle gets no way to pay.',
    ),
    checkout_url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('The hosted page of this session, with the secret in its fragment.'),
    status: z.enum(sessionStatuses).describe('The status of the session. `approved` is final.'),
    order_no: string.describe('Your number of the order.'),
    currency: string.describe('ISO 4217 code.'),
    amount: string.describe(
      'The amount to pay, with the decimals of its currency, at least two. After the payment, the amount that was paid. It differs from the order’s amount if the order was changed while an attempt waited at the issuer, and that attempt was paid later.',
    ),
    refunded: optionalString.describe(
      'The sum of the refunds of the payment by any requester, if there are any. Refunds that are in progress, or have an unknown outcome, count. In answers to `GET /v1/sessions/{id}`, and in sessions of an order.',
    ),
    revision: z.int().describe('The revision of the order. It begins at 1, and each change increases it.'),
    created_at: moment.describe('When it began.'),
    expires_at: moment.describe('The session can be paid until this time.'),
    order: keptOrder.optional().describe('The order, after your last change of it.'),
    metadata: keptMetadata,
    attempts: z.array(attemptAnswer).describe('Every attempt to pay this session, the oldest first.'),
    transaction_id: optionalString.describe('The gateway’s id of the payment.'),
    card: optionalString.describe('The card that paid, masked.'),
    recurring_id: optionalString.describe('The gateway’s id of the contract that the payment began.'),
    ...paymentDetails,
    result: result.optional().describe('The gateway’s result, without card data.'),
    unknown: z
      .object({
        reason: string.describe(
          'Why the outcome is unknown, such as `timeout`, `signature_wrong` or `echo_mismatch`. The relay’s docs/monitoring.md lists all reasons.',
        ),
        since: moment.describe('When this began.'),
        next_query_at: moment.describe('When the relay queries the gateway next.'),
        queries: z.int().describe('How often the relay queried the gateway.'),
        needs_attention: boolean.describe(
          '`true` if the outcome is still unknown after `resolve.give_up_ms` (default: a day): a person must check the gateway’s records.',
        ),
        last_query: z
          .object({
            at: moment.describe('The time.'),
            found: z
              .enum(lookResults)
              .describe(
                'Why it proved nothing: `absent` (the gateway does not have this attempt), `pending`, `codes_not_listed`, `amount_differs`, `paid_before`, `query_unanswered` or `query_refused`.',
              ),
          })
          .optional()
          .describe('The result of the last query.'),
      })
      .optional()
      .describe('Present while the outcome is unknown. The relay continues to query the gateway.'),
    pending: z
      .object({
        since: moment.describe('When this began.'),
        next_query_at: moment.describe('When the relay queries the gateway next.'),
        queries: z.int().describe('How often the relay queried the gateway.'),
        needs_attention: boolean.describe(
          '`true` if the payment was still pending after the session expired: a person must check the gateway’s records.',
        ),
        transaction_id: optionalString.describe('The gateway’s id of the payment.'),
        can_abandon: boolean.describe('Whether the shopper may abandon it and choose another way to pay.'),
      })
      .optional()
      .describe(
        'Present while a payment that takes long is in progress, such as a voucher. The relay continues to query the gateway.',
      ),
    paid_twice: z
      .array(z.string())
      .optional()
      .describe(
        'Present if this order was paid more than once: every transaction that paid it, the first one first. Refund the others.',
      ),
    reason: optionalString.describe(
      'Why the session ended unpaid: `declined`, `absent`, `abandoned`, `settled` or `order_already_paid`.',
    ),
    settled: z
      .object({
        ...settledBy,
        outcome: z.enum(sessionVerdicts).optional().describe('The decision of the person.'),
        transaction_id: optionalString.describe('The gateway’s id of the payment, from that person.'),
        amount: optionalString.describe('The amount that was paid, from that person.'),
        currency: optionalString.describe('ISO 4217 code.'),
      })
      .optional()
      .describe('Present if a person decided the outcome.'),
    withdrawn_by: optionalString.describe('The name of the API key by which the shop withdrew the session.'),
    order_changed: z
      .literal(true)
      .optional()
      .describe(
        'Present if the order now differs, in its amount or in another field, from the `revision` that was paid: compare both before you ship.',
      ),
    needs_attention: z
      .literal(true)
      .optional()
      .describe(
        '`true` if a person must check the gateway’s records: the gateway declined what a person had settled as approved, charged another order under the same `transaction_id` before (`also_paid` of `GET /v1/orders/{order_no}`), or shows an undecided payment of an order whose sessions are all over.',
      ),
  })
  .meta({ name: 'Session', description: 'A session with its status.' });
export type SessionAnswer = z.infer<typeof sessionAnswer>;

const note = settlementNote('session');

/**
 * `POST /v1/sessions/:id/settle`: a person who looked at the gateway's records settles a session. `amount` and `currency` default
 * to the attempt's.
 */
export const settleSession = z
  .discriminatedUnion('outcome', [
    z.strictObject({
      outcome: z.literal('approved').describe('`approved`: the order was paid. `not_paid`: it was not.'),
      transaction_id: identifier
        .refine((value) => value.trim() === value, 'must not begin or end with a space')
        .describe('The gateway’s id of the payment, from its records.'),
      amount: positiveShopAmount
        .optional()
        .describe('The amount that was paid, if it differs from the amount of the attempt.'),
      currency: currencyCode.optional().describe('Its currency, if that differs.'),
      note,
    }),
    z.strictObject({
      outcome: z.literal('not_paid').describe('`approved`: the order was paid. `not_paid`: it was not.'),
      note,
    }),
  ])
  .meta({
    name: 'SettleSession',
    description: 'The decision of a person by the gateway’s records: the order was paid, or it was not.',
  });
export type SettleSession = z.infer<typeof settleSession>;

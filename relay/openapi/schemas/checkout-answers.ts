import { z } from 'zod';
import { result } from '../../../shared/api/payment.ts';
import type { PayAnswer } from '../../../shared/checkout/pay.ts';
import { collectGroups } from '../../../shared/checkout/session.ts';
import { advices, sessionStatuses } from '../../../shared/checkout/status.ts';
import type { CheckoutView } from '../../../shared/checkout/view.ts';

const amount = z.string();

/** One way to pay, as the form is told of it. */
export const offeredMethod = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('card').meta({ description: '`card`, or `apm` for an alternative payment method.' }) }),
    z.object({
      type: z.literal('apm').meta({ description: '`card`, or `apm` for an alternative payment method.' }),
      payment_method: z.string().meta({ description: 'The gateway’s name of the method.' }),
      label: z.string().meta({ description: 'What the shopper sees.' }),
      banks: z
        .array(
          z.object({
            code: z.string().meta({ description: 'The value of `bank_code`.' }),
            name: z.string().meta({ description: 'What the shopper sees.' }),
          }),
        )
        .optional()
        .meta({ description: 'Banks to choose from.' }),
      fields: z.array(z.string()).optional().meta({
        description:
          'Fields that the form asks for when this method is chosen; `person.email` is the field inside the object.',
      }),
    }),
  ])
  .meta({ id: 'OfferedMethod', description: 'One way to pay.' });

const terms = z.object({
  contract: z.string().optional().meta({ description: 'Your term for the contract.' }),
  contract_name: z.string().optional().meta({ description: 'The contract’s name.' }),
  contract_amount: amount.optional().meta({ description: 'The amount of each later charge.' }),
  interval: z.string().optional().meta({ description: 'The unit of the time between charges.' }),
  interval_count: z.string().optional().meta({ description: 'The number of these units between two charges.' }),
  billing_cycle: z.int().optional().meta({ description: 'The number of all charges.' }),
  promotion_cycle: z.int().optional().meta({ description: 'The number of promotional charges at the start.' }),
  contract_start: z.string().optional().meta({ description: 'When the contract begins.' }),
  contract_end: z.string().optional().meta({ description: 'When it ends.' }),
  price_id: z.string().optional().meta({ description: 'The gateway’s id of a price.' }),
});

/** `GET /checkout/api/session`. */
export const checkoutView: z.ZodType<CheckoutView> = z
  .object({
    session_id: z.string().meta({ description: 'The session.' }),
    status: z.enum(sessionStatuses).meta({ description: 'The status of the session.' }),
    order_no: z.string().meta({
      description: 'Your number of the order. At most one payment of it can be in progress, and it can be paid once.',
    }),
    currency: z.string().meta({ description: 'ISO 4217 code of three capital letters.' }),
    amount: amount.meta({
      description: 'What is charged, as a decimal string: `"129.90"`, in yen `"1000"`, in dinars `"10.125"`.',
    }),
    revision: z
      .int()
      .meta({ description: 'Send it with the payment: the relay refuses to pay an order that changed since.' }),
    merchant_name: z.string().meta({ description: 'The shop’s name.' }),
    methods: z.array(offeredMethod).meta({ description: 'The ways to pay.' }),
    installment_options: z
      .array(
        z.object({
          installments: z.string().meta({ description: 'Into how many parts the payment is split, such as `"3"`.' }),
          installments_id: z.string().optional().meta({ description: 'The gateway’s id of an installment plan.' }),
          each: amount.optional().meta({ description: 'What one installment costs. Shown, never charged by itself.' }),
          total: amount.optional().meta({
            description: 'What all installments cost together. Shown; what is charged is the order’s amount.',
          }),
        }),
      )
      .meta({ description: 'The installment plans that the form shows.' }),
    subscription: terms.optional().meta({
      description:
        'The terms of a contract that this payment begins, if it is by card, typed or saved: no alternative method begins one. The form shows them before the shopper pays.',
    }),
    offers_saving: z.literal(true).optional().meta({
      description:
        'The form asks whether a typed card may be saved. If the shopper agrees, it sends `token_flag` as `1`.',
    }),
    collect: z
      .array(z.enum(Object.keys(collectGroups)))
      .meta({ description: 'What the form asks for in addition to the card. Values of the order are filled in.' }),
    attempts_left: z.int().meta({ description: 'The number of attempts that the shopper has left.' }),
    notice: z.enum(['not_paid', 'declined']).optional().meta({ description: 'The outcome of the previous attempt.' }),
    advice: z.enum(advices).optional().meta({ description: 'What the shopper can do about a decline.' }),
    last_method: z.string().optional().meta({
      description:
        'The method of the last attempt, while another one is possible: `card`, or the alternative method’s name.',
    }),
    watched: z
      .object({ payment_method: z.string().meta({ description: 'The alternative method’s name.' }) })
      .optional()
      .meta({
        description:
          'While `status` is `open`: the last attempt by an alternative method that ended without an outcome of the gateway’s own. It can still be charged. The relay queries the gateway when this is requested.',
      }),
    redirected: z
      .object({
        payment_method: z.string().meta({ description: 'The alternative method’s name.' }),
        can_abandon: z
          .boolean()
          .meta({ description: 'Whether the shopper may abandon it and choose another way to pay.' }),
        returned: z.boolean().meta({
          description:
            'Whether the shopper returned from the issuer’s page. While it is true, the relay queries the gateway about the payment, up to `resolve.return_ms`.',
        }),
        continue_url: z.string().optional().meta({
          description: 'The way back to the issuer’s page, to continue the same payment. Valid for 15 minutes.',
        }),
      })
      .optional()
      .meta({ description: 'The payment at the issuer’s page while `status` is `redirected`.' }),
    pending: z
      .object({
        payment_method: z.string().meta({ description: 'The method: `card`, or the alternative method’s name.' }),
        can_abandon: z
          .boolean()
          .meta({ description: 'Whether the shopper may abandon it and choose another way to pay.' }),
      })
      .optional()
      .meta({ description: 'The pending payment while `status` is `pending`.' }),
    reason: z
      .literal('order_already_paid')
      .optional()
      .meta({ description: '`order_already_paid`: the order was paid through another session.' }),
    returns: z.boolean().meta({ description: 'Whether the session has a `return_url`.' }),
    locale: z.string().optional().meta({ description: 'The language that the shop requested.' }),
    prefill: z.record(z.string(), z.string()).meta({
      description:
        'What is known of the fields that the form shows beside the card’s, by dotted path: what the shopper sent in an attempt before, else what the order says. `installments` is the place of the chosen plan in `installment_options`, from 0.',
    }),
    saved_cards: z
      .array(
        z.object({
          token_id: z.string().meta({ description: 'The gateway’s token of a card.' }),
          brand: z.string().meta({ description: 'The card’s brand.' }),
          last4: z.string().meta({ description: 'The card’s last four digits.' }),
          expiration_month: z.string().meta({ description: 'Month in which the card expires, `01` to `12`.' }),
          expiration_year: z.string().meta({ description: 'Year in which the card expires, of four digits or two.' }),
        }),
      )
      .meta({ description: 'Cards that the shopper used before. Only a token that is listed here can be paid with.' }),
    transaction_id: z.string().optional().meta({ description: 'The gateway’s id of the payment.' }),
    paid_at: z.string().optional().meta({ description: 'When the payment became known to the relay.' }),
    card: z.string().optional().meta({ description: 'The card that paid, masked.' }),
    result: result.optional().meta({ description: 'The gateway’s result, without card data.' }),
  })
  .meta({ id: 'CheckoutView', description: 'The data that the form shows.' });

/** `POST /checkout/api/pay`. */
export const payAnswer: z.ZodType<PayAnswer> = z
  .discriminatedUnion('status', [
    z.object({
      status: z.literal('approved').meta({ description: 'The outcome of the attempt.' }),
      order_no: z.string().meta({
        description: 'Your number of the order. At most one payment of it can be in progress, and it can be paid once.',
      }),
      transaction_id: z.string().meta({ description: 'The gateway’s id of the payment.' }),
      card: z.string().meta({ description: 'The card that paid, masked; empty if the gateway did not send it.' }),
      result: result.meta({ description: 'The gateway’s result, without card data.' }),
    }),
    z.object({
      status: z.literal('declined').meta({ description: 'The outcome of the attempt.' }),
      result: result.meta({ description: 'The gateway’s result, without card data.' }),
      advice: z.enum(advices).meta({ description: 'What the shopper can do about a decline.' }),
      attempts_left: z.int().min(0).meta({ description: 'The number of attempts that the shopper has left.' }),
    }),
    z.object({
      status: z.literal('redirect').meta({ description: 'The outcome of the attempt.' }),
      redirect_url: z
        .string()
        .meta({ description: 'Send the shopper’s browser to this address at once. It is valid for 15 minutes.' }),
    }),
    z.object({ status: z.literal('pending').meta({ description: 'The outcome of the attempt.' }) }),
    z.object({ status: z.literal('unknown').meta({ description: 'The outcome of the attempt.' }) }),
  ])
  .meta({ id: 'PayAnswer', description: 'The outcome of the shopper’s attempt.' });

/** `GET /embed.json`. */
export const embedding = z
  .object({
    script: z.string().meta({ description: 'The script element, with its integrity.' }),
    csp: z.array(z.string()).meta({ description: 'What your own content security policy must allow.' }),
    scripts: z
      .array(
        z.object({
          url: z.string().optional().meta({ description: 'Its address. Absent for an inline script.' }),
          integrity: z.string().meta({
            description: 'Its hash, for `integrity` or, of an inline script, as a content security policy names it.',
          }),
          runs_in: z
            .enum(['page', 'frame'])
            .meta({ description: '`page`: the shop’s page; `frame`: a page of the checkout’s own, in its frame.' }),
          purpose: z.string().meta({ description: 'Its purpose.' }),
        }),
      )
      .meta({ description: 'Every script that is part of a payment.' }),
  })
  .meta({ id: 'Embedding', description: 'What a page needs for the form.' });

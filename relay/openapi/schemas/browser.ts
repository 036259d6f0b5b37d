import { z } from 'zod';
import { result } from '../../../shared/api/payment.ts';
import type { PayAnswer } from '../../../shared/checkout/pay.ts';
import { collectGroups } from '../../../shared/checkout/session.ts';
import { advices, sessionStatuses } from '../../../shared/checkout/status.ts';
import type { CheckoutView } from '../../../shared/checkout/view.ts';

const amount = z.string();

/** One way to pay, as the form is told of it. */
export const offeredMethod = z.discriminatedUnion('type', [
  z.object({ type: z.literal('card') }),
  z.object({
    type: z.literal('apm'),
    payment_method: z.string(),
    label: z.string(),
    banks: z.array(z.object({ code: z.string(), name: z.string() })).optional(),
    fields: z.array(z.string()).optional(),
  }),
]);

const terms = z.object({
  contract: z.string().optional(),
  contract_name: z.string().optional(),
  contract_amount: amount.optional(),
  interval: z.string().optional(),
  interval_count: z.string().optional(),
  billing_cycle: z.int().optional(),
  promotion_cycle: z.int().optional(),
  contract_start: z.string().optional(),
  contract_end: z.string().optional(),
  price_id: z.string().optional(),
});

/** `GET /checkout/api/session`. */
export const checkoutView: z.ZodType<CheckoutView> = z.object({
  session_id: z.string(),
  status: z.enum(sessionStatuses),
  order_no: z.string(),
  currency: z.string(),
  amount,
  revision: z.int(),
  merchant_name: z.string(),
  methods: z.array(offeredMethod),
  installment_options: z.array(
    z.object({
      installments: z.string(),
      installments_id: z.string().optional(),
      each: amount.optional(),
      total: amount.optional(),
    }),
  ),
  subscription: terms.optional(),
  offers_saving: z.literal(true).optional(),
  collect: z.array(z.enum(Object.keys(collectGroups))),
  attempts_left: z.int(),
  notice: z.enum(['not_paid', 'declined']).optional(),
  advice: z.enum(advices).optional(),
  last_method: z.string().optional(),
  confirming: z.literal(true).optional(),
  pending: z.object({ payment_method: z.string(), can_abandon: z.boolean() }).optional(),
  reason: z.literal('order_already_paid').optional(),
  returns: z.boolean(),
  locale: z.string().optional(),
  prefill: z.record(z.string(), z.string()),
  saved_cards: z.array(
    z.object({
      token_id: z.string(),
      brand: z.string(),
      last4: z.string(),
      expiration_month: z.string(),
      expiration_year: z.string(),
    }),
  ),
  transaction_id: z.string().optional(),
  paid_at: z.string().optional(),
  card: z.string().optional(),
  result: result.optional(),
});

/** `POST /checkout/api/pay`. */
export const payAnswer: z.ZodType<PayAnswer> = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('approved'),
    order_no: z.string(),
    transaction_id: z.string(),
    card: z.string(),
    result,
  }),
  z.object({ status: z.literal('declined'), result, advice: z.enum(advices), attempts_left: z.int().min(0) }),
  z.object({ status: z.literal('redirect'), redirect_url: z.string() }),
  z.object({ status: z.literal('pending') }),
  z.object({ status: z.literal('unknown') }),
]);

/** `GET /embed.json`. */
export const embedding = z.object({
  script: z.string(),
  csp: z.array(z.string()),
  scripts: z.array(
    z.object({
      url: z.string().optional(),
      integrity: z.string(),
      runs_in: z.enum(['page', 'frame']),
      purpose: z.string(),
    }),
  ),
});

import { z } from 'zod';
import { identifier } from '../gateway/text.ts';
import { operationStatuses } from './operation.ts';

const moment = z.iso.datetime();

/**
 * How a contract stands, as far as the relay knows: `active` until it is ended through the relay, the gateway tells that it is
 * over, or its `contract_end` is past; `ending` while its end is being sent, `end_unknown` while nobody knows whether that was done.
 */
export const subscriptionStatuses = ['active', 'ending', 'end_unknown', 'ended'] as const;

/** One charge of a contract: the `amount` where it is known, and when it was made, or the relay was told of it. */
const charge = z.object({
  transaction_id: z.string(),
  at: moment.optional(),
  amount: z.string().optional(),
  currency: z.string().optional(),
});

/** The terms that the shop sent (§2.1). */
const terms = z.object({
  contract: z.string().optional(),
  contract_amount: z.string().optional(),
  interval: z.string().optional(),
  interval_count: z.string().optional(),
  billing_cycle: z.int().optional(),
  promotion_cycle: z.int().optional(),
  contract_start: z.string().optional(),
  contract_end: z.string().optional(),
  price_id: z.string().optional(),
});

/** A contract: what began it, what it charges and when, and how it stands. */
export const subscriptionAnswer = z.object({
  recurring_id: z.string(),
  contract_name: z.string().optional(),
  status: z.enum(subscriptionStatuses),
  order_no: z.string(),
  session_id: z.string().optional(),
  started_at: moment,
  /** Masked. */
  shopper_email: z.string().optional(),
  /** Masked. */
  card: z.string().optional(),
  currency: z.string(),
  terms: terms.optional(),
  /** What the gateway told of its rhythm with the first payment. */
  recurring_deduction_period: z.string().optional(),
  recurring_deduction_time: z.string().optional(),
  /** The gateway’s own code, from its last signed notification. */
  recurring_status: z.string().optional(),
  first_charge: charge,
  /** How many later charges the relay knows of, and the last of them. */
  later_charges: z.int(),
  last_charge: charge.optional(),
  /** What to expect by the terms, or by what the gateway told; nobody promised it. */
  next_charge: z
    .object({
      date: z.iso.date(),
      by: z.enum(['gateway', 'terms']),
      amount: z.string(),
      currency: z.string(),
    })
    .optional(),
  /** The last try to end it through the relay. */
  end: z
    .object({
      operation_id: z.string(),
      status: z.enum(operationStatuses),
      outcome: z.enum(['succeeded', 'failed', 'unknown']).optional(),
      at: moment,
      by: z.string().optional(),
    })
    .optional(),
  /** How many notifications of its payment or charges came, and the last one. */
  notifications: z.int(),
  notified_at: moment.optional(),
});
export type SubscriptionAnswer = z.infer<typeof subscriptionAnswer>;

/** What `GET /v1/subscriptions` answers, the newest first. `next` is the `before` of the next page; the last page has none. */
export const subscriptionList = z.object({ subscriptions: z.array(subscriptionAnswer), next: z.string().optional() });
export type SubscriptionList = z.infer<typeof subscriptionList>;

/** What `GET /v1/subscriptions` may be asked for, as it stands in the query: texts. */
export const subscriptionQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .default(20),
  before: z
    .string()
    .regex(/^\d{1,16}-\d{1,18}$/, 'must be the next of the page before')
    .optional(),
  recurring_id: identifier.optional(),
  order_no: identifier.optional(),
  email: z.string().min(3).max(320).optional(),
});

/** Which contracts to list, as the client takes it. */
export type SubscriptionFilter = {
  recurring_id?: string;
  /** The order whose payment began it. */
  order_no?: string;
  /** The shopper’s e-mail, as a whole. */
  email?: string;
  /** Only contracts after the page before: its `next`. */
  before?: string;
  /** How many orders with contracts at once: 1 to 100. */
  limit?: number;
};

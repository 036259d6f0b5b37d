import { z } from 'zod';
import { identifier } from '../gateway/text.ts';
import { moment, nextPage } from './fields.ts';
import { operationStatuses } from './operation.ts';

/**
 * How a contract stands, as far as the relay knows: `active` until it is ended through the relay, the gateway tells that it is
 * over, or its `contract_end` is past; `ending` while its end is being sent, `end_unknown` while nobody knows whether that was done.
 */
const subscriptionStatuses = ['active', 'ending', 'end_unknown', 'ended'] as const;

/** One charge of a contract: the `amount` where it is known, and when it was made, or the relay was told of it. */
export const charge = z.object({
  transaction_id: z.string().meta({ description: 'The gateway’s id of the charge.' }),
  at: moment.optional().meta({ description: 'When it was made; of a later one when its notification came.' }),
  amount: z.string().optional().meta({ description: 'What it took, where that is known.' }),
  currency: z.string().optional().meta({ description: 'ISO 4217 code.' }),
});

/** The terms that the shop sent (§2.1). */
const terms = z.object({
  contract: z.string().optional().meta({ description: 'Your word for the contract.' }),
  contract_amount: z.string().optional().meta({ description: 'What each later charge takes.' }),
  interval: z.string().optional().meta({ description: 'The unit of the time between charges.' }),
  interval_count: z.string().optional().meta({ description: 'How many of these units lie between two charges.' }),
  billing_cycle: z.int().optional().meta({ description: 'How many charges there are in all.' }),
  promotion_cycle: z.int().optional().meta({ description: 'How many charges at the start are promotional.' }),
  contract_start: z.string().optional().meta({ description: 'When the contract begins.' }),
  contract_end: z.string().optional().meta({ description: 'When it ends.' }),
  price_id: z.string().optional().meta({ description: 'The gateway’s id of a price.' }),
});

/** A contract: what began it, what it charges and when, and how it stands. */
export const subscriptionAnswer = z.object({
  recurring_id: z
    .string()
    .meta({ description: 'The gateway’s id of the contract: `POST /v1/subscription/cancel` ends it.' }),
  contract_name: z
    .string()
    .optional()
    .meta({ description: 'Its name, as the gateway told it, or as your order has it.' }),
  status: z.enum(subscriptionStatuses).meta({
    description:
      '`active` until it is known to be over; `ending` while its end is being sent; `end_unknown` while nobody knows whether it was ended; `ended` once it was ended through the relay, the gateway told so in a signed notification, or the day of its `contract_end` is over. What was ended in the gateway’s portal, and not told, is not known here.',
  }),
  order_no: z.string().meta({ description: 'Your number of the order whose payment began it.' }),
  session_id: z.string().optional().meta({ description: 'The session that it was paid through, where that is known.' }),
  started_at: moment.meta({ description: 'When its first payment was made.' }),
  shopper_email: z.string().optional().meta({ description: 'The shopper’s e-mail, masked, where the order has it.' }),
  card: z.string().optional().meta({ description: 'The card of the first payment, masked.' }),
  currency: z.string().meta({ description: 'ISO 4217 code.' }),
  terms: terms.optional().meta({ description: 'The terms that your order had (§2.1).' }),
  recurring_deduction_period: z
    .string()
    .optional()
    .meta({ description: 'What the gateway told with the first payment.' }),
  recurring_deduction_time: z
    .string()
    .optional()
    .meta({ description: 'What the gateway told with the first payment.' }),
  recurring_status: z
    .string()
    .optional()
    .meta({ description: 'The gateway’s code, from its last signed notification.' }),
  first_charge: charge.meta({ description: 'The payment that began it.' }),
  later_charges: z.int().meta({
    description:
      'How many charges after the first are known: those that queries about the order proved, and those that signed notifications told as approved. The newest 60 notifications of the session are read.',
  }),
  last_charge: charge.optional().meta({ description: 'The last of them that has a date.' }),
  next_charge: z
    .object({
      date: z.iso.date().meta({ description: 'The day, `YYYY-MM-DD`.' }),
      by: z.enum(['gateway', 'terms']).meta({ description: 'Who says so: the gateway, or the relay by the `terms`.' }),
      amount: z.string().meta({ description: 'What it is expected to take.' }),
      currency: z.string().meta({ description: 'ISO 4217 code.' }),
    })
    .optional()
    .meta({
      description:
        'What to expect: the day, in the gateway’s time zone, and the amount. `by` tells whether the `gateway` told the day, or the relay read it out of the `terms`; the interface does not explain those, so it is no promise. Not there where the terms do not tell, or no charge is left.',
    }),
  end: z
    .object({
      operation_id: z.string().meta({ description: 'The operation: `GET /v1/operations/{id}` tells more.' }),
      status: z.enum(operationStatuses).meta({
        description: 'Where the operation stands.',
      }),
      outcome: z
        .enum(['succeeded', 'failed', 'unknown'])
        .optional()
        .meta({ description: 'What became of it, where that is known.' }),
      at: moment.meta({ description: 'When.' }),
      by: z.string().meta({ description: 'Who asked for it: the name of the API key.' }),
    })
    .optional()
    .meta({ description: 'The last try to end it through the relay.' }),
  notifications: z
    .int()
    .meta({ description: 'How many notifications came to the session’s notify_url; the same one twice counts once.' }),
  notified_at: moment.optional().meta({ description: 'When the last one came.' }),
});
export type SubscriptionAnswer = z.infer<typeof subscriptionAnswer>;

/** What `GET /v1/subscriptions` answers, the newest first. `next` is the `before` of the next page; the last page has none. */
export const subscriptionList = z.object({
  subscriptions: z.array(subscriptionAnswer).meta({ description: 'The contracts, the newest first.' }),
  next: nextPage,
});
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

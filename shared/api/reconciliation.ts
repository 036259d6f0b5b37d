import { z } from 'zod';
import { identifier, text } from '../gateway/text.ts';

const moment = z.iso.datetime();
const instant = z.iso.datetime({ offset: true, error: 'must be a time such as 2027-03-31T10:15:00Z' });
const count = z.int().min(0);

/** In what the relay's books and the gateway's can differ, in the order of the report. */
export const differenceClasses = [
  'missing_here',
  'missing_there',
  'amount',
  'currency',
  'status',
  'second_payment',
  'refund_missing_here',
  'refund_missing_there',
] as const;
export type DifferenceClass = (typeof differenceClasses)[number];

/** The most differences that one report holds. */
export const MAX_DIFFERENCES = 200;

/** One side of a difference: how the payment stands there, and how much it is. */
const side = z.strictObject({ status: text(255), amount: text(255), currency: text(255) });

/** Something in which the two books do not agree. `here` is what the relay says, `there` what the gateway says. */
export const difference = z.strictObject({
  class: z.enum(differenceClasses),
  order_no: identifier,
  transaction_id: identifier.optional(),
  refund_reference_id: text(255).optional(),
  /** Of `missing_here`: whether the relay has the order at all. */
  known: z.boolean().optional(),
  here: side.optional(),
  there: side.optional(),
});
export type ReportedDifference = z.infer<typeof difference>;

/** `POST /v1/reconciliations`: what a comparison of the orders of a period came to. `to` is not part of the period. */
export const reconciliationReport = z.strictObject({
  from: instant,
  to: instant,
  /** How many orders were compared. */
  orders: count,
  /** How many orders could not be compared. */
  uncompared: count.default(0),
  /** How many differences there are, more than `differences` may hold. */
  total: count,
  differences: z.array(difference).max(MAX_DIFFERENCES),
});
export type ReconciliationReport = z.input<typeof reconciliationReport>;

/** The last report of an account: what `GET /v1/reconciliations/last` answers. */
export const reconciliation = z.object({
  reported_at: moment,
  /** The name of the API key, or `person:` and the name of who signed in to the console. */
  by: z.string(),
  from: moment,
  to: moment,
  orders: count,
  uncompared: count,
  total: count,
  differences: z.array(
    z.object({
      class: z.string(),
      order_no: z.string(),
      transaction_id: z.string().optional(),
      refund_reference_id: z.string().optional(),
      known: z.boolean().optional(),
      here: z.object({ status: z.string(), amount: z.string(), currency: z.string() }).optional(),
      there: z.object({ status: z.string(), amount: z.string(), currency: z.string() }).optional(),
    }),
  ),
});
export type Reconciliation = z.infer<typeof reconciliation>;

import { z } from 'zod';
import { identifier, string, text } from '../gateway/text.ts';
import { instant, moment } from './fields.ts';

const count = z.int().min(0);
const shortText = text(255);

/** The kinds of differences between the relay's records and the gateway's, in the order of the report. */
export const differenceClasses = [
  'missing_here',
  'missing_there',
  'amount',
  'currency',
  'status',
  'held',
  'charged_back',
  'cancelled',
  'refunded',
  'second_payment',
  'refund_missing_here',
  'refund_missing_there',
] as const;
export type DifferenceClass = (typeof differenceClasses)[number];

/** The maximum number of differences that one report holds. */
export const MAX_DIFFERENCES = 200;

/** The fields of one side of a difference: the status of the payment there, and its amount. `word` checks each. */
const sideOf = <Word extends z.ZodType>(word: Word) => ({
  status: word.describe('The status.'),
  amount: word.describe('The amount, as a decimal string.'),
  currency: word.describe('ISO 4217 code of three capital letters.'),
});

/** The fields of a difference. A report and an answer check them differently. */
const differenceOf = <Class extends z.ZodType, Id extends z.ZodType, Word extends z.ZodType, Side extends z.ZodType>(
  differs: Class,
  id: Id,
  word: Word,
  side: Side,
) => ({
  class: differs.describe(
    'What differs: `missing_here` (the gateway has a payment that the relay does not have), `missing_there`, `amount`, `currency`, `status`, `held`, `charged_back`, `cancelled` or `refunded` (the gateway’s record says so, and the relay does not), `second_payment`, `refund_missing_here` or `refund_missing_there`.',
  ),
  order_no: id.describe('Your number of the order.'),
  transaction_id: id.optional().describe('The gateway’s id of the payment.'),
  refund_reference_id: word.optional().describe('The gateway’s id of the refund.'),
  known: z.boolean().optional().describe('For `missing_here`: whether the relay has the order.'),
  recurring_id: id
    .optional()
    .describe('For `missing_here` without an order: the gateway’s id of the contract that the payment charged.'),
  here: side.optional().describe('The relay’s record.'),
  there: side.optional().describe('The gateway’s record.'),
});

/** A difference between the records: `here` is the relay's side, `there` the gateway's. */
export const difference = z
  .strictObject(differenceOf(z.enum(differenceClasses), identifier, shortText, z.strictObject(sideOf(shortText))))
  .meta({ name: 'Difference', description: 'A difference between the relay’s records and the gateway’s.' });
export type ReportedDifference = z.infer<typeof difference>;

/** `POST /v1/reconciliations`: the result of a comparison of the orders of a period. `to` is not part of the period. */
export const reconciliationReport = z
  .strictObject({
    from: instant.describe('The start of the period.'),
    to: instant.describe('The end of the period, exclusive.'),
    orders: count.describe('The number of orders that were compared.'),
    uncompared: count.default(0).describe('The number of orders that could not be compared.'),
    total: count.describe('The number of differences, including those that do not fit into `differences`.'),
    differences: z.array(difference).max(MAX_DIFFERENCES).describe('The differences, at most 200.'),
  })
  .meta({ name: 'ReconciliationReport', description: 'The result of a comparison with the gateway’s records.' });
export type ReconciliationReport = z.input<typeof reconciliationReport>;

/** The last report of an account: what `GET /v1/reconciliations/last` answers. */
export const reconciliation = z
  .object({
    reported_at: moment.describe('When it was reported.'),
    by: string.describe(
      'The name of the API key that reported it, or `person:` and the name of the person who was signed in to the console.',
    ),
    from: moment.describe('The start of the period.'),
    to: moment.describe('The end of the period, exclusive.'),
    orders: count.describe('The number of orders that were compared.'),
    uncompared: count.describe('The number of orders that could not be compared.'),
    total: count.describe('The number of differences, including those that do not fit into `differences`.'),
    differences: z
      .array(z.object(differenceOf(z.string(), z.string(), z.string(), z.object(sideOf(z.string())))))
      .describe('The differences, at most 200.'),
  })
  .meta({ name: 'Reconciliation', description: 'The last report of a comparison with the gateway’s records.' });
export type Reconciliation = z.infer<typeof reconciliation>;

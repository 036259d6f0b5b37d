import { z } from 'zod';
import { currencyCode, optionalString, string } from '../gateway/text.ts';
import { type FilterOf, instant, moment } from './fields.ts';

const count = z.int().min(0);

/** The lengths of a period of figures. */
const statsPeriods = ['hour', 'day'] as const;
export type StatsPeriod = (typeof statsPeriods)[number];

/** The maximum number of periods in one query. */
export const MAX_PERIODS: Record<StatsPeriod, number> = { hour: 31 * 24, day: 400 };

/** Attempts to pay, by outcome. Attempts that were not sent do not count. */
export const outcomes = z
  .object({
    approved: count.describe('Paid.'),
    declined: count.describe('Declined by the gateway.'),
    refused: count.describe('The gateway refused the message.'),
    not_paid: count.describe(
      'Absent from the gateway’s records, abandoned by the shopper, or settled as not paid by a person.',
    ),
    in_flight: count.describe('The gateway has not answered yet.'),
    redirected: count.describe('The shopper is at the issuer’s page.'),
    pending: count.describe('A voucher or transfer is in progress.'),
    unknown: count.describe('The outcome is unknown.'),
  })
  .meta({ name: 'Outcomes', description: 'The numbers of payments by outcome.' });
export type StatsOutcome = keyof z.infer<typeof outcomes>;

/** The share of approved attempts among approved and declined ones, with four decimals; absent if there are none. */
const approvalRate = z.number().min(0).max(1).optional();

export const sum = z
  .object({
    currency: string.describe('ISO 4217 code.'),
    count: count.describe('The number.'),
    amount: string.describe('The sum.'),
  })
  .meta({ name: 'Sum', description: 'The number and the sum of payments or refunds in one currency.' });

const reversedSum = z
  .object({
    ...sum.shape,
    rate: z.number().min(0).max(1).describe('Its amount, divided by the amount of `gross` in this currency.'),
  })
  .meta({ name: 'ReversedSum', description: 'The reversed payments of one currency, and their share.' });

export const figures = z
  .object({
    payments: count.describe('The number of attempts that began.'),
    outcomes: outcomes.describe('The numbers by outcome.'),
    approval_rate: approvalRate.describe(
      'The share of approved payments among those that were approved or declined. Absent if there was neither.',
    ),
    approved: z.array(sum).describe('The sums of approved payments, by currency.'),
    methods: z
      .array(
        z.object({
          payment_method: string.describe('`card`, `token`, or the alternative payment method’s name.'),
          payments: count.describe('The number of attempts that began.'),
          approved: count.describe('The number of approved ones.'),
          declined: count.describe('The number of declined ones.'),
          approval_rate: approvalRate.describe(
            'The share of approved payments among those that were approved or declined. Absent if there was neither.',
          ),
        }),
      )
      .describe('The same by method, the most used first.'),
    decline_codes: z
      .array(
        z.object({
          code: string.describe('The gateway’s code.'),
          count: count.describe('How often it occurred.'),
        }),
      )
      .describe('The gateway’s codes of declines, the most frequent first, at most fifty.'),
    gross: z
      .array(sum)
      .describe('The sums of all payments that were paid, with renewals, by currency. Each counts when it was paid.'),
    net: z
      .array(sum)
      .describe(
        'The same without amounts that were cancelled, rejected, reversed or refunded since. `count` is the number of payments with a remaining amount.',
      ),
    renewals: z.array(sum).describe('The sums of the renewals among them, by currency.'),
    reversed: z
      .array(reversedSum)
      .describe(
        'The sums of the payments of `gross` that are reversed now, by currency: charged back, or declined after their approval.',
      ),
    chargeback_rate: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(
        'The number of these, divided by the number of payments of `gross`, in all currencies. Absent if nothing was paid.',
      ),
    refunds: z.array(sum).describe('The sums of refunds that began, without those that failed, by currency.'),
    latency: z
      .object({
        answers: count.describe('The number of payments that the gateway approved or declined in its answer.'),
        p50_ms: count.describe('50 % of the answers took at most this time.'),
        p95_ms: count.describe('95 % of the answers took at most this time.'),
        p99_ms: count.describe('99 % of the answers took at most this time.'),
      })
      .optional()
      .describe(
        'The gateway’s response times for payments, from the start of the attempt to the answer, at most 1/64 too long. Absent if it answered none.',
      ),
  })
  .meta({ name: 'Figures', description: 'Counts and sums of payments and refunds.' });
export type StatsFigures = z.infer<typeof figures>;

const periodFigures = figures
  .extend({
    start: moment.describe('When the period begins. It ends with the start of the next one.'),
  })
  .meta({ name: 'PeriodFigures', description: 'The counts and sums of one period.' });
export type PeriodFigures = z.infer<typeof periodFigures>;

/** The answer of `GET /v1/stats`: an account's figures of each period, oldest first, and of all of them together. */
export const stats = z
  .object({
    by: z.enum(statsPeriods).describe('The length of a period.'),
    from: moment.describe('The start of the first period.'),
    to: moment.describe('The end of the last period.'),
    time_zone: z.literal('UTC').describe('The time zone of hours and days.'),
    currency: optionalString.describe('The currency of the request.'),
    computed_at: moment.describe('When this was computed.'),
    total: figures.describe('All periods together.'),
    periods: z.array(periodFigures).describe('The figures of each period, the oldest first.'),
  })
  .meta({ name: 'Stats', description: 'Counts and sums of each hour or day, and of all together.' });
export type Stats = z.infer<typeof stats>;

/** The query of `GET /v1/stats`: texts. */
export const statsQuery = z.strictObject({
  by: z.enum(statsPeriods).default('day').meta({ description: '`hour` or `day`. Default: `day`.', example: 'hour' }),
  from: instant.optional().meta({
    description: 'The start: that of the period which contains this time. Default: 24 hours, or 30 days, before `to`.',
    example: '2027-03-31T09:00:00Z',
  }),
  to: instant.optional().meta({
    description: 'The end: this time, or the end of the period which contains it. Default: now.',
    example: '2027-03-31T11:00:00Z',
  }),
  currency: currencyCode
    .optional()
    .meta({ description: 'Only payments and refunds in this currency.', example: 'BRL' }),
});

/** The filter of statistics, as the client takes it. */
export type StatsFilter = FilterOf<typeof statsQuery>;

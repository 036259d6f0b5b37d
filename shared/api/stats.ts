import { z } from 'zod';
import { currencyCode } from '../gateway/text.ts';
import { type FilterOf, instant, moment } from './fields.ts';

const count = z.int().min(0);

/** The lengths of a period of figures. */
const statsPeriods = ['hour', 'day'] as const;
export type StatsPeriod = (typeof statsPeriods)[number];

/** How many periods one question may be about. */
export const MAX_PERIODS: Record<StatsPeriod, number> = { hour: 31 * 24, day: 400 };

/** Attempts to pay, by their outcome. Those of which nothing was sent do not count. */
export const outcomes = z
  .object({
    approved: count.meta({ description: 'Paid.' }),
    declined: count.meta({ description: 'Declined by the gateway.' }),
    refused: count.meta({ description: 'The gateway refused the message.' }),
    not_paid: count.meta({
      description: 'Absent from the gateway’s records, abandoned by the shopper, or settled as not paid by a person.',
    }),
    in_flight: count.meta({ description: 'The gateway has not answered yet.' }),
    redirected: count.meta({ description: 'The shopper is at the issuer’s page.' }),
    pending: count.meta({ description: 'A voucher or transfer is in progress.' }),
    unknown: count.meta({ description: 'The outcome is unknown.' }),
  })
  .meta({ name: 'Outcomes', description: 'The numbers of payments by outcome.' });
export type StatsOutcome = keyof z.infer<typeof outcomes>;

/** Approved of those that were approved or declined, with four decimals; left out where there was neither. */
const approvalRate = z.number().min(0).max(1).optional();

export const sum = z
  .object({
    currency: z.string().meta({ description: 'ISO 4217 code.' }),
    count: count.meta({ description: 'The number.' }),
    amount: z.string().meta({ description: 'The sum.' }),
  })
  .meta({ name: 'Sum', description: 'The number and the sum of payments or refunds in one currency.' });

export const figures = z
  .object({
    payments: count.meta({ description: 'The number of attempts that began.' }),
    outcomes: outcomes.meta({ description: 'The numbers by outcome.' }),
    approval_rate: approvalRate.meta({
      description:
        'The share of approved payments among those that were approved or declined. Absent if there was neither.',
    }),
    approved: z.array(sum).meta({ description: 'The sums of approved payments, by currency.' }),
    methods: z
      .array(
        z.object({
          payment_method: z
            .string()
            .meta({ description: '`card`, `token`, or the alternative payment method’s name.' }),
          payments: count.meta({ description: 'The number of attempts that began.' }),
          approved: count.meta({
            description: 'The number of approved ones.',
          }),
          declined: count.meta({ description: 'The number of declined ones.' }),
          approval_rate: approvalRate.meta({
            description:
              'The share of approved payments among those that were approved or declined. Absent if there was neither.',
          }),
        }),
      )
      .meta({ description: 'The same by method, the most used first.' }),
    decline_codes: z
      .array(
        z.object({
          code: z.string().meta({ description: 'The gateway’s code.' }),
          count: count.meta({ description: 'How often it occurred.' }),
        }),
      )
      .meta({
        description: 'The gateway’s codes of declines, the most frequent first, at most fifty.',
      }),
    refunds: z
      .array(sum)
      .meta({ description: 'The sums of refunds that began, without those that failed, by currency.' }),
    latency: z
      .object({
        answers: count.meta({
          description: 'The number of payments that the gateway approved or declined in its answer.',
        }),
        p50_ms: count.meta({ description: '50 % of the answers took at most this time.' }),
        p95_ms: count.meta({ description: '95 % of the answers took at most this time.' }),
        p99_ms: count.meta({ description: '99 % of the answers took at most this time.' }),
      })
      .optional()
      .meta({
        description:
          'The gateway’s response times for payments, from the start of the attempt to the answer, at most 1/64 too long. Absent if it answered none.',
      }),
  })
  .meta({ name: 'Figures', description: 'Counts and sums of payments and refunds.' });
export type StatsFigures = z.infer<typeof figures>;

const periodFigures = figures
  .extend({
    start: moment.meta({ description: 'When the period begins. It ends with the start of the next one.' }),
  })
  .meta({ name: 'PeriodFigures', description: 'The counts and sums of one period.' });
export type PeriodFigures = z.infer<typeof periodFigures>;

/** What `GET /v1/stats` answers: an account's figures of each period, the oldest first, and of all of them together. */
export const stats = z
  .object({
    by: z.enum(statsPeriods).meta({ description: 'The length of a period.' }),
    from: moment.meta({ description: 'The start of the first period.' }),
    to: moment.meta({ description: 'The end of the last period.' }),
    time_zone: z.literal('UTC').meta({ description: 'The time zone of hours and days.' }),
    currency: z.string().optional().meta({ description: 'The currency of the request.' }),
    computed_at: moment.meta({ description: 'When this was computed.' }),
    total: figures.meta({ description: 'All periods together.' }),
    periods: z.array(periodFigures).meta({ description: 'The figures of each period, the oldest first.' }),
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

/** Which figures to give, as the client takes it. */
export type StatsFilter = FilterOf<typeof statsQuery>;

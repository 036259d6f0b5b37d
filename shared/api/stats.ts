import { z } from 'zod';
import { currencyCode } from '../gateway/text.ts';

const moment = z.iso.datetime();
const count = z.int().min(0);

/** The lengths of a period that figures are told of. */
export const statsPeriods = ['hour', 'day'] as const;
export type StatsPeriod = (typeof statsPeriods)[number];

/** How many periods one question may be about. */
export const MAX_PERIODS: Record<StatsPeriod, number> = { hour: 31 * 24, day: 400 };

/** Attempts to pay, by what became of them. Those of which nothing was sent are not among them. */
const outcomes = z.object({
  approved: count,
  declined: count,
  /** The gateway did not take the message. */
  refused: count,
  not_paid: count,
  in_flight: count,
  redirected: count,
  pending: count,
  unknown: count,
});
export type StatsOutcome = keyof z.infer<typeof outcomes>;

/** Approved of those that were approved or declined, with four decimals; left out where there was neither. */
const approvalRate = z.number().min(0).max(1).optional();

const sum = z.object({ currency: z.string(), count, amount: z.string() });

const figures = z.object({
  payments: count,
  outcomes,
  approval_rate: approvalRate,
  /** What approved payments came to, in each currency. */
  approved: z.array(sum),
  methods: z.array(
    z.object({
      payment_method: z.string(),
      payments: count,
      approved: count,
      declined: count,
      approval_rate: approvalRate,
    }),
  ),
  /** The most frequent first, fifty at the most. */
  decline_codes: z.array(z.object({ code: z.string(), count })),
  /** Refunds that began in the period, but for those that are known to have failed. */
  refunds: z.array(sum),
  /** How long the gateway took to answer payments, from the attempt's start until its answer was known. At most 1/64 too long. */
  latency: z.object({ answers: count, p50_ms: count, p95_ms: count, p99_ms: count }).optional(),
});
export type StatsFigures = z.infer<typeof figures>;

const periodFigures = figures.extend({ start: moment });
export type PeriodFigures = z.infer<typeof periodFigures>;

/** What `GET /v1/stats` answers: an account's figures of each period, the oldest first, and of all of them together. */
export const stats = z.object({
  by: z.enum(statsPeriods),
  from: moment,
  to: moment,
  time_zone: z.literal('UTC'),
  currency: z.string().optional(),
  computed_at: moment,
  total: figures,
  periods: z.array(periodFigures),
});
export type Stats = z.infer<typeof stats>;

const instant = z.iso.datetime({ offset: true, error: 'must be a time such as 2027-03-31T10:15:00Z' });

/** What `GET /v1/stats` may be asked for, as it stands in the query: texts. */
export const statsQuery = z.strictObject({
  by: z.enum(statsPeriods).default('day'),
  from: instant.optional(),
  to: instant.optional(),
  currency: currencyCode.optional(),
});

/** Which figures to give, as the client takes it. */
export type StatsFilter = {
  /** `day` where it is left out. Days and hours are those of UTC. */
  by?: StatsPeriod;
  /** From the period that this time (ISO 8601) is in; a day before `to`, or thirty by day, where it is left out. */
  from?: string;
  /** Until the end of the period that ends at this time or later; now, where it is left out. */
  to?: string;
  /** Only payments and refunds in this currency. */
  currency?: string;
};

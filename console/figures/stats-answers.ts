import type { PeriodFigures, Stats, StatsFigures, StatsOutcome } from '../../shared/api/stats.ts';
import { exactly, type Guard, list, number, object, oneOf, optional, text } from '../api/guards.ts';

type Shape<T> = { readonly [Key in keyof T]-?: Guard<T[Key]> };

const sums = list(object<StatsFigures['approved'][number]>({ currency: text, count: number, amount: text }));

const figures: Shape<StatsFigures> = {
  payments: number,
  outcomes: object<Record<StatsOutcome, number>>({
    ...{ approved: number, declined: number, refused: number, not_paid: number },
    ...{ in_flight: number, redirected: number, pending: number, unknown: number },
  }),
  approval_rate: optional(number),
  approved: sums,
  methods: list(
    object<StatsFigures['methods'][number]>({
      ...{ payment_method: text, payments: number, approved: number, declined: number },
      approval_rate: optional(number),
    }),
  ),
  decline_codes: list(object<StatsFigures['decline_codes'][number]>({ code: text, count: number })),
  refunds: sums,
  latency: optional(
    object<NonNullable<StatsFigures['latency']>>({ answers: number, p50_ms: number, p95_ms: number, p99_ms: number }),
  ),
};

export const isStats: Guard<Stats> = object<Stats>({
  by: oneOf({ hour: true, day: true }),
  from: text,
  to: text,
  time_zone: exactly('UTC'),
  currency: optional(text),
  computed_at: text,
  total: object<StatsFigures>(figures),
  periods: list(object<PeriodFigures>({ ...figures, start: text })),
});

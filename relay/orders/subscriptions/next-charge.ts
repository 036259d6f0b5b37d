import { type Period, periodOf, type Unit } from '../../../shared/checkout/money/period.ts';
import type { Order } from '../../../shared/checkout/session.ts';
import { type CalendarDate, type DateForm, formatDate, parseDate } from '../../../shared/gateway/dates.ts';
import { localTime } from '../../gateway/time-zone.ts';

/** The values that determine a contract's next charge. `last` is the time of its last charge; times are ISO 8601. */
export type Rhythm = {
  terms: NonNullable<Order['subscription']>;
  first: { at: string; amount: string };
  last?: string | undefined;
  /** The gateway's `recurring_deduction_time`. */
  announced?: string | undefined;
};

/** The expected day and amount of a charge, and the source of the expectation. */
type NextCharge = { date: string; amount: string; by: 'gateway' | 'terms' };

const DAY_MS = 86_400_000;
const forms: readonly DateForm[] = ['YYYY-MM-DD', 'YYYY-MM-DD HH:MM:SS', 'YYYYMMDDHHMMSS', 'DD-MM-YYYY'];

/**
 * The date of a contract's next charge: the gateway's own date if it is in the future, otherwise computed from the
 * terms. The spec does not explain the terms; they are read as follows. A charge is due at the end of each period.
 * Periods begin at `contract_start`, or with the first payment if that is later. `billing_cycle` counts all charges
 * with the first payment, and 0 is no limit. The first `promotion_cycle` charges have the amount of the first payment.
 * No charge comes after the day of `contract_end`. Undefined if the terms do not give a date, or no charge is left.
 * Days are in the gateway's time zone.
 */
export function nextCharge(
  { terms, first, last, announced }: Rhythm,
  now: Date,
  timeZone: string,
): NextCharge | undefined {
  const dayIn = (time: string): number => dayOf(localTime(new Date(time), timeZone));
  const [begun, today] = [dayIn(first.at), dayIn(now.toISOString())];
  const charged = Math.max(begun, last === undefined ? begun : dayIn(last));
  const over = dayNamed(terms.contract_end) ?? Number.POSITIVE_INFINITY;
  const start = Math.max(begun, dayNamed(terms.contract_start) ?? begun);
  const due = dueAfter(start, periodIn(terms), Math.max(charged, today - 1));
  const amount = due && due.number <= (terms.promotion_cycle ?? 0) ? first.amount : terms.contract_amount;
  const expected = (day: number, by: NextCharge['by']): NextCharge | undefined =>
    day > over ? undefined : { date: dateOf(day), amount: amount ?? first.amount, by };
  const { billing_cycle = 0 } = terms;
  if (billing_cycle > 0 && due && due.number > billing_cycle) return undefined;
  const announcedDay = dayNamed(announced);
  if (announcedDay !== undefined && announcedDay > charged && announcedDay >= today)
    return expected(announcedDay, 'gateway');
  return due && expected(due.day, 'terms');
}

/** Whether the day of `contract_end` is over. */
export function isPast(contractEnd: string | undefined, now: Date, timeZone: string): boolean {
  const end = dayNamed(contractEnd);
  return end !== undefined && end < dayOf(localTime(now, timeZone));
}

function periodIn({ interval, interval_count }: Rhythm['terms']): Extract<Period, { unit: Unit }> | undefined {
  const period = interval?.trim() ? periodOf(interval, interval_count) : undefined;
  return period && 'unit' in period ? period : undefined;
}

/** The first end of a period after a day, and the number of its charge; the first payment is number 1. */
function dueAfter(
  start: number,
  period: ReturnType<typeof periodIn>,
  after: number,
): { day: number; number: number } | undefined {
  if (!period) return undefined;
  const longest = { day: 1, week: 7, month: 31, year: 366 }[period.unit] * period.count;
  let periods = Math.max(1, Math.floor((after - start) / longest));
  while (endOf(start, period, periods) <= after) periods++;
  return { day: endOf(start, period, periods), number: periods + 1 };
}

/** The day after this number of periods. The 31st becomes the last day of a shorter month. */
function endOf(start: number, { unit, count }: { unit: Unit; count: number }, periods: number): number {
  const times = periods * count;
  if (unit === 'day' || unit === 'week') return start + times * (unit === 'week' ? 7 : 1);
  const from = new Date(start * DAY_MS);
  const month = from.getUTCMonth() + times * (unit === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), lastDay)) / DAY_MS;
}

/** The day in a text of one of the spec's forms, in days since 1970. */
function dayNamed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const day = /^\d{4}-\d\d-\d\d(?=T)/.exec(text)?.[0] ?? text;
  const date = forms.map((form) => parseDate(form, day)).find((found) => found !== undefined);
  return date && dayOf(date);
}

function dayOf({ year, month, day }: CalendarDate): number {
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

function dateOf(day: number): string {
  return formatDate('YYYY-MM-DD', localTime(new Date(day * DAY_MS), 'UTC'));
}

import { periodOf, periodWords } from '../../shared/checkout/money/period.ts';
import type { SubscriptionAnswer } from '../api/read.ts';
import type { Words } from '../locales/en.ts';
import { isolated, money } from '../parts/text.tsx';

/** What a contract charges and how often, such as `R$49.90 per month`; undefined where neither is known. */
export function termsText(
  { subscriptions: names }: Words,
  locale: string,
  { terms, currency, first_charge, recurring_deduction_period: told }: SubscriptionAnswer,
): string | undefined {
  const amount = terms?.contract_amount ?? first_charge.amount;
  const interval = terms?.interval ?? told;
  const shown = amount === undefined ? undefined : money(locale, currency, amount);
  if (!interval?.trim()) return shown;
  const period = periodOf(interval, terms?.interval_count);
  const rhythm =
    'words' in period
      ? isolated(period.words)
      : period.count === 1
        ? names.per[period.unit]
        : names.every(periodWords(locale, period));
  return [shown, rhythm].filter((part) => part !== undefined).join(' ');
}

/** A day as `2027-05-31`, as the person's locale writes it. */
export function dayText(locale: string, day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return isolated(day);
  const isThisYear = date.getUTCFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat(locale, {
    ...{ day: 'numeric', month: 'short', timeZone: 'UTC' },
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(date);
}

/** A contract as people call it: its name, and its id. */
export function contractText({ contract_name, recurring_id }: SubscriptionAnswer): string {
  return contract_name ? `${isolated(contract_name)} (${isolated(recurring_id)})` : isolated(recurring_id);
}

import { sayCount } from '../../locales/count.ts';
import type { CheckoutModel } from '../model.ts';

const UNITS: Readonly<Record<string, string>> = {
  d: 'day',
  day: 'day',
  days: 'day',
  daily: 'day',
  w: 'week',
  week: 'week',
  weeks: 'week',
  weekly: 'week',
  m: 'month',
  month: 'month',
  months: 'month',
  monthly: 'month',
  y: 'year',
  year: 'year',
  years: 'year',
  yearly: 'year',
  annual: 'year',
  annually: 'year',
};

/** The subscription's terms in plain words, next to the button that agrees to them: cards alone begin one (§2.3 has no field for it). */
export function Terms({ checkout }: { checkout: CheckoutModel }) {
  const { say, boot, state } = checkout;
  const { locale } = boot;
  const terms = state.view.subscription;
  if (!terms || state.method !== 'card') return null;
  const { contract_name, interval, interval_count, billing_cycle, promotion_cycle, contract_start, contract_end } =
    terms;
  const amount = checkout.money(terms.contract_amount ?? state.view.amount);
  const lines = [
    interval
      ? say('terms_every', { amount, period: periodOf(locale, interval, interval_count || '1') })
      : say('terms_amount', { amount }),
    billing_cycle !== undefined && billing_cycle > 0 && sayCount(say, boot, 'terms_cycles', billing_cycle),
    promotion_cycle !== undefined && promotion_cycle > 0 && sayCount(say, boot, 'terms_promotion', promotion_cycle),
    contract_start && say('terms_start', { date: dateOf(locale, contract_start) }),
    contract_end && say('terms_end', { date: dateOf(locale, contract_end) }),
  ].filter((line) => typeof line === 'string' && line);
  return (
    <section class="terms">
      <h2>{contract_name ? `${say('terms')}: ${contract_name}` : say('terms')}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

/** A period in words, such as `3 months`, or `month` for one. The spec does not list intervals (§2.10): one that we do not know is shown as it is. */
export function periodOf(locale: string, interval: string, count: string): string {
  const unit = UNITS[interval.trim().toLowerCase()];
  if (!unit || !/^\d{1,4}$/.test(count)) return `${count} ${interval}`;
  const words = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  const parts = words.formatToParts(Number(count));
  return (count === '1' ? parts.filter((part) => part.type === 'unit') : parts).map((part) => part.value).join('');
}

/** A date in the shopper's locale, if it has the form YYYY-MM-DD; otherwise as it is. */
export function dateOf(locale: string, text: string): string {
  const date = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(`${text.slice(0, 10)}T00:00:00Z`) : undefined;
  if (!date || Number.isNaN(date.getTime())) return text;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

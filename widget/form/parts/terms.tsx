import { periodOf, periodWords, type Unit } from '../../../shared/checkout/money/period.ts';
import { translateCount } from '../../locales/count.ts';
import type { MessageKey } from '../../locales/messages.ts';
import { named } from '../../locales/together.ts';
import type { CheckoutModel } from '../model.ts';

const EVERY: Readonly<Record<Unit, MessageKey>> = {
  day: 'terms_daily',
  week: 'terms_weekly',
  month: 'terms_monthly',
  year: 'terms_yearly',
};

/**
 * The subscription's terms in plain words, next to the button that accepts them: the amount today, and the later
 * amounts, how often and for how long. Only cards begin one (§2.3 has no field for it).
 */
export function Terms({ checkout }: { checkout: CheckoutModel }) {
  const { t, boot, state } = checkout;
  const { subscription } = state.view;
  if (!subscription) return null;
  const { contract_name } = subscription;
  return (
    <section class="terms">
      <h2>{contract_name ? named(boot.lang, t('terms'), contract_name) : t('terms')}</h2>
      <ul>
        {linesOf(checkout, subscription).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

type Subscription = NonNullable<CheckoutModel['state']['view']['subscription']>;

function linesOf(checkout: CheckoutModel, terms: Subscription): string[] {
  const { t, boot } = checkout;
  const { billing_cycle = 0, promotion_cycle = 0, contract_start, contract_end } = terms;
  const lines = [
    t('terms_today', { amount: checkout.money() }),
    chargeOf(checkout, terms),
    promotion_cycle > 0 && translateCount(t, boot, 'terms_promotion', promotion_cycle),
    billing_cycle > 0 && translateCount(t, boot, 'terms_cycles', billing_cycle),
    contract_start && t('terms_start', { date: dateOf(boot.locale, contract_start) }),
    contract_end && t('terms_end', { date: dateOf(boot.locale, contract_end) }),
    !contract_end && billing_cycle <= 0 && t('terms_endless'),
  ];
  return lines.flatMap((line) => (line ? [line] : []));
}

/** The amount and the period of the charges; undefined for a trial if the shop does not state what follows it. */
function chargeOf(checkout: CheckoutModel, terms: Subscription): string | undefined {
  const { t, boot, state } = checkout;
  if (terms.contract_amount === undefined && !Number(state.view.amount)) return undefined;
  const amount = checkout.money(terms.contract_amount);
  if (!terms.interval?.trim()) return t('terms_amount', { amount });
  const period = periodOf(terms.interval, terms.interval_count);
  if ('words' in period) return t('terms_every', { amount, period: period.words });
  if (period.count === 1) return t(EVERY[period.unit], { amount });
  return t('terms_every', { amount, period: periodWords(boot.locale, period) });
}

/** A date in the shopper's locale, if it begins as YYYY-MM-DD or is DD-MM-YYYY or YYYYMMDD…; otherwise unchanged. */
export function dateOf(locale: string, text: string): string {
  const [, year, month, day] =
    /^(\d{4})-(\d\d)-(\d\d)(?!\d)/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)(?:\d{6})?$/.exec(text) ?? [];
  const [, last, middle, first] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(text) ?? [];
  const iso = `${year ?? first}-${month ?? middle}-${day ?? last}`;
  const date = new Date(`${iso}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(iso)) return text;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

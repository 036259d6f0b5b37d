import { remembered } from '../../shared/checkout/remembered.ts';
import { money } from '../parts/text.tsx';

const numbers = remembered((asked: string) => {
  const [locale = 'en', kind = '', currency] = asked.split(' ');
  switch (kind) {
    case 'share':
      return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
    case 'growth':
      return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });
    case 'points':
      return new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
    case 'short':
      return new Intl.NumberFormat(locale, { ...moneyIn(currency), notation: 'compact', maximumFractionDigits: 1 });
    case 'ms':
      return new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 });
    case 's':
      return new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', maximumFractionDigits: 1 });
    default:
      return new Intl.NumberFormat(locale);
  }
});

const times = remembered((asked: string) => {
  const [locale = 'en', kind] = asked.split(' ');
  const day = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } as const;
  if (kind === 'hour') return new Intl.DateTimeFormat(locale, clock);
  if (kind === 'day') return new Intl.DateTimeFormat(locale, day);
  return new Intl.DateTimeFormat(locale, { weekday: 'short', ...day, ...(kind === 'fullhour' ? clock : {}) });
});

/** How a locale writes the figures. */
export function formatsOf(locale: string) {
  const number = (kind: string) => (value: number) => numbers(`${locale} ${kind}`).format(value);
  const [ms, seconds] = [number('ms'), number('s')];
  return {
    count: number('count'),
    share: number('share'),
    growth: number('growth'),
    points: (share: number) => number('points')(share * 100),
    duration: (value: number) => (value < 1000 ? ms(value) : seconds(value / 1000)),
    money: (currency: string) => (amount: number | string) => money(locale, currency, String(amount)),
    shortMoney: (currency: string) => number(`short ${currency}`),
    /** A period of UTC, as it stands below a chart, and in full. */
    period: (start: string, by: 'hour' | 'day') => times(`${locale} ${by}`).format(new Date(start)),
    fullPeriod: (start: string, by: 'hour' | 'day') => times(`${locale} full${by}`).format(new Date(start)),
  };
}

/** A code that no currency has is a number alone. */
function moneyIn(currency: string | undefined): Intl.NumberFormatOptions {
  return /^[A-Z]{3}$/.test(currency ?? '') ? { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } : {};
}

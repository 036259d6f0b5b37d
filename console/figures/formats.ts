import { remembered } from '../../shared/checkout/remembered.ts';
import { money } from '../parts/text.tsx';

/** How a locale writes the figures. */
export const formatsOf = remembered((locale: string) => {
  const number = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(locale, options);
    return (value: number) => format.format(value);
  };
  const time = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return (start: string) => format.format(new Date(start));
  };
  const day = { day: 'numeric', month: 'short' } as const;
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const ms = number({ style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 });
  const seconds = number({ style: 'unit', unit: 'second', maximumFractionDigits: 1 });
  const points = number({ maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  return {
    count: number({}),
    share: number({ style: 'percent', maximumFractionDigits: 1 }),
    growth: number({ style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' }),
    points: (share: number) => points(share * 100),
    duration: (value: number) => (value < 1000 ? ms(value) : seconds(value / 1000)),
    money: (currency: string) => (amount: number | string) => money(locale, currency, String(amount)),
    shortMoney: remembered((currency: string) =>
      number({ ...moneyIn(currency), notation: 'compact', maximumFractionDigits: 1 }),
    ),
    /** A UTC period: the label below a chart, and the full name. */
    period: { hour: time(clock), day: time(day) },
    fullPeriod: { hour: time({ weekday: 'short', ...day, ...clock }), day: time({ weekday: 'short', ...day }) },
  };
});

/** A code that cannot be a currency is formatted as a plain number. */
function moneyIn(currency: string): Intl.NumberFormatOptions {
  return /^[A-Z]{3}$/.test(currency) ? { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } : {};
}

import type { Counted, Say } from './messages.ts';

/** Says how many there are: by the plural rules of the texts' language `lang`, in the digits of the shopper's `locale`. */
export function sayCount(
  say: Say,
  { lang, locale }: { lang: string; locale: string },
  counted: Counted,
  count: number,
): string {
  const form = new Intl.PluralRules(lang).select(count);
  return say(`${counted}_${form}`, { count: new Intl.NumberFormat(locale).format(count) });
}

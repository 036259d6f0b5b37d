import type { Counted, Translate } from './messages.ts';

/** The text with a number, by the plural rules of the texts' language, in the digits of the shopper's `locale`. */
export function translateCount(
  t: Translate,
  { lang, locale }: { lang: string; locale: string },
  counted: Counted,
  count: number,
): string {
  const form = new Intl.PluralRules(lang).select(count);
  return t(`${counted}_${form}`, { count: new Intl.NumberFormat(locale).format(count) });
}

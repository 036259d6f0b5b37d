import type { Counted, Translate } from './messages.ts';

/** Words how many there are: by the plural rules of the texts' language `lang`, in the digits of the shopper's `locale`. */
export function translateCount(
  t: Translate,
  { lang, locale }: { lang: string; locale: string },
  counted: Counted,
  count: number,
): string {
  const form = new Intl.PluralRules(lang).select(count);
  return t(`${counted}_${form}`, { count: new Intl.NumberFormat(locale).format(count) });
}

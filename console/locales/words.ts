import type en from './en.json';

/** The texts of the console. All languages have the same ones. `{name}` is a placeholder. */
export type Words = typeof en;

/** The plural forms of a text; `other` is the default. */
type Forms = { other: string } & { [Form in Intl.LDMLPluralRule]?: string };

/** The values of a text's placeholders. */
type Values = Readonly<Record<string, string | number>>;

/** A text with its placeholders filled. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** The text for a count, with the number for `{count}`. CLDR has one Portuguese form for 0 and 1, but people write `0 pedidos`. */
export function counted(locale: string, forms: Forms, count: number, values?: Values): string {
  const form = count === 0 ? 'other' : new Intl.PluralRules(locale).select(count);
  const text = forms[form] ?? forms.other;
  return fill(text, { count: new Intl.NumberFormat(locale).format(count), ...values });
}

/** The language of the page, and the locale of its numbers and times. */
export type Language = { words: Words; locale: string };

/** Chooses the first of the person's languages that the console has, or English. */
export async function chooseLanguage(wanted: readonly string[]): Promise<Language> {
  for (const locale of wanted) {
    const [language] = locale.toLowerCase().split('-');
    if (language === 'en') return { words: await english(), locale };
    if (language === 'pt') return { words: await portuguese(), locale: 'pt-BR' };
  }
  return { words: await english(), locale: 'en' };
}

const english = (): Promise<Words> => import('./en.json', { with: { type: 'json' } }).then((file) => file.default);
const portuguese = (): Promise<Words> =>
  import('./pt-BR.json', { with: { type: 'json' } }).then((file) => file.default);

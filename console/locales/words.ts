import type en from './en.json';

/** The words of the console. English has them all, and every other language has the same ones. `{name}` is a placeholder. */
export type Words = typeof en;

/** The texts for different numbers of things; `other` stands for the forms that a language does not need. */
type Forms = { other: string } & { [Form in Intl.LDMLPluralRule]?: string };

/** What fills a text's placeholders. */
type Values = Readonly<Record<string, string | number>>;

/** A text with its placeholders filled. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** The text for so many things, with their number in place of `{count}`. */
export function counted(locale: string, forms: Forms, count: number, values?: Values): string {
  const text = forms[new Intl.PluralRules(locale).select(count)] ?? forms.other;
  return fill(text, { count: new Intl.NumberFormat(locale).format(count), ...values });
}

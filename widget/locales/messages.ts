import type en from './en.json';

/**
 * The English texts, whose keys are the keys of every language: `form` for every form, `fields` for fields that only
 * some forms ask, `hosted` for the relay's own pages around the form. `{name}` is a placeholder. A key that ends in
 * `_one` or `_other` is a plural form: each language has those of `Intl.PluralRules`. docs/locales.md has the rules of
 * style, under “Style of messages”.
 */
type English = typeof en;
type Key = keyof English['form'] | keyof English['fields'] | keyof English['hosted'];

/** The keys of texts with a number. Each has a text for every plural form of a language. */
export type Counted = Key extends infer K ? (K extends `${infer Base}_other` ? Base : never) : never;
type Form = `${Counted}_${Intl.LDMLPluralRule}`;

export type MessageKey = Key | Form;

/** The texts of a section: `_other` for every number, and the further plural forms that the language has. */
type Texts<Model> = Record<Exclude<keyof Model, `${string}_one`>, string> & {
  [Name in Extract<
    Form,
    keyof Model extends infer K ? (K extends `${infer Base}_other` ? `${Base}_${string}` : never) : never
  >]?: string;
};

/** The texts that every form may show. */
export type FormTexts = Texts<English['form']>;

/** The texts of fields that only some forms ask. */
export type FieldTexts = Texts<English['fields']>;

/** The texts around the form on a page of its own. */
export type HostedTexts = Texts<English['hosted']>;

/** All texts of one language. */
export type LocaleTexts = { form: FormTexts; fields: FieldTexts; hosted: HostedTexts };

/** The texts of a language that differ from those of the language whose variant it is. */
export type TextsOfVariant = { [Section in keyof LocaleTexts]: Partial<LocaleTexts[Section]> };

/** The values of a text's placeholders. */
export type Values = Record<string, string>;

/** A text in the shopper's language, with its placeholders filled. */
export type Translate = (key: MessageKey, values?: Values) => string;

type Dictionary = Readonly<Record<string, string>>;

/** Translates by one language’s texts. A text that is missing shows its key, so that nothing is silently empty. */
export function translator(messages: Dictionary): Translate {
  return (key, values = {}) => (messages[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

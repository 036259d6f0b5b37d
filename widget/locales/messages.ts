import type { en } from './en.ts';
import type { fieldsEn } from './fields/en.ts';
import type { hostedEn } from './hosted/en.ts';

type Key = keyof typeof en | keyof typeof fieldsEn | keyof typeof hostedEn;

/** What is counted in words: each of these has a text for every plural form of a language. */
export type Counted = Key extends infer K ? (K extends `${infer Base}_other` ? Base : never) : never;
type Form = `${Counted}_${Intl.LDMLPluralRule}`;

export type MessageKey = Key | Form;

/** All texts of one language: `_other` for every number, and the further plural forms that the language has. */
type Texts<English> = Record<Exclude<keyof English, `${string}_one`>, string> & {
  [Name in Extract<
    Form,
    keyof English extends infer K ? (K extends `${infer Base}_other` ? `${Base}_${string}` : never) : never
  >]?: string;
};

/** The texts that every form may show. */
export type FormTexts = Texts<typeof en>;

/** The texts of what only some forms ask. */
export type FieldTexts = Texts<typeof fieldsEn>;

/** The texts around the form on a page of its own. */
export type HostedTexts = Texts<typeof hostedEn>;

/** What fills a text's placeholders. */
export type Values = Record<string, string>;

/** A text in the shopper's language, with its placeholders filled. */
export type Translate = (key: MessageKey, values?: Values) => string;

type Dictionary = Readonly<Record<string, string>>;

/** Translates by one language’s texts. A text that is missing shows its key, so that nothing is silently empty. */
export function translator(messages: Dictionary): Translate {
  return (key, values = {}) => (messages[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

import { en } from './en.ts';
import { es419 } from './es-419.ts';
import { fieldsEn } from './fields/en.ts';
import { fieldsEs419 } from './fields/es-419.ts';
import { fieldsPtBR } from './fields/pt-BR.ts';
import type { FieldTexts, FormTexts } from './messages.ts';
import { negotiate } from './negotiate.ts';
import { ptBR } from './pt-BR.ts';

/** All languages, the fallback first, each with the texts of every form and those of forms that ask more. */
export const languages = {
  en: [en, fieldsEn],
  'pt-BR': [ptBR, fieldsPtBR],
  'es-419': [es419, fieldsEs419],
} as const satisfies Record<string, readonly [FormTexts, FieldTexts]>;

const RIGHT_TO_LEFT = ['ar', 'he'];

/** A language, its direction, and its texts. */
export type Language = {
  lang: string;
  dir: 'ltr' | 'rtl';
  form: FormTexts;
  fields: FieldTexts;
};

/** The best language for the shopper's wishes, best first, with its texts. Never part of the browser's bundle. */
export function findLanguage(wishes: readonly string[]): Language {
  const lang = negotiate(wishes, ['en', 'pt-BR', 'es-419']);
  const [form, fields] = languages[lang];
  return { lang, dir: RIGHT_TO_LEFT.includes(lang) ? 'rtl' : 'ltr', form, fields };
}

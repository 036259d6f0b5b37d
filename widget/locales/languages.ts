import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es419 } from './es-419.ts';
import { esES } from './es-ES.ts';
import { fieldsAr } from './fields/ar.ts';
import { fieldsDe } from './fields/de.ts';
import { fieldsEn } from './fields/en.ts';
import { fieldsEs419 } from './fields/es-419.ts';
import { fieldsEsES } from './fields/es-ES.ts';
import { fieldsFr } from './fields/fr.ts';
import { fieldsHe } from './fields/he.ts';
import { fieldsHi } from './fields/hi.ts';
import { fieldsId } from './fields/id.ts';
import { fieldsIt } from './fields/it.ts';
import { fieldsJa } from './fields/ja.ts';
import { fieldsKo } from './fields/ko.ts';
import { fieldsNl } from './fields/nl.ts';
import { fieldsPl } from './fields/pl.ts';
import { fieldsPtBR } from './fields/pt-BR.ts';
import { fieldsPtPT } from './fields/pt-PT.ts';
import { fieldsRu } from './fields/ru.ts';
import { fieldsTh } from './fields/th.ts';
import { fieldsTr } from './fields/tr.ts';
import { fieldsUk } from './fields/uk.ts';
import { fieldsVi } from './fields/vi.ts';
import { fieldsZhCN } from './fields/zh-CN.ts';
import { fieldsZhTW } from './fields/zh-TW.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { hi } from './hi.ts';
import { id } from './id.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import type { FieldTexts, FormTexts } from './messages.ts';
import { negotiator } from './negotiate.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { ptBR } from './pt-BR.ts';
import { ptPT } from './pt-PT.ts';
import { ru } from './ru.ts';
import { th } from './th.ts';
import { tr } from './tr.ts';
import { uk } from './uk.ts';
import { vi } from './vi.ts';
import { zhCN } from './zh-CN.ts';
import { zhTW } from './zh-TW.ts';

/**
 * All languages, each with the texts of every form and those of forms that ask more: the fallback first, and of a language’s
 * kinds the likeliest first.
 */
export const languages: Readonly<Record<string, readonly [FormTexts, FieldTexts]>> = {
  en: [en, fieldsEn],
  'pt-BR': [ptBR, fieldsPtBR],
  'pt-PT': [ptPT, fieldsPtPT],
  'es-ES': [esES, fieldsEsES],
  'es-419': [es419, fieldsEs419],
  fr: [fr, fieldsFr],
  de: [de, fieldsDe],
  it: [it, fieldsIt],
  nl: [nl, fieldsNl],
  pl: [pl, fieldsPl],
  tr: [tr, fieldsTr],
  ru: [ru, fieldsRu],
  uk: [uk, fieldsUk],
  ar: [ar, fieldsAr],
  he: [he, fieldsHe],
  hi: [hi, fieldsHi],
  id: [id, fieldsId],
  vi: [vi, fieldsVi],
  th: [th, fieldsTh],
  'zh-CN': [zhCN, fieldsZhCN],
  'zh-TW': [zhTW, fieldsZhTW],
  ja: [ja, fieldsJa],
  ko: [ko, fieldsKo],
};

const RIGHT_TO_LEFT = ['ar', 'he'];

/** A language, its direction, its texts, and the locale of its numbers and dates. */
export type Language = {
  lang: string;
  dir: 'ltr' | 'rtl';
  locale: string;
  form: FormTexts;
  fields: FieldTexts;
};

const negotiate = negotiator(Object.keys(languages));
const byTag = new Map(
  Object.entries(languages).map(([lang, [form, fields]]) => [
    lang,
    RIGHT_TO_LEFT.includes(lang)
      ? ({ lang, dir: 'rtl', form: isolated(form), fields: isolated(fields) } as const)
      : ({ lang, dir: 'ltr', form, fields } as const),
  ]),
);

/** The best language for the shopper's wishes, best first, with its texts. Never part of the browser's bundle. */
export function findLanguage(wishes: readonly string[]): Language {
  const { lang, locale } = negotiate(wishes);
  return { ...(byTag.get(lang) ?? { lang, dir: 'ltr', form: en, fields: fieldsEn }), locale };
}

/**
 * Texts whose placeholders stand between the marks of an isolate (U+2068, U+2069): a shop's name or an amount in them is written
 * in its own direction, and moves nothing beside it.
 */
function isolated<Texts extends FormTexts | FieldTexts>(texts: Texts): Texts {
  const marked = Object.entries(texts).map(([key, text]) => [key, text.replaceAll(/\{\w+\}/g, '\u2068$&\u2069')]);
  return { ...texts, ...Object.fromEntries(marked) };
}

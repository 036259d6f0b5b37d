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
import { hostedAr } from './hosted/ar.ts';
import { hostedDe } from './hosted/de.ts';
import { hostedEn } from './hosted/en.ts';
import { hostedEs419 } from './hosted/es-419.ts';
import { hostedEsES } from './hosted/es-ES.ts';
import { hostedFr } from './hosted/fr.ts';
import { hostedHe } from './hosted/he.ts';
import { hostedHi } from './hosted/hi.ts';
import { hostedId } from './hosted/id.ts';
import { hostedIt } from './hosted/it.ts';
import { hostedJa } from './hosted/ja.ts';
import { hostedKo } from './hosted/ko.ts';
import { hostedNl } from './hosted/nl.ts';
import { hostedPl } from './hosted/pl.ts';
import { hostedPtBR } from './hosted/pt-BR.ts';
import { hostedPtPT } from './hosted/pt-PT.ts';
import { hostedRu } from './hosted/ru.ts';
import { hostedTh } from './hosted/th.ts';
import { hostedTr } from './hosted/tr.ts';
import { hostedUk } from './hosted/uk.ts';
import { hostedVi } from './hosted/vi.ts';
import { hostedZhCN } from './hosted/zh-CN.ts';
import { hostedZhTW } from './hosted/zh-TW.ts';
import { id } from './id.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import type { FieldTexts, FormTexts, HostedTexts } from './messages.ts';
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
 * All languages, each with the texts of every form, those of forms that ask more, and those around a form on a page of its own:
 * the fallback first, and of a language’s kinds the likeliest first.
 */
export const languages: Readonly<Record<string, readonly [FormTexts, FieldTexts, HostedTexts]>> = {
  en: [en, fieldsEn, hostedEn],
  'pt-BR': [ptBR, fieldsPtBR, hostedPtBR],
  'pt-PT': [ptPT, fieldsPtPT, hostedPtPT],
  'es-ES': [esES, fieldsEsES, hostedEsES],
  'es-419': [es419, fieldsEs419, hostedEs419],
  fr: [fr, fieldsFr, hostedFr],
  de: [de, fieldsDe, hostedDe],
  it: [it, fieldsIt, hostedIt],
  nl: [nl, fieldsNl, hostedNl],
  pl: [pl, fieldsPl, hostedPl],
  tr: [tr, fieldsTr, hostedTr],
  ru: [ru, fieldsRu, hostedRu],
  uk: [uk, fieldsUk, hostedUk],
  ar: [ar, fieldsAr, hostedAr],
  he: [he, fieldsHe, hostedHe],
  hi: [hi, fieldsHi, hostedHi],
  id: [id, fieldsId, hostedId],
  vi: [vi, fieldsVi, hostedVi],
  th: [th, fieldsTh, hostedTh],
  'zh-CN': [zhCN, fieldsZhCN, hostedZhCN],
  'zh-TW': [zhTW, fieldsZhTW, hostedZhTW],
  ja: [ja, fieldsJa, hostedJa],
  ko: [ko, fieldsKo, hostedKo],
};

const RIGHT_TO_LEFT = ['ar', 'he'];

/** A language, its direction, its texts, and the locale of its numbers and dates. */
export type Language = {
  lang: string;
  dir: 'ltr' | 'rtl';
  locale: string;
  form: FormTexts;
  fields: FieldTexts;
  hosted: HostedTexts;
};

const negotiate = negotiator(Object.keys(languages));
const byTag = new Map(
  Object.entries(languages).map(([lang, [form, fields, hosted]]) => [
    lang,
    RIGHT_TO_LEFT.includes(lang)
      ? ({ lang, dir: 'rtl', form: isolated(form), fields: isolated(fields), hosted: isolated(hosted) } as const)
      : ({ lang, dir: 'ltr', form, fields, hosted } as const),
  ]),
);

/** The best language for the shopper's wishes, best first, with its texts. Never part of the browser's bundle. */
export function findLanguage(wishes: readonly string[]): Language {
  const { lang, locale } = negotiate(wishes);
  return { ...(byTag.get(lang) ?? { lang, dir: 'ltr', form: en, fields: fieldsEn, hosted: hostedEn }), locale };
}

/**
 * Texts whose placeholders stand between the marks of an isolate (U+2068, U+2069): a shop's name or an amount in them is written
 * in its own direction, and moves nothing beside it.
 */
function isolated<Texts extends FormTexts | FieldTexts | HostedTexts>(texts: Texts): Texts {
  const marked = Object.entries(texts).map(([key, text]) => [key, text.replaceAll(/\{\w+\}/g, '\u2068$&\u2069')]);
  return { ...texts, ...Object.fromEntries(marked) };
}

import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es419 } from './es-419.ts';
import { esES } from './es-ES.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { hi } from './hi.ts';
import { id } from './id.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import type { FieldTexts, FormTexts, HostedTexts, LocaleTexts } from './messages.ts';
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

/** All languages: the fallback first, and of a language’s kinds the likeliest first. */
export const languages: Readonly<Record<string, LocaleTexts>> = {
  en,
  'pt-BR': ptBR,
  'pt-PT': ptPT,
  'es-ES': esES,
  'es-419': es419,
  fr,
  de,
  it,
  nl,
  pl,
  tr,
  ru,
  uk,
  ar,
  he,
  hi,
  id,
  vi,
  th,
  'zh-CN': zhCN,
  'zh-TW': zhTW,
  ja,
  ko,
};

const RIGHT_TO_LEFT = ['ar', 'he'];

/** A language, its direction, its texts, and the locale of its numbers and dates. */
export type Language = LocaleTexts & { lang: string; dir: 'ltr' | 'rtl'; locale: string };

const negotiate = negotiator(Object.keys(languages));
const byTag = new Map(
  Object.entries(languages).map(([lang, { form, fields, hosted }]) => [
    lang,
    RIGHT_TO_LEFT.includes(lang)
      ? ({ lang, dir: 'rtl', form: isolated(form), fields: isolated(fields), hosted: isolated(hosted) } as const)
      : ({ lang, dir: 'ltr', form, fields, hosted } as const),
  ]),
);

/** The best language for the shopper's wishes, best first, with its texts. Never part of the browser's bundle. */
export function findLanguage(wishes: readonly string[]): Language {
  const { lang, locale } = negotiate(wishes);
  return { ...(byTag.get(lang) ?? { lang, dir: 'ltr', ...en }), locale };
}

/**
 * Texts whose placeholders stand between the marks of an isolate (U+2068, U+2069): a shop's name or an amount in them is written
 * in its own direction, and moves nothing beside it.
 */
function isolated<Texts extends FormTexts | FieldTexts | HostedTexts>(texts: Texts): Texts {
  const marked = Object.entries(texts).map(([key, text]) => [key, text.replaceAll(/\{\w+\}/g, '\u2068$&\u2069')]);
  return { ...texts, ...Object.fromEntries(marked) };
}

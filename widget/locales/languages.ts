import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es419 from './es-419.json' with { type: 'json' };
import esES from './es-ES.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import he from './he.json' with { type: 'json' };
import hi from './hi.json' with { type: 'json' };
import id from './id.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import ko from './ko.json' with { type: 'json' };
import type { FieldTexts, FormTexts, HostedTexts, LocaleTexts, TextsOfVariant } from './messages.ts';
import nl from './nl.json' with { type: 'json' };
import pl from './pl.json' with { type: 'json' };
import ptBR from './pt-BR.json' with { type: 'json' };
import ptPT from './pt-PT.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import th from './th.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };
import uk from './uk.json' with { type: 'json' };
import vi from './vi.json' with { type: 'json' };
import zhCN from './zh-CN.json' with { type: 'json' };
import zhTW from './zh-TW.json' with { type: 'json' };

/**
 * The regions of each second variant of a language, as CLDR has them. All other regions get the variant that comes first in
 * `available`.
 */
const REGIONS: Readonly<Record<string, string>> = {
  'pt-PT': 'AO CH CV FR GQ GW LU MO MZ PT ST TL',
  'es-419': '419 AR BO BR BZ CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE',
};

/** The available language for a shopper, and the wish that led to it; if none did, `locale` is `lang`. */
type Found = { lang: string; locale: string };

/**
 * Makes a function that chooses a language: that of the first wish whose language is available in its script, in the variant of
 * the wish’s region. Numbers and dates follow the same wish (such as `de-CH`), so that they are in the language of the texts.
 * `available` has canonical tags: the fallback first, and the likeliest variant of a language before the other.
 */
export function negotiator(available: readonly string[]): (wishes: readonly string[]) => Found {
  const [fallback = 'en'] = available;
  // Grouped once: maximizing a locale costs more than the rest of a page.
  const variantsOf = Map.groupBy(available, (tag) => spokenIn(tag).language);
  return (wishes) => {
    for (const locale of wellFormed(wishes)) {
      const { language, region } = spokenIn(locale);
      const variants = variantsOf.get(language) ?? [];
      const lang = variants.find((tag) => REGIONS[tag]?.split(' ').includes(region)) ?? variants[0];
      if (lang) return { lang, locale };
    }
    return { lang: fallback, locale: fallback };
  };
}

/** A locale's language with its script, such as `zh-Hant`, and its region: the likely ones if the tag has none. */
function spokenIn(locale: string): { language: string; region: string } {
  const { language, script, region = '' } = new Intl.Locale(locale).maximize();
  return { language: `${language}-${script}`, region };
}

/** The well-formed wishes in canonical form, in the same order. Old codes of languages become new ones: `iw` is `he`. */
function wellFormed(wishes: readonly string[]): string[] {
  return wishes.flatMap((wish) => {
    try {
      return Intl.getCanonicalLocales(wish);
    } catch {
      return [];
    }
  });
}

/** All languages: the fallback first, and the likeliest variant of a language before the other. */
export const languages: Readonly<Record<string, LocaleTexts>> = {
  en,
  'pt-BR': ptBR,
  'pt-PT': variantOf(ptBR, ptPT),
  'es-ES': esES,
  'es-419': variantOf(esES, es419),
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

/** The texts of a variant: those of the other variant, except the ones in its own file. */
function variantOf(other: LocaleTexts, own: TextsOfVariant): LocaleTexts {
  return {
    form: { ...other.form, ...own.form },
    fields: { ...other.fields, ...own.fields },
    hosted: { ...other.hosted, ...own.hosted },
  };
}

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

/** The language for the shopper's wishes (best first), with its texts. Only for the server: the script has no texts. */
export function findLanguage(wishes: readonly string[]): Language {
  const { lang, locale } = negotiate(wishes);
  return { ...(byTag.get(lang) ?? { lang, dir: 'ltr', ...en }), locale: lang === 'ar' ? withDigits(locale) : locale };
}

/** An Arabic locale with this server's digits, because a browser may have others for the same locale. */
function withDigits(locale: string): string {
  const { numberingSystem } = new Intl.NumberFormat(locale).resolvedOptions();
  return `${new Intl.Locale(locale, { numberingSystem })}`;
}

/**
 * The texts with an isolate (U+2068, U+2069) around each placeholder, so that the direction of a value does not change the order
 * of the words beside it.
 */
function isolated<Texts extends FormTexts | FieldTexts | HostedTexts>(texts: Texts): Texts {
  const marked = Object.entries(texts).map(([key, text]) => [key, text.replaceAll(/\{\w+\}/g, '\u2068$&\u2069')]);
  return { ...texts, ...Object.fromEntries(marked) };
}

/**
 * Of a language that is spoken in two kinds, the regions of the kind that is not its likeliest one, as CLDR has them. Every
 * other region speaks the kind that comes first in `available`.
 */
const REGIONS: Readonly<Record<string, string>> = {
  'pt-PT': 'AO CH CV FR GQ GW LU MO MZ PT ST TL',
  'es-419': '419 AR BO BR BZ CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE',
};

/** What was found for a shopper: a language that is available, and the wish that it answers, `lang` itself where it answers none. */
export type Found = { lang: string; locale: string };

/**
 * Makes a finder of the language to speak: that of the first wish whose language is available in its script, in the kind of the
 * wish’s region. Numbers and dates follow that wish (`de-CH`): no other one, for they must not be in another language than the
 * texts. `available` holds canonical tags: the fallback first, and of a language’s kinds the likeliest first.
 */
export function negotiator(available: readonly string[]): (wishes: readonly string[]) => Found {
  const [fallback = 'en'] = available;
  // Looking a locale up costs more than all the rest of a page.
  const kindsOf = Map.groupBy(available, (tag) => spokenIn(tag).language);
  return (wishes) => {
    for (const locale of wellFormed(wishes)) {
      const { language, region } = spokenIn(locale);
      const kinds = kindsOf.get(language) ?? [];
      const lang = kinds.find((tag) => REGIONS[tag]?.split(' ').includes(region)) ?? kinds[0];
      if (lang) return { lang, locale };
    }
    return { lang: fallback, locale: fallback };
  };
}

/** A locale's language with its script, such as `zh-Hant`, and its region: likely ones where it names none. */
function spokenIn(locale: string): { language: string; region: string } {
  const { language, script, region = '' } = new Intl.Locale(locale).maximize();
  return { language: `${language}-${script}`, region };
}

/** The well-formed wishes in canonical form, best first. Languages’ old codes become their new ones: `iw` is `he`. */
function wellFormed(wishes: readonly string[]): string[] {
  return wishes.flatMap((wish) => {
    try {
      return Intl.getCanonicalLocales(wish);
    } catch {
      return [];
    }
  });
}

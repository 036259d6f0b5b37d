/** The separator of two parts of a sentence, in languages that do not use a comma and a space. */
const COMMAS: Readonly<Record<string, string>> = { ar: '، ', ja: '、', zh: '，' };
/** The colon after a kind, in languages that do not use a colon and a space. French has a narrow space before it. */
const COLONS: Readonly<Record<string, string>> = { fr: '\u202f: ', ja: '：', zh: '：' };

type Parts = readonly (string | false | undefined)[];

/** Joins the present parts of a sentence with the separator of the language `lang`. */
export function inOneSentence(lang: string, parts: Parts): string {
  return parts.filter(Boolean).join(COMMAS[languageOf(lang)] ?? ', ');
}

/** Joins the present sentences. After a full-width stop there is no space, because the character contains it. */
export function sentences(lang: string, parts: Parts): string {
  return parts.filter(Boolean).join(['ja', 'zh'].includes(languageOf(lang)) ? '' : ' ');
}

/** A kind and a name, such as “Bank: Itaú”. In right-to-left languages the name is isolated. */
export function named(lang: string, kind: string, name: string): string {
  return `${kind}${COLONS[languageOf(lang)] ?? ': '}${/^(ar|he)/.test(lang) ? `\u2068${name}\u2069` : name}`;
}

function languageOf(lang: string): string {
  return lang.slice(0, 2);
}

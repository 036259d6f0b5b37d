/** What stands between two parts of a sentence, if that is no comma and a space. */
const COMMAS: Readonly<Record<string, string>> = { ar: '، ', ja: '、', zh: '，' };
/** The same for a colon and a space: French sets it apart by a narrow space that does not break. */
const COLONS: Readonly<Record<string, string>> = { fr: '\u202f: ', ja: '：', zh: '：' };

type Parts = readonly (string | false | undefined)[];

/** Puts what there is of these parts of a sentence beside each other, as the language `lang` does. */
export function inOneSentence(lang: string, parts: Parts): string {
  return parts.filter(Boolean).join(COMMAS[languageOf(lang)] ?? ', ');
}

/** Puts what there is of these sentences one after the other: full-width stops have their space within. */
export function sentences(lang: string, parts: Parts): string {
  return parts.filter(Boolean).join(['ja', 'zh'].includes(languageOf(lang)) ? '' : ' ');
}

/** A thing of this kind by its name, which stands apart if texts are read from right to left. */
export function named(lang: string, kind: string, name: string): string {
  return `${kind}${COLONS[languageOf(lang)] ?? ': '}${/^(ar|he)/.test(lang) ? `\u2068${name}\u2069` : name}`;
}

function languageOf(lang: string): string {
  return lang.slice(0, 2);
}

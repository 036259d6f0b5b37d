import type { Words } from './words.ts';

/** The language of the page, and the locale that its numbers and times are written in. */
export type Language = { words: Words; locale: string };

/** Takes the first of the person's languages that the console has, or else English. */
export async function chooseLanguage(wanted: readonly string[]): Promise<Language> {
  for (const locale of wanted) {
    const [language] = locale.toLowerCase().split('-');
    if (language === 'en') return { words: await english(), locale };
    if (language === 'pt') return { words: await portuguese(), locale: 'pt-BR' };
  }
  return { words: await english(), locale: 'en' };
}

const english = (): Promise<Words> => import('./en.json', { with: { type: 'json' } }).then((file) => file.default);
const portuguese = (): Promise<Words> =>
  import('./pt-BR.json', { with: { type: 'json' } }).then((file) => file.default);

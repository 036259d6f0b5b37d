import { en } from './en.ts';
import { es419 } from './es-419.ts';
import type { Messages } from './messages.ts';
import { negotiate } from './negotiate.ts';
import { ptBR } from './pt-BR.ts';

export const languages = { en, 'pt-BR': ptBR, 'es-419': es419 } satisfies Record<string, Messages>;

/** The best language for the shopper's wishes, best first, with its texts. Never part of the browser's bundle. */
export function findLanguage(wishes: readonly string[]): { lang: string; messages: Messages } {
  const lang = negotiate(wishes, ['en', 'pt-BR', 'es-419']);
  return { lang, messages: languages[lang] };
}

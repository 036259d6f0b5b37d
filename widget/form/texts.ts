import type { Boot } from '../../shared/checkout/view.ts';

/** Fetches the texts of another language from this page's own address. Undefined when that fails: the form stays as it is. */
export async function loadTexts(path: string, locale: string): Promise<{ lang: string; boot: Boot } | undefined> {
  try {
    const page = await (await fetch(`${path}?${new URLSearchParams({ locale })}`)).text();
    const lang = /<html[^>]* lang="([^"]+)"/.exec(page)?.[1] ?? locale;
    const boot: Boot = JSON.parse(/ id="boot">(.*?)<\/script>/s.exec(page)?.[1] ?? '');
    return { lang, boot };
  } catch {
    return undefined;
  }
}

import type { Boot } from '../../shared/checkout/view.ts';

/**
 * Loads the texts of another language from this page's own address, and sets the document's language. Undefined if that
 * fails, or if the texts are no longer needed when they arrive: then the page stays unchanged.
 */
export async function loadTexts(page: Document, locale: string, isWanted: () => boolean): Promise<Boot | undefined> {
  const boot = await fetchBoot(page.location, new URLSearchParams({ locale }));
  if (!boot || !isWanted()) return undefined;
  const { lang, dir, messages } = boot;
  Object.assign(page.documentElement, { lang, dir });
  page.title = messages.title ?? page.title;
  return boot;
}

/** Loads the page's boot data again, from its own address with another query. Undefined if that fails. */
export async function fetchBoot({ pathname }: Location, query: URLSearchParams): Promise<Boot | undefined> {
  try {
    const response = await fetch(`${pathname}?${query}`, { headers: { accept: 'application/json' } });
    if (!response.ok) return undefined;
    const boot: Boot = await response.json();
    return boot;
  } catch {
    return undefined;
  }
}

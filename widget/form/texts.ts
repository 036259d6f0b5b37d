import type { Boot } from '../../shared/checkout/view.ts';

/**
 * Fetches the texts of another language from this page's own address, and has the document say which one it is. Undefined when
 * that fails, or they are wanted no longer once they are there: then the page stays as it is.
 */
export async function loadTexts(page: Document, locale: string, isWanted: () => boolean): Promise<Boot | undefined> {
  const boot = await fetchBoot(page.location, new URLSearchParams({ locale }));
  if (!boot || !isWanted()) return undefined;
  const { lang, dir, messages } = boot;
  Object.assign(page.documentElement, { lang, dir });
  page.title = messages.title ?? page.title;
  return boot;
}

/** Fetches anew what the page came with, from its own address with another query. Undefined when that fails. */
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

import type { Boot } from '../../shared/checkout/view.ts';

/** Fetches the texts of another language from this page's own address. Undefined when that fails: the form stays as it is. */
export async function loadTexts(path: string, locale: string): Promise<Boot | undefined> {
  try {
    const page = await (await fetch(`${path}?${new URLSearchParams({ locale })}`)).text();
    return JSON.parse(/ id="boot">(.*?)<\/script>/s.exec(page)?.[1] ?? '');
  } catch {
    return undefined;
  }
}

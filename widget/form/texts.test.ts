// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderCheckout } from './render.tsx';
import { bootOf, open } from './testing.tsx';
import { loadTexts } from './texts.ts';

const fetched = vi.fn<typeof fetch>();
/** The parts of the page that this test needs, as the relay sends them. */
const bootIn = (locale: string) => {
  const { boot } = renderCheckout({ view: open, locales: [locale], allowed_origins: [] });
  return Response.json(boot);
};
const pageLanguage = () => [document.documentElement.lang, document.documentElement.dir, document.title];

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  Object.assign(document.documentElement, { lang: 'en', dir: 'ltr' });
  document.title = bootOf(open).messages.title ?? '';
});
afterEach(() => vi.unstubAllGlobals());

it('requests the page’s own address, and updates language, direction and title', async () => {
  fetched.mockResolvedValue(bootIn('ar'));
  const boot = await loadTexts(document, 'ar', () => true);
  expect(fetched).toHaveBeenCalledWith(`${location.pathname}?locale=ar`, { headers: { accept: 'application/json' } });
  expect(pageLanguage()).toEqual(['ar', 'rtl', boot?.messages.title]);
  // Every browser shows the digits that the server chose.
  expect(boot?.locale).toMatch(/^ar-u-nu-\w+$/);
});

it.each([
  ['the way is lost', () => Promise.reject(new TypeError('network'))],
  ['the relay cannot tell', () => Promise.resolve(Response.json({ code: 'store_unavailable' }, { status: 503 }))],
  ['it is another page', () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 }))],
])('leaves the page as it is when %s', async (_, answer) => {
  const before = pageLanguage();
  fetched.mockImplementation(answer);
  expect(await loadTexts(document, 'ar', () => true)).toBeUndefined();
  expect(pageLanguage()).toEqual(before);
});

it('ignores an answer once another language is requested', async () => {
  const before = pageLanguage();
  fetched.mockResolvedValue(bootIn('ar'));
  expect(await loadTexts(document, 'ar', () => false)).toBeUndefined();
  expect(pageLanguage()).toEqual(before);
});

import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../../gallery/bundle.ts';
import { asking } from '../../../gallery/pages/frame-page.ts';
import { type Gallery, serveGallery } from '../../../gallery/serve.ts';
import { TYPEFACE } from '../../../gallery/shots/shots.ts';
import { pictures } from '../../../gallery/states.ts';
import { languages } from '../../../widget/locales/languages.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';

const tags = Object.keys(languages);
/** The whole form with every possible error, declines, terms and outcomes. */
const SHOWN = [
  'everything, nothing filled in',
  'fields of a method',
  'declined, five methods',
  'subscription',
  'free trial',
  'free trial, starting',
  'free trial, started',
  'card check',
  'card check, saving',
  'card saved',
  'card check, saved card',
  'card check, confirming',
  'card confirmed',
  'the longest texts at 320 px',
  'approved, hosted',
  'hosted page, what is bought',
  'away',
  'confirming',
  'pending, cannot be abandoned',
  'abandoned',
  'not paid yet, may still arrive',
  'paid elsewhere',
  'failed',
];
/** Errors of the card's fields appear on a line that is reserved for them. */
const WRONG = pictures.map(({ name }) => name).filter((name) => /^(nothing filled|number|date|code|name) /.test(name));

let browser: Browser;
let gallery: Gallery;
let page: Page;
beforeAll(async () => {
  gallery = await serveGallery(await bundle(join(import.meta.dirname, '../../..')));
  browser = await sharedChromium();
  page = await browser.newPage({ viewport: { width: 320, height: 800 }, reducedMotion: 'reduce' });
  await page.goto(`${gallery.url}/frame`);
  // Measured content need not be painted.
  await page.addStyleTag({ content: `${TYPEFACE} body { padding: 0; visibility: hidden }` });
});
afterAll(async () => {
  await page.close();
  await gallery.close();
});

type Seen = { lang: string; dir: string; height: number; wide: string[] };

/** Draws these pictures in a language, one after another in the same document, and reports what overflows in each. */
function look(names: readonly string[], locale: string): Promise<Seen[]> {
  return page.evaluate(
    async (hashes) => {
      const pencil = document.createElement('canvas').getContext('2d');
      const sticksOut = (element: Element): boolean => {
        if (element.scrollWidth > element.clientWidth && element.clientWidth > 1) return true;
        const { left, right } = element.getBoundingClientRect();
        if (left < 0 || right > innerWidth) return true;
        // An input does not grow with its text. A select's text may end in an ellipsis: it is whole in its list.
        if (!(element instanceof HTMLInputElement) || !pencil) return false;
        const { font, paddingLeft, paddingRight } = getComputedStyle(element);
        pencil.font = font;
        const room = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
        return pencil.measureText(element.value || element.placeholder).width > room + 1;
      };
      const seen: Seen[] = [];
      for (const hash of hashes) {
        location.hash = hash;
        while (document.body.dataset.shown !== hash) await new Promise((done) => setTimeout(done));
        const { lang, dir, scrollWidth, clientWidth } = document.documentElement;
        const root = document.getElementById('turnpike');
        const all = [...(root?.querySelectorAll('*') ?? [])].filter(
          (element) => !element.matches('.unseen, svg, svg *, [type=radio], [type=checkbox]'),
        );
        const wide = all
          .filter(sticksOut)
          .map((element) => `${element.outerHTML.slice(0, 120)}: ${element.textContent}`);
        if (scrollWidth > clientWidth) wide.push('the document');
        seen.push({ lang, dir, height: root?.clientHeight ?? 0, wide });
      }
      return seen;
    },
    names.map((name) => asking(name, 'light', locale)),
  );
}

/** Letters without a font on this machine: they are drawn like an unassigned code point. */
function lettersWithoutFont(letters: readonly string[]): Promise<string[]> {
  return page.evaluate((all) => {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('no canvas');
    Object.assign(canvas, { width: 48, height: 48 });
    const drawn = (letter: string): Uint32Array => {
      context.reset();
      context.font = getComputedStyle(document.body).font.replace(/\d+px/, '24px');
      context.fillText(letter, 8, 32);
      return new Uint32Array(context.getImageData(0, 0, 48, 48).data.buffer);
    };
    const none = drawn('\u{10ffff}');
    return all.filter((letter) => drawn(letter).every((pixel, index) => pixel === none[index]));
  }, letters);
}

describe.each(tags)('in %s, on a phone 320 px wide,', (tag) => {
  it('every letter has a font', async () => {
    const letters = [...new Set(Object.values({ ...languages[tag]?.form, ...languages[tag]?.fields }).join(''))];
    expect(letters.length).toBeGreaterThan(40);
    expect(await lettersWithoutFont(letters.filter((letter) => /[\p{L}\p{M}\p{N}]/u.test(letter)))).toEqual([]);
  });

  it('nothing is cut off and nothing overflows', async () => {
    const seen = await look(SHOWN, tag);
    expect(seen.length).toBe(SHOWN.length);
    for (const [index, { lang, dir, wide }] of seen.entries()) {
      expect([lang, dir]).toEqual([tag, ['ar', 'he'].includes(tag) ? 'rtl' : 'ltr']);
      expect(wide, SHOWN[index]).toEqual([]);
    }
  });

  it('nothing moves when a field of the card has an error', async () => {
    const [untouched, ...wrong] = await look(['empty', ...WRONG], tag);
    const moved = wrong.flatMap(({ height }, index) => (height === untouched?.height ? [] : [WRONG[index]]));
    expect(WRONG.length).toBeGreaterThan(6);
    expect(moved).toEqual([]);
  });
});

it('no line breaks within a word in Korean on narrow phones', async () => {
  const broken: string[] = [];
  for (const name of [...SHOWN, 'not sent', 'offline', 'order changed']) {
    await look([name], 'ko');
    broken.push(
      ...(await page.evaluate(() => {
        const texts = [...document.querySelectorAll('.message, .outcome h1, .outcome p')].flatMap((element) =>
          [...element.childNodes].filter((node) => node instanceof Text),
        );
        return texts.flatMap((text) =>
          [...text.data.matchAll(/[\uac00-\ud7af]+/g)].flatMap(({ 0: word, index }) => {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            return range.getClientRects().length > 1 ? [word] : [];
          }),
        );
      })),
    );
  }
  expect(broken).toEqual([]);
});

it('a field has two borders around it at most', async () => {
  await look(['everything'], 'en');
  const borders = await page.locator('.box > input').evaluateAll((fields) =>
    fields.map((field) => {
      let count = 0;
      for (let around: Element | null = field; around; around = around.parentElement) {
        if (Number.parseFloat(getComputedStyle(around).borderLeftWidth) > 0) count += 1;
      }
      return count;
    }),
  );
  expect(Math.max(...borders)).toBe(2);
});

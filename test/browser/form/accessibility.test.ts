import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundle } from '../../../gallery/bundle.ts';
import { asking } from '../../../gallery/pages/frame-page.ts';
import { THEMES, themesOf, WIDTHS } from '../../../gallery/pages/wall-page.ts';
import { type Gallery, serveGallery } from '../../../gallery/serve.ts';
import { pictures } from '../../../gallery/states.ts';
import { contrast, everyRule, findings, loadAxe } from '../../support/browsers/axe.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { testsAll } from '../../support/tests-all.ts';

/**
 * The background of a shop's page of that theme behind the frame. Axe cannot see what a browser paints there by
 * itself.
 */
const GROUNDS = { light: '#fff', dark: '#14171b' } as const;

let gallery: Gallery;
let browser: Browser;
beforeAll(async () => {
  gallery = await serveGallery(await bundle(join(import.meta.dirname, '../../..')));
  browser = await sharedChromium();
});
afterAll(async () => {
  await gallery?.close();
});

type Theme = (typeof THEMES)[number];

async function openGallery(theme: Theme, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${gallery.url}/frame`);
  await page.addStyleTag({ content: `body { background: ${GROUNDS[theme]} }` });
  return page;
}

async function show(page: Page, name: string, theme: Theme = 'light'): Promise<void> {
  const asked = asking(name, theme);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, asked);
  await page.locator(`body[data-shown="${asked}"]`).waitFor({ state: 'attached' });
}

/** Runs in the browser: shows each picture in turn and collects the findings of `asks`, by the picture's name. */
async function walk(shown: [name: string, hash: string][], asks: Ask[]) {
  const found: Record<string, string[]> = {};
  for (const [name, hash] of shown) {
    location.hash = hash;
    for (
      const since = Date.now();
      document.body.dataset.shown !== hash;
      await new Promise((done) => setTimeout(done))
    ) {
      if (Date.now() - since > 20_000) throw new Error(`the picture "${name}" is not drawn`);
    }
    for (const ask of asks) {
      const answers = await ask();
      if (answers.length) found[name] = [...(found[name] ?? []), ...answers];
    }
  }
  return found;
}

/** Checks the current picture in the browser: one line for each finding. */
type Ask = () => string[] | Promise<string[]>;

/** One picture in three, with `npm run test:all` each. */
const checked = pictures.filter((_, at) => testsAll || at % 3 === 0);

/**
 * The findings of `asks` in the checked pictures of a theme, by name. `asks` are self-contained functions without arguments.
 * Everything runs within the page, and each picture is drawn once, since drawing takes most of the time.
 */
function ofAll(page: Page, theme: Theme, ...asks: (Ask | string)[]): Promise<Record<string, string[]>> {
  const names = checked.filter((picture) => themesOf(picture).includes(theme)).map(({ name }) => name);
  const shown = names.map((name) => [name, asking(name, theme)]);
  return page.evaluate(`(${walk})(${JSON.stringify(shown)}, [${asks.join(', ')}])`);
}

/** Runs axe with these rules. */
async function axeBy(page: Page, options: typeof everyRule): Promise<string> {
  await loadAxe(page);
  return `() => (${findings})(${JSON.stringify(options)})`;
}

/** Fields with an error that have no message beside them, for eyes and for screen readers. */
function silent(): string[] {
  return [...document.querySelectorAll('[aria-invalid="true"]')].flatMap((field) => {
    const ids = (field.getAttribute('aria-describedby') ?? '').split(' ');
    const errors = ids.map((id) => document.getElementById(id)).filter((element) => element?.matches('.error'));
    const hasMessage = errors.some((error) => error?.textContent?.trim());
    return hasMessage ? [] : [field.outerHTML];
  });
}

/** The elements that overflow the page sideways, or whose text is cut off. */
function lost(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  const wide = scrollWidth > clientWidth ? [`the page by ${scrollWidth - clientWidth}`] : [];
  // A select truncates its text by itself and shows it whole when opened.
  const texts = [...document.querySelectorAll('#turnpike :is(h1, h2, p, label, legend, button, a, li, dt, dd, small)')];
  const cut = texts.filter((text) => !text.closest('.unseen') && text.scrollWidth > text.clientWidth + 1);
  return [...wide, ...cut.map((text) => text.outerHTML)];
}

/** Targets for finger or pointer that are smaller than this. Radios and checkboxes are hit through their labels. */
function smaller(least: number): string[] {
  const targets = [
    ...document.querySelectorAll(
      '#turnpike :is(input:not([type=radio], [type=checkbox]), select, button, a, .option > label, .check)',
    ),
  ].filter((target) => target.checkVisibility());
  return targets.flatMap((target) => {
    const { width, height } = target.getBoundingClientRect();
    return width < least || height < least ? [`${width} × ${height}: ${target.outerHTML}`] : [];
  });
}

/** Content that is lost when the text is twice as large. */
function lostInLargeText(): string[] {
  document.documentElement.style.setProperty('--turnpike-font-size', '32px');
  const found = lost();
  document.documentElement.style.removeProperty('--turnpike-font-size');
  return found;
}

describe('every state of the form', () => {
  it('is accessible on a phone and loses no large text', async () => {
    const finger = { viewport: { width: WIDTHS.phone, height: 800 }, hasTouch: true, isMobile: true };
    const page = await openGallery('light', finger);
    expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true);
    const axe = await axeBy(page, everyRule);
    await page.evaluate(`window.lost = ${lost}; window.smaller = ${smaller}`);
    const small = '() => window.smaller(44)';
    // The error of a field is associated with it for screen readers, too.
    expect(await ofAll(page, 'light', axe, small, silent, lostInLargeText)).toEqual({});
    await show(page, 'nothing filled in');
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(4);
  });

  it('has enough contrast, dark, on a desktop', async () => {
    const page = await openGallery('dark', { viewport: { width: WIDTHS.desktop, height: 800 } });
    expect(await ofAll(page, 'dark', await axeBy(page, contrast))).toEqual({});
  });

  it('loses nothing at 400% zoom with the text spacing of WCAG 1.4.12', async () => {
    const page = await openGallery('light', { viewport: { width: 320, height: 256 } });
    const spaced = 'line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important';
    // Measured content need not be painted.
    const unpainted = 'body { visibility: hidden }';
    await page.addStyleTag({ content: `* { ${spaced} } p { margin-bottom: 2em !important } ${unpainted}` });
    expect(await ofAll(page, 'light', lost)).toEqual({});
  });

  it('has targets of at least 24 pixels for a pointer', async () => {
    const page = await openGallery('light', { viewport: { width: 560, height: 800 } });
    for (const name of ['everything', 'many methods', 'declined, five methods']) {
      await show(page, name);
      expect(await page.evaluate(smaller, 24)).toEqual([]);
    }
  });
});

describe('a form whose fields become wrong', () => {
  it('keeps its height: nothing jumps', async () => {
    const page = await openGallery('light', { viewport: { width: 390, height: 800 } });
    const heightOf = async (name: string) => {
      await show(page, name);
      return page.locator('#turnpike').evaluate((root) => root.getBoundingClientRect().height);
    };
    expect(await heightOf('nothing filled in')).toBe(await heightOf('empty'));
  });
});

describe('a shopper who prefers', () => {
  /** Every running animation and transition of a state. */
  const moving = () => document.getAnimations().map((animation) => animation.effect?.getTiming().duration);

  it('reduced motion sees no animation', async () => {
    const page = await openGallery('light');
    const anything = async () => (await page.evaluate(moving)).length;
    for (const name of ['paying', 'confirming', 'page: processing']) {
      await show(page, name);
      expect(await anything(), name).toBe(0);
    }
    await show(page, 'nothing filled in');
    await page.locator('[autocomplete="cc-name"]').focus();
    expect(await anything()).toBe(0);
  });

  it('visible focus sees a clear ring in both themes', async () => {
    for (const theme of THEMES) {
      const page = await openGallery(theme);
      await show(page, 'declined, five methods', theme);
      await page.locator('h1').click();
      const stops = 9;
      for (let stop = 0; stop < stops; stop++) {
        await page.keyboard.press('Tab');
        const ring = await page.evaluate(() => {
          const focused = document.activeElement;
          const ringed = focused?.matches('[type=radio]') ? focused.closest('label') : focused;
          if (!ringed) return undefined;
          const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = getComputedStyle(ringed);
          return { what: ringed.outerHTML, outlineStyle, outlineWidth, outlineColor, outlineOffset };
        });
        expect(ring).toMatchObject({ outlineStyle: 'solid', outlineWidth: '2px' });
        // On the button, which has the colour of rings, the ring is drawn in the colour of its text.
        const accent = theme === 'light' ? 'rgb(31, 94, 255)' : 'rgb(61, 108, 240)';
        expect(ring?.outlineColor).toBe(stop === stops - 1 ? 'rgb(255, 255, 255)' : accent);
        // The frame begins at the edge of the shop's element: a ring outside it would be cut off.
        expect(Number.parseFloat(ring?.outlineOffset ?? '')).toBeLessThanOrEqual(-2);
      }
    }
  });

  it('more contrast gets texts and borders in the text colour', async () => {
    const page = await openGallery('dark', { contrast: 'more' });
    await show(page, 'saved cards', 'dark');
    const colours = await page.evaluate(() => {
      const of = (selector: string, property: string) =>
        getComputedStyle(document.querySelector(selector) ?? document.body).getPropertyValue(property);
      return [of('small', 'color'), of('.box > input', 'border-top-color'), of('.options', 'border-top-color')];
    });
    expect(new Set(colours)).toEqual(new Set(['rgb(241, 243, 246)']));
  });

  it('system colours sees fields, focus, selection and errors', async () => {
    const page = await openGallery('light', { forcedColors: 'active', viewport: { width: 390, height: 800 } });
    await show(page, 'two methods');
    const edges = await page.evaluate(() =>
      [...document.querySelectorAll('.options, .box > input, button')].map((element) => {
        const { borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(element);
        return borderTopStyle === 'solid' && borderTopColor !== backgroundColor;
      }),
    );
    expect(new Set(edges)).toEqual(new Set([true]));
    const chosen = await page
      .locator('.option')
      .evaluateAll((options) => options.map((option) => getComputedStyle(option).outlineStyle));
    expect(chosen).toEqual(['solid', 'none']);
    await show(page, 'number wrong');
    const widths = await page
      .locator('.box > input')
      .evaluateAll((fields) => fields.map((field) => getComputedStyle(field).borderTopWidth));
    expect(widths).toEqual(['3px', '1px', '1px', '1px']);
    await show(page, 'nothing filled in');
    const ring = await page
      .locator('[autocomplete="cc-number"]')
      .evaluate((field) => getComputedStyle(field).outlineStyle);
    expect(ring).toBe('solid');
  });
});

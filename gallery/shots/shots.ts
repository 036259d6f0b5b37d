import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../test/support/browsers/chromium.ts';
import { asking } from '../pages/frame-page.ts';
import { sheets } from '../pages/sheet-page.ts';
import { THEMES, type Theme, themesOf, widthsOf } from '../pages/wall-page.ts';
import { type Picture, pictures } from '../states.ts';

/** The background of a frame, as in a shop's page of that theme. */
export const GROUNDS = { light: '#fff', dark: '#14171b' } as const;

/** Replaces a desktop's system font, which a server does not have. */
export const TYPEFACE = ':root { --turnpike-font: Inter, "Liberation Sans", Arial, sans-serif }';

/** The selected pictures, their widths in CSS pixels, and their language. Defaults: those of the gallery. */
type Choice = { only?: string | undefined; widths?: readonly number[] | undefined; locale?: string | undefined };

/** Takes one PNG of every picture in both themes and all its widths, into `folder`. Returns the number. */
export async function takeShots(
  galleryUrl: string,
  folder: string,
  { only = '', widths, locale }: Choice = {},
): Promise<number> {
  await mkdir(folder, { recursive: true });
  await using running = new AsyncDisposableStack();
  const browser = await launchChromium();
  running.defer(() => browser.close());
  let taken = 0;
  for (const theme of THEMES) {
    const page = await browser.newPage({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.goto(`${galleryUrl}/frame`);
    await page.addStyleTag({ content: `${TYPEFACE} body { padding: 16px; background: ${GROUNDS[theme]} }` });
    for (const picture of chosen(theme, only)) {
      const asked = asking(picture.name, theme, locale);
      await page.evaluate((hash) => {
        location.hash = hash;
      }, asked);
      await page.locator(`body[data-shown="${asked}"]`).waitFor();
      for (const width of widths ?? widthsOf(picture)) {
        await page.setViewportSize({ width: width + 32, height: 300 });
        await page.screenshot({ path: join(folder, fileOf(picture, theme, width)), fullPage: true });
        taken += 1;
      }
    }
    await page.close();
  }
  return taken;
}

/** The pictures of a theme whose name contains `only`. */
export function chosen(theme: Theme, only: string): Picture[] {
  return pictures.filter((picture) => picture.name.includes(only) && themesOf(picture).includes(theme));
}

/** The file of a picture. */
export function fileOf({ name }: Picture, theme: Theme, width: number): string {
  return `${name.replaceAll(/[^\p{L}\d]+/gu, '-')}-${theme}-${width}.png`;
}

/** Takes the pictures of the README and of docs/, into `folder`. */
export async function takeSheets(galleryUrl: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await using running = new AsyncDisposableStack();
  const browser = await launchChromium();
  running.defer(() => browser.close());
  for (const { file, theme } of sheets) {
    const page = await browser.newPage({ colorScheme: theme, reducedMotion: 'reduce', deviceScaleFactor: 1.5 });
    await page.goto(`${galleryUrl}/${file}`);
    for (const frame of page.frames().slice(1)) {
      await frame.locator('body[data-shown]').waitFor();
      await frame.addStyleTag({ content: TYPEFACE });
    }
    // Frames grow with their content, a moment after it is drawn.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('iframe')].every((frame) => {
        const root = frame.contentDocument?.getElementById('turnpike');
        return root && Math.abs(root.getBoundingClientRect().height - frame.clientHeight) < 1;
      }),
    );
    await page.locator('body').screenshot({ path: join(folder, file) });
    await page.close();
  }
}

/** Waits until every frame of a page shows its picture, and sets the frame's height. */
export async function standing(page: Page): Promise<void> {
  for (const [index, frame] of page.frames().slice(1).entries()) {
    await frame.locator('body[data-shown]').waitFor();
    await frame.addStyleTag({ content: TYPEFACE });
    const height = await frame.locator('#turnpike').evaluate((root) => Math.ceil(root.getBoundingClientRect().height));
    await page
      .locator('iframe')
      .nth(index)
      .evaluate((iframe, px) => iframe.setAttribute('style', `height: ${px}px`), height);
  }
}

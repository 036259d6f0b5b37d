import type { Browser, Page } from 'playwright-core';
import { TYPEFACE } from '../../../gallery/shots/shots.ts';

/** A screen (a phone's without `width`) that shows a page, after `prepare` has set up its state. */
export type Shot = {
  url: string;
  prepare?(page: Page): Promise<unknown>;
  width?: number;
  height?: number;
  dark?: boolean;
};

const WIDTH = 390;
const HEIGHT = 760;

async function take(
  browser: Browser,
  { url, prepare, width = WIDTH, height = HEIGHT, dark = false }: Shot,
): Promise<Buffer> {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    bypassCSP: true,
  });
  await page.goto(url);
  await page.addStyleTag({ content: TYPEFACE });
  // Saved cards and prefilled values arrive with the first poll of the session.
  await page.locator('html[data-looked]').waitFor();
  await prepare?.(page);
  const picture = await page.screenshot({ caret: 'initial' });
  await page.close();
  return picture;
}

/** Takes screens side by side as one picture, into `file`. `scale` is the displayed fraction of each screen's size. */
export async function takeSheet(browser: Browser, file: string, shots: readonly Shot[], scale = 0.8): Promise<void> {
  const pictures: Buffer[] = [];
  for (const shot of shots) pictures.push(await take(browser, shot));
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  const screens = shots.map(
    ({ width = WIDTH }, at) =>
      `<img width="${width * scale}" src="data:image/png;base64,${pictures[at]?.toString('base64')}" alt="">`,
  );
  await page.setContent(`<!doctype html><style>
body { margin: 0; width: max-content; padding: 16px; display: grid; gap: 16px; background: #e9ebef;
  grid-template-columns: repeat(${shots.length > 4 ? Math.ceil(shots.length / 2) : shots.length}, auto) }
img { display: block; border-radius: 12px }
</style>${screens.join('')}`);
  await page.locator('img').last().waitFor();
  await page.locator('body').screenshot({ path: file });
  await page.close();
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '../../test/support/browsers/chromium.ts';
import type { Before } from '../before.ts';
import { asking, escapeHtml } from '../pages/frame-page.ts';
import { THEMES, type Theme, widthsOf } from '../pages/wall-page.ts';
import { chosen, fileOf, GROUNDS, standing } from './shots.ts';

/**
 * Takes one PNG of every picture whose name contains `only`, beside the earlier one, in both themes and all its widths,
 * into `folder`. Returns the number.
 */
export async function takePairs(galleryUrl: string, before: Before, folder: string, only = ''): Promise<number> {
  await mkdir(folder, { recursive: true });
  await using running = new AsyncDisposableStack();
  const browser = await launchChromium();
  running.defer(() => browser.close());
  let taken = 0;
  for (const theme of THEMES) {
    // Browsers draw only visible frames, so the viewport must contain both.
    const viewport = { width: 2600, height: 3000 };
    const page = await browser.newPage({ colorScheme: theme, reducedMotion: 'reduce', viewport });
    for (const picture of chosen(theme, only)) {
      for (const width of widthsOf(picture)) {
        await page.setContent(pairOf(galleryUrl, before, picture.name, theme, width));
        await standing(page);
        await page.locator('body').screenshot({ path: join(folder, fileOf(picture, theme, width)) });
        taken += 1;
      }
    }
    await page.close();
  }
  return taken;
}

function pairOf(galleryUrl: string, { ref, names }: Before, name: string, theme: Theme, width: number): string {
  const frame = (folder: string) =>
    `<iframe src="${galleryUrl}${folder}/frame#${escapeHtml(asking(name, theme))}"></iframe>`;
  const there = names.has(name) ? frame('/before') : '<p>No such picture</p>';
  return `<!doctype html><title>${name}</title>
<style>body { display: inline-grid; grid-template-columns: ${width}px ${width}px; gap: 12px 32px; align-items: start; margin: 0; padding: 16px;
color: ${theme === 'dark' ? '#fff' : '#000'}; background: ${GROUNDS[theme]}; font: 14px system-ui, sans-serif }
iframe { width: ${width}px; height: 300px; border: 0; color-scheme: ${theme} } p { margin: 0; opacity: .7 }</style>
<b>${escapeHtml(ref)}</b><b>Now</b>${there}${frame('')}`;
}

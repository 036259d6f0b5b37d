import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '../../test/support/browsers/chromium.ts';
import { languages } from '../../widget/locales/languages.ts';
import { asking } from '../pages/frame-page.ts';
import { WIDTHS } from '../pages/wall-page.ts';
import { standing } from './shots.ts';

/** The pictures with the most texts of a language: the whole form with all faults, a decline, and an outcome. */
const SHOWN = ['everything, nothing filled in', 'filled', 'declined, five methods', 'approved, hosted'];

/** Takes one PNG of every language whose tag contains `only`, as on a phone, into `folder`. Returns the number. */
export async function takeLocales(galleryUrl: string, folder: string, only = ''): Promise<number> {
  await mkdir(folder, { recursive: true });
  await using running = new AsyncDisposableStack();
  const browser = await launchChromium();
  running.defer(() => browser.close());
  const tags = Object.keys(languages).filter((tag) => tag.includes(only));
  for (const tag of tags) {
    // Browsers draw only visible frames, so the viewport must contain all of them.
    const page = await browser.newPage({ reducedMotion: 'reduce', viewport: { width: 900, height: 3000 } });
    await page.setContent(sheetOf(galleryUrl, tag));
    await standing(page);
    await page.locator('body').screenshot({ path: join(folder, `${tag}.png`) });
    await page.close();
  }
  return tags.length;
}

function sheetOf(galleryUrl: string, tag: string): string {
  const frames = SHOWN.map(
    (name) => `<iframe title="${name}" src="${galleryUrl}/frame#${asking(name, 'light', tag)}"></iframe>`,
  );
  return `<!doctype html><title>${tag}</title>
<style>body { display: inline-grid; grid-template-columns: auto auto; gap: 8px 24px; align-items: start; margin: 0; padding: 16px; background: #fff }
iframe:first-of-type { grid-row: span 9 }
iframe { width: ${WIDTHS.phone}px; height: 300px; border: 0 }</style>
${frames.join('\n')}`;
}

import type { Page } from 'playwright-core';
import { TYPEFACE } from '../shots/shots.ts';

/** Waits until every frame of a page shows its picture, and gives it the height of that. */
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

import type { FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Waits until the requests of a loaded document pass the routes of its page. Needed after the first `route` of a page
 * that is already open: Chromium confirms a route before the document uses it, and an immediate request evades it.
 */
export async function routesApply(page: Page, document: FrameLocator | Page = page): Promise<void> {
  const probe = '/healthz?route';
  await page.route(`**${probe}`, (route) => route.fulfill({ body: 'routed' }));
  const answer = () => document.locator('html').evaluate(async (_, url) => (await fetch(url)).text(), probe);
  await expect.poll(answer).toBe('routed');
  await page.unroute(`**${probe}`);
}

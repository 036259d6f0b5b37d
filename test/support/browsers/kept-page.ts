import type { Browser, BrowserContext, Page } from 'playwright-core';
import { onTestFailed, onTestFinished } from 'vitest';
import { desktop, PAGE_TIMEOUT_MS, type Watched } from '../relays/stack.ts';

type Kept = { browser: Browser; context: BrowserContext; page: Page };

/** Pages that no test uses at the moment. */
const idle: Kept[] = [];

/**
 * A page that tests use one after the other: it starts no new process of the browser for each. Every test has servers and thus origins
 * of its own, so storage and caches are apart. A page of a test that fails is not used again. Scripts that run before each document
 * and a clock that was installed stay with a page: what needs them opens one by `openPage`.
 */
export async function keptPage(browser: Browser, viewport = desktop): Promise<Watched> {
  const { context, page } = takeIdle(browser) ?? (await newPage(browser));
  await page.setViewportSize(viewport);
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  context.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
  onTestFailed(() => context.close());
  onTestFinished(async () => {
    if (page.isClosed()) return;
    await page.unrouteAll();
    for (const emitter of [page, context]) emitter.removeAllListeners();
    // A page may ask whether it may be left.
    page.on('dialog', (asked) => void asked.accept());
    await page.goto('about:blank');
    page.removeAllListeners();
    await context.setOffline(false);
    await context.clearCookies();
    await page.emulateMedia({ colorScheme: null });
    idle.push({ browser, context, page });
  });
  return { context, page, complaints, requests };
}

function takeIdle(browser: Browser): Kept | undefined {
  const at = idle.findIndex((kept) => kept.browser === browser && !kept.page.isClosed());
  return at < 0 ? undefined : idle.splice(at, 1)[0];
}

async function newPage(browser: Browser): Promise<Kept> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
  context.setDefaultTimeout(PAGE_TIMEOUT_MS);
  return { browser, context, page: await context.newPage() };
}

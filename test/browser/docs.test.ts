import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../support/chromium.ts';
import { startTestRelay } from '../support/relay.ts';
import { desktop, openPage, phone } from '../support/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

describe('the page of the API', () => {
  it.each([
    ['a phone', phone],
    ['a desktop', desktop],
  ])('fits %s, runs nothing, and asks nobody else', async (_what, viewport) => {
    const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9' });
    const { page, complaints, requests } = await openPage(browser, viewport);
    const answer = await page.goto(`${relay.url}/docs`);
    expect(answer?.headers()['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    await page.evaluate(() => {
      for (const folded of document.querySelectorAll('details')) folded.open = true;
    });
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(widths[0]).toBe(widths[1]);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([`GET ${relay.url}/docs`, `GET ${relay.url}/docs.css`]);
  });

  it('is read by keyboard: past the contents, into a folded part', async () => {
    const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9' });
    const { page } = await openPage(browser);
    await page.goto(`${relay.url}/docs`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    const folded = page.locator('#createSession .about > details.more').first();
    await folded.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await folded.evaluate((one) => one.hasAttribute('open'))).toBe(true);
  });
});

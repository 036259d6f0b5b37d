import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { startTestRelay } from '../../support/relays/relay.ts';
import { desktop, openPage, phone } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

describe('the page of the API', () => {
  it('fits every screen, filters its contents, and works by keyboard', async () => {
    const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9' });
    const { page, complaints, requests } = await openPage(browser, phone);
    const answer = await page.goto(`${relay.url}/docs#refund`);
    expect(answer?.headers()['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    const field = page.getByRole('searchbox', { name: 'Search routes and webhooks' });
    const found = page.getByRole('status');
    const titles = (contents = '.narrow nav') =>
      page.locator(`${contents} li a > span:first-child`).locator('visible=true').allTextContents();
    const place = () => page.locator('#refund').evaluate((section) => section.getBoundingClientRect().top);
    const before = await place();

    await page.keyboard.press('/');
    await page.keyboard.type('search re');
    expect(await titles()).toEqual(['Search refunds']);
    expect(await found.textContent()).toBe('1 found');
    expect(await place()).toBe(before);
    // In a text field a slash is typed as text.
    await field.fill('');
    await page.keyboard.type('/v1/refund');
    expect(await titles()).toEqual(['Refund payments', 'Search refunds']);
    await field.fill('paid_twice');
    expect(await titles()).toEqual(['An order was paid again']);
    // No name matches, so routes whose text matches are shown.
    await field.fill('batch_too_large');
    expect(await titles()).toEqual(expect.arrayContaining(['Refund payments', 'Capture payments']));
    await field.fill('zzz');
    expect(await titles()).toEqual([]);
    expect(await found.textContent()).toBe('0 found');
    expect(await page.locator('.narrow nav .none').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe('');
    expect(await found.textContent()).toBe('');
    expect(await page.locator('nav li[hidden], nav .none:not([hidden])').count()).toBe(0);
    expect(await place()).toBe(before);

    await page.keyboard.type('capture payments');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('#capture h3').evaluate((title) => title.getBoundingClientRect().top))
      .toBeLessThan(300);
    const atTitle = await page.locator('#capture h3').evaluate((title) => {
      const { left, top } = title.getBoundingClientRect();
      return title.contains(document.elementFromPoint(left + 5, top + 5));
    });
    expect(atTitle, 'nothing lies over what was found').toBe(true);

    // Past the contents, into a collapsed part.
    const folded = page.locator('#createSession .about > details.more').first();
    await folded.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await folded.evaluate((one) => one.hasAttribute('open'))).toBe(true);
    await page.evaluate(() => {
      for (const folded of document.querySelectorAll('details')) folded.open = true;
    });
    const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(await widths()).toEqual([phone.width, phone.width]);
    await page.setViewportSize(desktop);
    expect(await widths()).toEqual([desktop.width, desktop.width]);

    // On a desktop, the contents are beside the text.
    await page.goto(`${relay.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('search re');
    expect(await titles('nav.wide')).toEqual(['Search refunds']);
    await field.fill('zzz');
    expect(await titles('nav.wide')).toEqual([]);
    expect(await page.locator('nav.wide .none').isVisible()).toBe(true);
    await page.goto(`${relay.url}/docs`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    expect(complaints).toEqual([]);
    const files = ['/docs', '/docs.css', '/docs.js'].map((path) => `GET ${relay.url}${path}`);
    expect(requests.filter((request) => !files.includes(request.split('#')[0] ?? ''))).toEqual([]);
  });
});

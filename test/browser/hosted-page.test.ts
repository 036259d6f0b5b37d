import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../support/chromium.ts';
import { startHost } from '../support/host-page.ts';
import { browserThat } from '../support/preferences.ts';
import { openPage, typeCard } from '../support/stack.ts';

const patient = { timeout: 20_000 };
let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix' };

describe('the hosted page', () => {
  it.each([
    { width: 390, height: 844 },
    { width: 320, height: 568 },
  ])('fits a phone of $width × $height, and its button can be reached by finger and by key', async (viewport) => {
    const { relay, gateway } = await startHost();
    const { checkoutUrl } = await relay.session({ payment_methods: [{ type: 'card' }, pix] });
    const { page, complaints } = await openPage(browser, viewport);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await page.goto(checkoutUrl);
    const button = page.locator('button[type=submit]');
    await button.waitFor();
    expect(await overflow()).toBe(0);
    // Every error at once is as wide and as high as it gets.
    await expect
      .poll(async () => {
        await button.click();
        return page.locator('[aria-invalid="true"]').count();
      }, patient)
      .toBe(4);
    expect(await overflow()).toBe(0);
    const box = await button.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(viewport.width);

    await typeCard(page, '4111111111111111');
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab');
        return button.evaluate((element) => element === document.activeElement);
      }, patient)
      .toBe(true);
    const focused = await button.boundingBox();
    expect(focused?.y).toBeGreaterThanOrEqual(0);
    expect((focused?.y ?? 0) + (focused?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    await page.keyboard.press('Enter');
    await expect.poll(() => gateway.payments.list().length, patient).toBe(1);
    await page.getByRole('heading', { name: /approved/i }).waitFor();
    expect(await overflow()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe('without JavaScript', () => {
  it.each([
    ['en-GB', /turn on JavaScript to pay/],
    ['pt-BR', /Ative o JavaScript/],
  ])('a plain text in %s says what to do, on the hosted page and in a frame', async (locale, text) => {
    const { relay, put } = await startHost();
    const { secret, checkoutUrl } = await relay.session();
    // As a person turns it off: what automation turns off may be too late for a frame.
    const { page } = await browserThat({ profile: { default_content_setting_values: { javascript: 2 } } }, locale);
    await page.goto(checkoutUrl);
    await page.getByText(text).waitFor();
    const body = `<turnpike-checkout session="${secret}"><iframe src="${checkoutUrl}" title="Checkout" height="600"></iframe></turnpike-checkout>`;
    await page.goto(put({ body }));
    await page.frameLocator('iframe').getByText(text).waitFor();
  });
});

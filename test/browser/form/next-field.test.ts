import type { Browser } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { alive, openPage, phone, startStack } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

it('a shopper types a card on a phone without pressing Next', async () => {
  const { relay, gateway } = await startStack();
  const { page } = await openPage(browser, phone, { hasTouch: true, isMobile: true });
  const { checkoutUrl } = await relay.session({ payment_methods: [{ type: 'card' }] });
  await page.goto(checkoutUrl);
  await alive(page);
  await page.locator('[autocomplete="cc-number"]').tap();
  await page.keyboard.type('41111111111111111230737');
  expect(await page.locator('[autocomplete="cc-csc"]').inputValue()).toBe('737');
  // One field is empty: Enter goes there, and then pays.
  await page.keyboard.press('Enter');
  await page.keyboard.type('Ada Byron');
  expect(await page.locator('[autocomplete="cc-name"]').getAttribute('enterkeyhint')).toBe('go');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Payment approved' }).waitFor();
  expect(gateway.payments.list()).toHaveLength(1);
});

import type { Browser, FrameLocator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { alive, openPage, startStack } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const thirty = {
  payment_methods: [
    { type: 'card' },
    ...Array.from({ length: 29 }, (_, index) => ({
      type: 'apm',
      payment_method: `M${index}`,
      label: index === 20 ? 'Pagó Fácil' : `Method ${index}`,
    })),
  ],
};
const banks = Array.from({ length: 200 }, (_, index) => ({
  code: `B${index}`,
  name: index === 150 ? 'Itaú Unibanco' : `Bank number ${index}`,
}));
const byBank = { payment_methods: [{ type: 'apm', payment_method: 'TEF', label: 'Transfer', banks }] };
const small = { width: 320, height: 640 };

const radio = (form: Page | FrameLocator, name: string) => form.getByRole('radio', { name, exact: true });
const hasSidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

describe('thirty methods', () => {
  it('show five and a button at 320 px, and expand without shifting', async () => {
    const { relay } = await startStack();
    const { page, complaints } = await openPage(browser, small);
    const { checkoutUrl } = await relay.session(thirty);
    await page.goto(checkoutUrl);
    const more = page.getByText('More ways to pay');
    expect(await page.getByRole('radio').filter({ visible: true }).count()).toBe(5);
    await more.scrollIntoViewIfNeeded();
    const before = await more.boundingBox();
    await more.click();
    expect(await more.boundingBox()).toEqual(before);
    expect(await page.getByRole('radio').filter({ visible: true }).count()).toBe(30);
    expect(await hasSidewaysScroll(page)).toBe(false);
    const twentieth = radio(page, 'Method 19');
    await twentieth.scrollIntoViewIfNeeded();
    const place = await twentieth.boundingBox();
    await twentieth.check();
    await expect.poll(() => twentieth.boundingBox()).toEqual(place);
    await more.click();
    expect(await page.getByRole('radio').filter({ visible: true }).count()).toBe(6);
    expect(await twentieth.isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('are chosen and paid by keyboard', async () => {
    const { relay, gateway } = await startStack();
    const { page } = await openPage(browser, small);
    const { checkoutUrl } = await relay.session(thirty);
    await page.goto(checkoutUrl);
    await alive(page);
    await page.keyboard.press('Tab');
    await page.keyboard.type('pago facil');
    await page.getByText('1 way to pay').waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    const found = radio(page, 'Pagó Fácil');
    await expect.poll(() => found.isChecked()).toBe(true);
    // Arrow keys go through the visible group: from here to the card, the only other method, and back.
    await page.getByRole('searchbox').fill('');
    await found.focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => radio(page, 'Card').isChecked()).toBe(true);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => found.isChecked()).toBe(true);
    await page.getByText('More ways to pay').focus();
    await page.keyboard.press('Enter');
    await page.locator('button[type=submit]').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('can be opened and chosen before the script loads, or without it', async () => {
    const { relay } = await startStack();
    const context = await browser.newContext({ viewport: small, javaScriptEnabled: false });
    try {
      const page = await context.newPage();
      await page.goto((await relay.session(thirty)).checkoutUrl);
      await page.getByText('More ways to pay').click();
      await radio(page, 'Method 12').check();
      await page.getByText('More ways to pay').click();
      expect(await radio(page, 'Method 12').isVisible()).toBe(true);
      expect(await radio(page, 'Method 13').isVisible()).toBe(false);
    } finally {
      await context.close();
    }
  });
});

describe('two hundred banks', () => {
  it('are searched by typing; the gateway receives the chosen one’s code', async () => {
    const { relay, gateway } = await startStack();
    const { page, complaints } = await openPage(browser, small);
    const { checkoutUrl } = await relay.session(byBank);
    await page.goto(checkoutUrl);
    await alive(page);
    const box = page.getByRole('combobox', { name: 'Bank' });
    const button = page.locator('button[type=submit]');
    const below = await button.boundingBox();
    await box.click();
    expect(await page.getByRole('option').count()).toBe(200);
    // The list covers what follows, and the page is long enough for it.
    expect(await button.boundingBox()).toEqual(below);
    const list = await page.getByRole('listbox').boundingBox();
    const height = await page.locator('main').evaluate((main) => main.getBoundingClientRect().bottom + scrollY);
    expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(height);
    expect(await hasSidewaysScroll(page)).toBe(false);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    const last = page.getByRole('option', { name: 'Bank number 199' });
    await expect.poll(() => last.evaluate((option) => option.className)).toBe('active');
    expect(await last.isVisible()).toBe(true);
    await box.pressSequentially('itau');
    expect(await page.getByRole('option').allTextContents()).toEqual(['Itaú Unibanco']);
    await page.getByRole('option').click();
    expect(await box.inputValue()).toBe('Itaú Unibanco');
    await button.click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect(gateway.messages.list().map(({ request }) => request)).toContainEqual(
      expect.stringMatching(/"bank_code":\s*"B150"/),
    );
    expect(complaints).toEqual([]);
  });

  it('are accepted when typed exactly and paid at once', async () => {
    const { relay, gateway } = await startStack();
    const { page } = await openPage(browser, small);
    const { checkoutUrl } = await relay.session(byBank);
    await page.goto(checkoutUrl);
    await alive(page);
    const box = page.getByRole('combobox', { name: 'Bank' });
    await box.pressSequentially('no bank of ours');
    await page.keyboard.press('Escape');
    await page.locator('button[type=submit]').click();
    await page.getByText('Choose a bank from the list').waitFor();
    expect(gateway.payments.list()).toEqual([]);
    await box.fill('bank number 7');
    await page.keyboard.press('Escape');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect(gateway.payments.list()).toHaveLength(1);
  });
});

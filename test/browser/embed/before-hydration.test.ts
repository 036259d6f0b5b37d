import type { Browser, FrameLocator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { startStackAndPlainShop } from '../../support/http/front.ts';
import { openPage, typeCardEarly, type Watched } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

/** The digits of a card and its code: more digits than a port has, and part of no id. */
const DIGITS = /4111 ?11|1111 ?11|(?<![\w-])7391(?![\w-])/;

/** Presses Enter in each field, and the button with mouse and keyboard. */
async function pressEverything({ keyboard }: Page, form: FrameLocator | Page): Promise<void> {
  for (const field of ['cc-exp', 'cc-csc', 'cc-name']) {
    await form.locator(`[autocomplete="${field}"]`).focus();
    await keyboard.press('Enter');
  }
  await form.locator('button[type=submit]').click({ noWaitAfter: true });
  await keyboard.press('Enter');
  await keyboard.press(' ');
  await form.locator('[autocomplete="cc-number"]').focus();
  await keyboard.press('Enter');
}

/** The values of the card's fields. */
function typed(form: FrameLocator | Page): Promise<string[]> {
  return form
    .locator('main input')
    .evaluateAll((inputs) => inputs.map((input) => ('value' in input ? String(input.value) : '')));
}

/** A page loaded without the form's script, and the form in it. */
type Opened = Watched & { form: FrameLocator | Page };

async function open(watched: Watched, where: string, address: string): Promise<Opened> {
  await watched.page.goto(address, { waitUntil: 'commit' });
  const form = where === 'framed' ? watched.page.frameLocator('iframe') : watched.page;
  await form.locator('button[type=submit]').waitFor();
  return { ...watched, form };
}

for (const where of ['hosted', 'framed']) {
  describe(`a form, ${where}, before its script loads`, () => {
    it('keeps typed values, sends nothing, and pays after the script loads', async () => {
      const { front, gateway, plainShop, checkoutUrl } = await startStackAndPlainShop();
      const release = front.holdRest(/^\/checkout\/cs_/, '<script type="module">');
      const opened = await open(await openPage(browser), where, where === 'hosted' ? checkoutUrl : plainShop);
      const { page, form, complaints, requests } = opened;
      await typeCardEarly(form, '4111111111111111', '7391');
      const before = { seen: front.seen.length, requests: [...requests], address: page.url() };
      await pressEverything(page, form);

      // The document is still the same one: the page has not navigated.
      expect(await typed(form)).toEqual(['4111111111111111', '1230', '7391', 'Ada King Byron']);
      expect({ seen: front.seen.length, requests, address: page.url() }).toEqual(before);
      expect(complaints.join()).not.toMatch(DIGITS);

      release();
      const number = form.locator('[autocomplete="cc-number"]');
      await expect.poll(() => number.inputValue()).toBe('4111 1111 1111 1111');
      expect(await number.evaluate((input) => input === document.activeElement)).toBe(true);
      await expect.poll(() => form.locator('[autocomplete="cc-exp"]').inputValue()).toBe('12 / 30');
      expect(front.wire()).not.toMatch(DIGITS);
      await form.locator('[autocomplete="cc-csc"]').fill('739');
      await form.locator('button[type=submit]').click();
      await form.getByRole('heading', { name: 'Payment approved' }).waitFor();
      expect(gateway.payments.list()).toHaveLength(1);
      expect(requests.join()).not.toMatch(DIGITS);
      expect(front.seen.map(({ address, headers }) => JSON.stringify([address, headers])).join()).not.toMatch(DIGITS);
    });
  });

  it(`a form, ${where}, without JavaScript says so and sends nothing`, async () => {
    const { front, plainShop, checkoutUrl } = await startStackAndPlainShop();
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' });
    onTestFinished(() => context.close());
    const requests: string[] = [];
    context.on('request', (request) => requests.push(request.url()));
    const watched = { page: await context.newPage(), context, complaints: [], requests };
    const { page, form } = await open(watched, where, where === 'hosted' ? checkoutUrl : plainShop);
    if (where === 'hosted') expect(await page.innerText('body')).toContain('Turn on JavaScript to pay here.');
    await typeCardEarly(form, '4111111111111111', '7391');
    const before = { seen: front.seen.length, requests: [...requests], address: page.url() };
    await pressEverything(page, form);
    expect(await form.locator('[autocomplete="cc-number"]').inputValue()).toBe('4111111111111111');
    expect({ seen: front.seen.length, requests, address: page.url() }).toEqual(before);
    expect(front.wire()).not.toMatch(DIGITS);
  });
}

it('a form reports earlier errors once its script loads', async () => {
  const { front, plainShop } = await startStackAndPlainShop();
  const release = front.holdRest(/^\/checkout\/cs_/, '<script type="module">');
  const { page, form } = await open(await openPage(browser), 'framed', plainShop);
  await form.locator('[autocomplete="cc-number"]').focus();
  await page.keyboard.type('4111 1111 1111 1112');
  await page.keyboard.press('Tab');
  await page.keyboard.type('1');
  release();
  await form.locator('[autocomplete="cc-number"][aria-invalid="true"]').waitFor();
  await form.getByText('Check the card number', { exact: true }).waitFor();
  expect(await form.locator('.error:not(:empty)').count()).toBe(1);
});

import type { Frame, Page } from 'puppeteer-core';
import { describe, expect, it } from 'vitest';
import {
  contentOf,
  find,
  firefoxWith,
  focused,
  frameIn,
  openFirefoxPage,
  told,
  typeCard,
  type Watched,
} from '../support/browsers/firefox.ts';
import { startFrontedStack, startStackAndPlainShop } from '../support/http/front.ts';

const browser = firefoxWith({});

/** The digits of a card and its code: more of them than a port has, and no part of an id. */
const DIGITS = /4111 ?11|1111 ?11|(?<![\w-])7391(?![\w-])/;

/** Presses Enter in each field, and the button as mouse and keyboard do; a driver's mouse needs a page's script. */
async function pressEverything({ keyboard }: Page, form: Frame | Page): Promise<void> {
  for (const field of ['cc-exp', 'cc-csc', 'cc-name']) {
    await (await find(form, field)).focus();
    await keyboard.press('Enter');
  }
  const button = await find(form, 'button');
  await button.evaluate((element) => element instanceof HTMLElement && element.click());
  await button.focus();
  await keyboard.press('Enter');
  await keyboard.press(' ');
  await (await find(form, 'cc-number')).focus();
  await keyboard.press('Enter');
}

/** A page as far as it comes without the form's script, and the form in it. */
async function open({ page }: Watched, where: string, address: string): Promise<Frame | Page> {
  // It is not loaded before the script is.
  void page.goto(address).catch(() => undefined);
  return where === 'hosted' ? page : frameIn(page);
}

for (const where of ['hosted', 'framed']) {
  describe(`a form, ${where}, in Firefox whose script has not come yet`, () => {
    it('keeps what is typed, sends nothing of it wherever one presses, and pays when the script is there', async () => {
      const { front, gateway, plainShop, checkoutUrl } = await startStackAndPlainShop();
      const release = front.holdRest(/^\/checkout\/cs_/, '<script type="module">');
      const watched = await openFirefoxPage(browser());
      const { page, complaints, addresses } = watched;
      const form = await open(watched, where, where === 'hosted' ? checkoutUrl : plainShop);
      await typeCard(form, '4111111111111111', '7391');
      const before = { seen: front.seen.length, addresses: [...addresses], address: page.url() };
      await pressEverything(page, form);
      expect(await contentOf(form, 'cc-number')).toBe('4111111111111111');
      expect(await contentOf(form, 'cc-csc')).toBe('7391');
      expect({ seen: front.seen.length, addresses, address: page.url() }).toEqual(before);
      expect(complaints.join()).not.toMatch(DIGITS);

      release();
      await expect.poll(() => contentOf(form, 'cc-number'), { timeout: 20_000 }).toBe('4111 1111 1111 1111');
      expect(await focused(form)).toBe('cc-number');
      expect(await contentOf(form, 'cc-exp')).toBe('12 / 30');
      expect(front.wire()).not.toMatch(DIGITS);
      await (await find(form, 'cc-csc')).focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Enter');
      await told(form, /Payment approved/);
      expect(gateway.payments.list()).toHaveLength(1);
      expect(addresses.join()).not.toMatch(DIGITS);
    });
  });
}

it('a method that is chosen before the script has come is the one that is paid by', async () => {
  const { front, relay } = await startFrontedStack();
  const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix' };
  const { checkoutUrl } = await relay.session({ payment_methods: [{ type: 'card' }, pix] });
  const release = front.holdRest(/^\/checkout\/cs_/, '<script type="module">');
  const watched = await openFirefoxPage(browser());
  const { page } = watched;
  await open(watched, 'hosted', checkoutUrl);
  await (await find(page, 'pix')).click();
  release();
  const cardFields = () => page.$$('[autocomplete="cc-number"]').then((inputs) => inputs.length);
  await expect.poll(cardFields, { timeout: 20_000 }).toBe(0);
  await (await find(page, 'button')).click();
  await told(page, /Sandbank/);
});

describe('a Firefox without JavaScript', () => {
  const bare = firefoxWith({ 'javascript.enabled': false });

  for (const where of ['hosted', 'framed']) {
    it(`says so in a form, ${where}, and sends nothing`, async () => {
      const { front, plainShop, checkoutUrl } = await startStackAndPlainShop();
      const watched = await openFirefoxPage(bare());
      const { page, addresses } = watched;
      const form = await open(watched, where, where === 'hosted' ? checkoutUrl : plainShop);
      await told(form, /Turn on JavaScript/);
      await typeCard(form, '4111111111111111', '7391');
      const before = { seen: front.seen.length, addresses: [...addresses], address: page.url() };
      await pressEverything(page, form);
      expect(await contentOf(form, 'cc-number')).toBe('4111111111111111');
      expect({ seen: front.seen.length, addresses, address: page.url() }).toEqual(before);
      expect(front.wire()).not.toMatch(DIGITS);
    });
  }
});

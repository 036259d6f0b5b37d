import type { Frame, Page } from 'puppeteer-core';
import { describe, expect, it } from 'vitest';
import {
  contentOf,
  find,
  firefoxWith,
  focused,
  frameIn,
  lightness,
  openFirefoxPage,
  press,
  typeCard,
  waitForResult,
  waitForText,
} from '../support/browsers/firefox.ts';
import { startHost } from '../support/browsers/host-page.ts';
import { serveDevicePage } from '../support/browsers/serve-device-page.ts';
import { startFrontedStack, startStackAndPlainShop } from '../support/http/front.ts';
import { builtConsole, startConsole } from '../support/operators/console.ts';
import { phone } from '../support/relays/stack.ts';

const browser = firefoxWith({});

const approvedCard = '4111 1111 1111 1111';
const lateCard = '4000000000000119';

/** The digits of a card and its code: more digits than a port has, and part of no id. */
const DIGITS = /4111 ?11|1111 ?11|(?<![\w-])7391(?![\w-])/;

/** The shop's page, on another site than the relay that serves its frame. */
const shopPage = (shopUrl: string, query = '?methods=card') => `${shopUrl.replace('127.0.0.1', 'localhost')}/${query}`;

/** Holds the form's script back; the returned function releases it. */
const holdScript = (front: Awaited<ReturnType<typeof startFrontedStack>>['front']) =>
  front.holdRest(/^\/checkout\/cs_/, '<script type="module">');

/** A shop's page before the form's script loads, and the form in it. */
async function openEarly(page: Page, address: string): Promise<Frame> {
  // The page is not loaded before the script is.
  void page.goto(address).catch(() => undefined);
  return frameIn(page);
}

/** Presses Enter in each field, and the button as mouse and keyboard do; a driver's mouse needs a page's script. */
async function pressEverything({ keyboard }: Page, form: Frame): Promise<void> {
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

/** Fills in a card as Firefox fills a saved one: all fields at once. */
function autofill(form: Frame): Promise<void> {
  return form.evaluate(() => {
    const card = { 'cc-number': '4111111111111111', 'cc-exp': '12/2030', 'cc-name': 'Ada Byron' };
    for (const [token, value] of Object.entries(card)) {
      const input = document.querySelector<HTMLInputElement>(`[autocomplete="${token}"]`);
      if (!input) throw new Error(`no ${token}`);
      input.focus();
      input.value = value;
      input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
      input.blur();
    }
  });
}

describe('a shopper with Firefox', () => {
  it('sends nothing before the script loads, then pays', async () => {
    const { front, gateway, plainShop } = await startStackAndPlainShop();
    const release = holdScript(front);
    const { page, complaints, addresses } = await openFirefoxPage(browser());
    const form = await openEarly(page, plainShop);
    await typeCard(form, '4111111111111111', '7391');
    const before = { seen: front.seen.length, addresses: [...addresses], address: page.url() };
    await pressEverything(page, form);
    expect(await contentOf(form, 'cc-number')).toBe('4111111111111111');
    expect(await contentOf(form, 'cc-csc')).toBe('7391');
    expect({ seen: front.seen.length, addresses, address: page.url() }).toEqual(before);
    expect(complaints.join()).not.toMatch(DIGITS);

    release();
    await expect.poll(() => contentOf(form, 'cc-number')).toBe(approvedCard);
    expect(await focused(form)).toBe('cc-number');
    await expect.poll(() => contentOf(form, 'cc-exp')).toBe('12 / 30');
    expect(front.wire()).not.toMatch(DIGITS);
    await (await find(form, 'cc-csc')).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    await waitForText(form, /Payment approved/);
    expect(gateway.payments.list()).toHaveLength(1);
    expect(addresses.join()).not.toMatch(DIGITS);
  });

  it('types, corrects and pays with the keyboard alone, without console errors', async () => {
    const { front, relay, gateway, shopUrl } = await startFrontedStack();
    const { page, complaints, addresses } = await openFirefoxPage(browser());
    await page.goto(shopPage(shopUrl));
    const form = await frameIn(page);
    await autofill(form);
    await expect.poll(() => contentOf(form, 'cc-number')).toBe(approvedCard);
    await expect.poll(() => contentOf(form, 'cc-exp')).toBe('12 / 30');

    // The caret stays in place when a number is corrected.
    const number = await find(form, 'cc-number');
    const caret = () => number.evaluate((input) => (input instanceof HTMLInputElement ? input.selectionStart : -1));
    await number.click({ count: 3 });
    await page.keyboard.type('4111111151111111');
    expect(await contentOf(form, 'cc-number')).toBe('4111 1111 5111 1111');
    for (let back = 0; back < 8; back++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Backspace');
    expect(await contentOf(form, 'cc-number')).toBe('4111 1111 1111 111');
    await page.keyboard.type('1');
    expect(await contentOf(form, 'cc-number')).toBe(approvedCard);
    expect(await caret()).toBe('4111 1111 1'.length);

    const expiry = await find(form, 'cc-exp');
    for (const typed of ['1230', '12/30', '12 2030', '12-30', '12/2030']) {
      await expiry.click({ count: 3 });
      await page.keyboard.type(typed);
      expect(await contentOf(form, 'cc-exp'), typed).toBe('12 / 30');
    }
    for (const text of ['', '737', '']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    expect(await focused(form)).toMatch(/^Pay .*129\.90/);
    await page.keyboard.press('Enter');
    await waitForResult(page, 'approved');
    await waitForText(form, /Payment approved/);
    await expect.poll(() => focused(form)).toBe('Payment approved');
    const [{ order, state } = {}] = gateway.payments.list();
    expect(state?.status).toBe('approved');

    // Firefox supports Trusted Types and partitions the frame's cookies, as the form needs.
    expect(await form.evaluate(() => 'trustedTypes' in window)).toBe(true);
    expect(complaints).toEqual([]);
    expect([...addresses, ...front.seen.map(({ address }) => address)].join()).not.toMatch(
      /411111|(?<![\w-])737(?![\w-])/,
    );
    expect(relay.logLines.join()).not.toContain('411111111111');
    await page.reload();
    await waitForText(page, new RegExp(`Your order ${order?.order_no} is paid`));
  });

  it('chooses Pix early and returns from the issuer to the outcome', async () => {
    const { front, gateway, shopUrl } = await startFrontedStack();
    const release = holdScript(front);
    const { page } = await openFirefoxPage(browser());
    const form = await openEarly(page, shopPage(shopUrl, ''));
    await (await find(form, 'pix')).click();
    release();
    const cardFields = () => form.$$('[autocomplete="cc-number"]').then((inputs) => inputs.length);
    await expect.poll(cardFields).toBe(0);
    await (await find(form, 'button')).click();
    await waitForText(page, /Sandbank/);
    // The driver learns only after painting that the form's frame has gone.
    await expect.poll(() => page.frames().length).toBe(1);
    await press(page, 'Approve');
    await waitForText(page, /Thank you/);
    // The driver learns the new address only after painting.
    await expect.poll(() => page.url()).toMatch(new RegExp(`^${shopUrl}/thanks\\?`));
    expect(gateway.payments.list().map(({ state }) => state.status)).toEqual(['approved']);
  });

  it('goes back during a payment on a phone, and finds one payment', async () => {
    const { relay, gateway } = await startFrontedStack({ lateMs: 1500 });
    const { page } = await openFirefoxPage(browser(), phone);
    const buttons = async () => (await page.$$('button[type=submit]')).length;
    await page.goto((await relay.session()).checkoutUrl);
    await typeCard(page, lateCard);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => gateway.payments.list().length).toBe(1);
    await page.goto('about:blank');
    await page.goBack();
    await waitForText(page, /Payment approved/);
    expect(await buttons()).toBe(0);
    await page.reload();
    await waitForText(page, /Payment approved/);
    expect(await buttons()).toBe(0);
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('sees the form in the page’s theme, following its changes', async () => {
    const { relay, loader, put } = await startHost();
    const { secret } = await relay.session();
    const { page } = await openFirefoxPage(browser());
    const style = '<style>.night { background: #000; color: oklch(0.95 0 0) }</style>';
    const body = `<div class="night"><turnpike-checkout session="${secret}" theme="auto"></turnpike-checkout></div>`;
    await page.goto(put({ head: loader + style, body }));
    const form = await frameIn(page);
    await form.waitForSelector(':root[data-theme=dark]');
    expect(await lightness(form, '[autocomplete="cc-number"]', 'color')).toBeGreaterThan(0.7);
    await page.evaluate(() => document.querySelector('.night')?.classList.remove('night'));
    await form.waitForSelector(':root[data-theme=light]');
    // The accent of the place of the code, once the flow's styles are there.
    await (await find(form, 'button')).click();
    await waitForText(form, /Enter your card number/);
    expect(await form.$eval('.mark.back', (mark) => getComputedStyle(mark).color)).toBe('rgb(31, 94, 255)');
  });
});

it('Firefox reads the library’s fingerprint and keeps the console’s cookie', async () => {
  const served = await serveDevicePage();
  const { page, complaints } = await openFirefoxPage(browser());
  await page.goto(served.url);
  const [ours, library] = await page.evaluate(async () => [await window.device.ours(), await window.device.library()]);
  await served.close();
  expect(ours).toMatch(/^[0-9a-f]{32}$/);
  expect(ours).toBe(library);
  expect(complaints).toEqual([]);

  const relay = await startConsole({ consolePage: builtConsole() });
  await page.goto(`${relay.url}/console`);
  const statuses = await page.evaluate(async () => {
    const body = JSON.stringify({ name: 'Ada', password: 'ada’s' });
    const headers = { 'content-type': 'application/json' };
    const signedIn = await fetch('/console/api/sign-in', { method: 'POST', headers, body });
    return [signedIn.status, (await fetch('/console/api/me')).status];
  });
  expect(statuses).toEqual([200, 200]);
});

import { describe, expect, it } from 'vitest';
import {
  contentOf,
  find,
  firefoxWith,
  focused,
  frameIn,
  heard,
  openFirefoxPage,
  press,
  told,
} from '../support/browsers/firefox.ts';
import { startFrontedStack } from '../support/http/front.ts';
import { phone } from '../support/relays/stack.ts';

const browser = firefoxWith({});

const approvedCard = '4111 1111 1111 1111';

/** The shop's page, on another site than the relay whose frame is in it. */
async function inTheShop(query = '?methods=card', options: { lateMs?: number } = {}) {
  const stack = await startFrontedStack(options);
  const watched = await openFirefoxPage(browser());
  await watched.page.goto(`${stack.shopUrl.replace('127.0.0.1', 'localhost')}/${query}`);
  const form = await frameIn(watched.page);
  const states = () => stack.gateway.payments.list().map(({ state }) => state.status);
  const payRequests = () => stack.front.seen.filter(({ address }) => address === '/checkout/api/pay');
  return { ...stack, ...watched, form, states, payRequests };
}

describe('a shopper with Firefox', () => {
  it('pays with the keyboard alone, and nothing in the page or the frame is refused or complained of', async () => {
    const { page, form, states, front, relay, complaints, addresses } = await inTheShop();
    await (await find(form, 'cc-number')).focus();
    for (const text of [approvedCard, '12/2030', '737', 'Ada King Byron']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    expect(await focused(form)).toMatch(/^Pay .*129\.90/);
    await page.keyboard.press('Enter');
    await heard(page, 'approved');
    await told(form, /Payment approved/);
    expect(await focused(form)).toBe('Payment approved');
    expect(states()).toEqual(['approved']);

    // Firefox has Trusted Types and partitions the frame's cookies, as the form needs it.
    expect(await form.evaluate(() => 'trustedTypes' in window)).toBe(true);
    expect(complaints).toEqual([]);
    expect([...addresses, ...front.seen.map(({ address }) => address)].join()).not.toMatch(
      /411111|(?<![\w-])737(?![\w-])/,
    );
    expect(relay.logLines.join()).not.toContain('411111111111');
  });

  it('goes to the issuer in the whole window, and comes back to the truth', async () => {
    const { page, form, states, shopUrl } = await inTheShop('');
    await (await find(form, 'pix')).click();
    await (await find(form, 'button')).click();
    await told(page, /Sandbank/);
    // The driver hears that the form's frame is gone after the page has been drawn.
    await expect.poll(() => page.frames().length).toBe(1);
    await press(page, 'Approve');
    await told(page, /Thank you/);
    // The driver hears of the new address after the page has been drawn.
    await expect.poll(() => page.url()).toMatch(new RegExp(`^${shopUrl}/thanks\\?`));
    expect(states()).toEqual(['approved']);
  });

  it('mends a number in its middle, and the caret stays there', async () => {
    const { page, form } = await inTheShop();
    const number = await find(form, 'cc-number');
    const caret = () => number.evaluate((input) => (input instanceof HTMLInputElement ? input.selectionStart : -1));
    await number.type('4111111151111111');
    expect(await contentOf(form, 'cc-number')).toBe('4111 1111 5111 1111');
    for (let back = 0; back < 8; back++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Backspace');
    expect(await contentOf(form, 'cc-number')).toBe('4111 1111 1111 111');
    await page.keyboard.type('5');
    expect(await contentOf(form, 'cc-number')).toBe('4111 1111 5111 1111');
    expect(await caret()).toBe('4111 1111 5'.length);
  });

  it('has the expiry in one form, however it is typed', async () => {
    const { page, form } = await inTheShop();
    const expiry = await find(form, 'cc-exp');
    for (const typed of ['1230', '12/30', '12/2030', '12 2030', '12-30']) {
      await expiry.click({ count: 3 });
      await page.keyboard.type(typed);
      expect(await contentOf(form, 'cc-exp'), typed).toBe('12 / 30');
    }
  });

  it('has it all filled in one go, as Firefox fills a saved card', async () => {
    const { page, form, states } = await inTheShop();
    await form.evaluate(() => {
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
    await (await find(form, 'cc-csc')).type('737');
    expect(await contentOf(form, 'cc-number')).toBe(approvedCard);
    await page.keyboard.press('Enter');
    await heard(page, 'approved');
    expect(states()).toEqual(['approved']);
  });
});

it('a phone is as wide as all of it', async () => {
  const { relay } = await startFrontedStack();
  const { page } = await openFirefoxPage(browser(), phone);
  await page.goto((await relay.session()).checkoutUrl);
  await find(page, 'cc-number');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

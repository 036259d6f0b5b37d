import { describe, expect, it } from 'vitest';
import { hasWebKit } from '../support/browsers/find-webkit.ts';
import { startHost, strictPolicy } from '../support/browsers/host-page.ts';
import { Key } from '../support/browsers/webdriver.ts';
import { webKitWith } from '../support/browsers/webkit.ts';
import { startFrontedStack } from '../support/http/front.ts';

const approvedCard = '4111 1111 1111 1111';

describe.runIf(hasWebKit)('a shopper with WebKit', () => {
  const open = webKitWith({ args: ['--enable-itp'] });

  /** The shop's page, on another site than the relay whose frame is in it. */
  async function inTheShop(query = '?methods=card') {
    const stack = await startFrontedStack();
    const browser = await open();
    await browser.goto(`${stack.shopUrl.replace('127.0.0.1', 'localhost')}/${query}`);
    const states = () => stack.gateway.payments.list().map(({ state }) => state.status);
    return { ...stack, browser, page: browser.page, form: browser.form, states };
  }

  /** A page of the shop's own. */
  async function onAPage(body: (secret: string, checkoutUrl: string) => string, session = {}, csp?: string) {
    const host = await startHost();
    const made = await host.relay.session(session);
    const browser = await open();
    await browser.goto(
      host.put({
        head: host.loader,
        body: body(made.secret, made.checkoutUrl),
        csp: csp ?? strictPolicy(host.relay.url),
      }),
    );
    return { ...host, ...made, browser, page: browser.page, form: browser.form };
  }

  it('pays with the keyboard alone, and hears of it', async () => {
    const { browser, form, states, front, relay } = await inTheShop();
    await form.click('cc-number');
    for (const text of [approvedCard, '12/2030', '737', 'Ada King Byron']) await browser.press(text, Key.tab);
    expect(await form.focused()).toMatch(/^Pay .*129\.90/);
    await browser.press(Key.enter);
    await browser.heard('approved');
    await form.told(/Payment approved/);
    expect(await form.focused()).toBe('Payment approved');
    expect(states()).toEqual(['approved']);
    expect(front.seen.map(({ address }) => address).join()).not.toMatch(/411111|(?<![\w-])737(?![\w-])/);
    expect(relay.logLines.join()).not.toContain('411111111111');
  });

  it('is told what is wrong, taken there, and mends it', async () => {
    const { browser, form, states } = await inTheShop();
    await form.typeCard('4111111151111111');
    await form.told(/Check the card number/);
    await browser.press(Key.enter);
    expect(await form.focused()).toBe('cc-number');
    await browser.press(Key.end, ...Array<string>(8).fill(Key.left), Key.backspace);
    expect(await form.content('cc-number')).toBe('4111 1111 1111 111');
    await browser.press('1');
    expect(await form.content('cc-number')).toBe(approvedCard);
    expect(states()).toEqual([]);
    await browser.press(Key.enter);
    await browser.heard('approved');
    expect(states()).toEqual(['approved']);
  });

  it('goes to the issuer in the whole window, and comes back', async () => {
    const { browser, page, form, states, shopUrl } = await inTheShop('');
    await form.click('pix');
    await form.click('button');
    await page.told(/Sandbank/);
    await page.clickOn('button, a', 'Approve');
    await page.told(/Thank you/);
    expect(await browser.url()).toMatch(new RegExp(`^${shopUrl}/thanks\\?`));
    expect(states()).toEqual(['approved']);
  });

  it('pays in a frame that the shop’s HTML brought', async () => {
    const { browser, page, form, gateway } = await onAPage(
      (secret, checkoutUrl) =>
        `<turnpike-checkout session="${secret}"><iframe src="${checkoutUrl}" title="Pay" height="20"></iframe></turnpike-checkout>`,
    );
    const height = () => page.evaluate(() => document.querySelector('turnpike-checkout > iframe')?.clientHeight);
    await expect.poll(height).toBeGreaterThan(300);
    await form.typeCard(approvedCard);
    await browser.press(Key.enter);
    await browser.heard('approved');
    expect(gateway.payments.list()).toHaveLength(1);
  });
});

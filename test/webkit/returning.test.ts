import { describe, expect, it } from 'vitest';
import { hasWebKit } from '../support/browsers/find-webkit.ts';
import { Key } from '../support/browsers/webdriver.ts';
import { webKitWith } from '../support/browsers/webkit.ts';
import { startFrontedStack } from '../support/http/front.ts';

const approvedCard = '4111111111111111';
const lateCard = '4000000000000119';
const pix = { payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }] };

describe.runIf(hasWebKit)('a shopper who comes back in WebKit', () => {
  const open = webKitWith({ args: ['--enable-itp'] });

  /** The hosted page of a new session. */
  async function onTheHostedPage(options: { lateMs?: number } = {}) {
    const stack = await startFrontedStack(options);
    const { checkoutUrl } = await stack.relay.session(pix);
    const browser = await open();
    await browser.goto(checkoutUrl);
    const states = () => stack.gateway.payments.list().map(({ state }) => state.status);
    return { ...stack, browser, page: browser.page, states };
  }

  it.each(['the hosted page', 'a shop’s page'])(
    'by the back button from the issuer to %s pays by card',
    async (where) => {
      const { browser, page, states, shopUrl } = await onTheHostedPage();
      const isHosted = where === 'the hosted page';
      if (!isHosted) await browser.goto(shopUrl.replace('127.0.0.1', 'localhost'));
      const form = isHosted ? page : browser.form;
      await form.click('pix');
      // The page is the same one after all: nothing is loaded again.
      await page.evaluate(() => Reflect.set(window, 'kept', true));
      await form.click('button');
      await page.told(/Sandbank/);
      await browser.back();
      await form.told(/not paid yet/i);
      expect(await page.evaluate(() => 'kept' in window)).toBe(true);
      await form.click('card');
      await form.typeCard(approvedCard);
      await browser.press(Key.enter);
      await form.told(/Payment approved/);
      expect(states()).toEqual(['undecided', 'approved']);
    },
  );

  it('to a page that was paid sees that it is paid', async () => {
    const { browser, page, states } = await onTheHostedPage();
    await page.click('card');
    await page.typeCard(approvedCard);
    await browser.press(Key.enter);
    await page.told(/Payment approved/);
    await browser.goto('about:blank');
    await browser.back();
    await page.told(/Payment approved/);
    await browser.reload();
    await page.told(/Payment approved/);
    expect(await page.evaluate(() => document.querySelectorAll('button').length)).toBe(0);
    expect(states()).toEqual(['approved']);
  });

  it('in the middle of a payment is told the truth, once paid', async () => {
    const { browser, page, gateway, states, front } = await onTheHostedPage({ lateMs: 1500 });
    await page.click('card');
    await page.typeCard(lateCard);
    await browser.press(Key.enter);
    await expect.poll(() => gateway.payments.list().length).toBe(1);
    await browser.goto('about:blank');
    await browser.back();
    await page.told(/Payment approved/);
    await browser.reload();
    await page.told(/Payment approved/);
    expect(states()).toEqual(['approved']);
    expect(front.seen.filter(({ address }) => address === '/checkout/api/pay')).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { hasWebKit } from '../support/browsers/find-webkit.ts';
import { startHost, strictPolicy } from '../support/browsers/host-page.ts';
import { Key } from '../support/browsers/webdriver.ts';
import { type WebKitDocument, webKitWith } from '../support/browsers/webkit.ts';
import { startFrontedStack, startStackAndPlainShop } from '../support/http/front.ts';

const approvedCard = '4111 1111 1111 1111';
const lateCard = '4000000000000119';

/** The lightness of a computed colour of the card's fields: 0 is black, 1 white. */
async function lightness(form: WebKitDocument, property: 'color' | 'backgroundColor'): Promise<number> {
  const rgb = await form.evaluate((property) => {
    const element = document.querySelector('#field-card');
    return element ? getComputedStyle(element)[property] : '';
  }, property);
  const channels = (String(rgb).match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  return channels.reduce((sum, channel) => sum + channel, 0) / channels.length / 255;
}

/** Whether scripts of a document may store anything for their own site. */
const keeps = (place: WebKitDocument) =>
  place.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: it answers at once
    document.cookie = 'probe=1';
    return document.cookie.includes('probe');
  });

describe.runIf(hasWebKit)('a shopper with WebKit, which blocks third-party cookies', () => {
  const open = webKitWith({ args: ['--cookies-policy=no-third-party', '--enable-itp'] });

  /** The shop's page, on another site than the relay that serves its frame. */
  async function inTheShop(query = '?methods=card') {
    const stack = await startFrontedStack();
    const browser = open();
    await browser.goto(`${stack.shopUrl.replace('127.0.0.1', 'localhost')}/${query}`);
    const states = () => stack.gateway.payments.list().map(({ state }) => state.status);
    return { ...stack, browser, page: browser.page, form: browser.form, states };
  }

  it('pays with the keyboard alone and corrects an error', async () => {
    const { browser, page, form, states, front, relay } = await inTheShop();
    await form.click('cc-number');
    expect([await keeps(page), await keeps(form)]).toEqual([true, false]);
    for (const text of ['4111111151111111', '12/2030', '737', 'Ada King Byron']) await browser.press(text, Key.tab);
    expect(await form.focused()).toMatch(/^Pay .*129\.90/);
    await browser.press(Key.enter);
    await form.waitForText(/Check the card number/);
    await expect.poll(() => form.focused()).toBe('cc-number');
    await browser.press(Key.end, ...Array<string>(8).fill(Key.left), Key.backspace);
    expect(await form.content('cc-number')).toBe('4111 1111 1111 111');
    await browser.press('1');
    expect(await form.content('cc-number')).toBe(approvedCard);
    expect(states()).toEqual([]);
    await browser.press(Key.enter);
    await browser.waitForResult('approved');
    await form.waitForText(/Payment approved/);
    await expect.poll(() => form.focused()).toBe('Payment approved');
    expect(states()).toEqual(['approved']);
    expect(front.seen.map(({ address }) => address).join()).not.toMatch(/411111|(?<![\w-])737(?![\w-])/);
    expect(relay.logLines.join()).not.toContain('411111111111');
  });

  it('goes back from the issuer to the cached page, then approves', async () => {
    const { browser, page, form, states, shopUrl } = await inTheShop('');
    await form.click('pix');
    // The page comes from the back-forward cache: nothing is loaded again.
    await page.evaluate(() => Reflect.set(window, 'kept', true));
    await form.click('button');
    await page.waitForText(/Sandbank/);
    await browser.back();
    await form.waitForText(/Finish your payment with/);
    expect(await page.evaluate(() => 'kept' in window)).toBe(true);
    await form.clickOn('a', 'Continue your Pix payment');
    await page.waitForText(/Sandbank/);
    await page.clickOn('button, a', 'Approve');
    await page.waitForText(/Thank you/);
    await expect.poll(() => browser.url()).toMatch(new RegExp(`^${shopUrl}/thanks\\?`));
    expect(states()).toEqual(['approved']);
  });

  it('goes back to the hosted page during a payment, finds it paid', async () => {
    const { relay, gateway, front } = await startFrontedStack({ lateMs: 1500 });
    const browser = open();
    const { page } = browser;
    await browser.goto((await relay.session()).checkoutUrl);
    await page.typeCard(lateCard);
    await browser.press(Key.enter);
    await expect.poll(() => gateway.payments.list().length).toBe(1);
    await browser.goto('about:blank');
    await browser.back();
    await page.waitForText(/Payment approved/);
    await browser.reload();
    await page.waitForText(/Payment approved/);
    expect(await page.evaluate(() => document.querySelectorAll('button').length)).toBe(0);
    expect(gateway.payments.list().map(({ state }) => state.status)).toEqual(['approved']);
    expect(front.seen.filter(({ address }) => address === '/checkout/api/pay')).toHaveLength(1);
  });

  it('pays in the HTML’s own frame, in the page’s dark theme', async () => {
    const { relay, gateway, loader, put } = await startHost();
    const { secret, checkoutUrl } = await relay.session();
    const browser = open();
    const { page, form } = browser;
    const frame = `<iframe src="${checkoutUrl}" title="Pay" height="20"></iframe>`;
    const element = `<turnpike-checkout session="${secret}" theme="auto">${frame}</turnpike-checkout>`;
    const night = '.night { background: #000; color: oklch(0.95 0 0) } p { height: 2000px }';
    await browser.goto(
      put(
        {
          head: `${loader}<style nonce="n">${night}</style>`,
          body: `<div class="night">${element}</div><p></p><button id="own">Buy</button>`,
          csp: strictPolicy(relay.url).replace("style-src 'self'", "style-src 'self' 'nonce-n'"),
        },
        `document.querySelector('#own').onclick = () => document.querySelector('turnpike-checkout').submit();`,
      ),
    );
    await page.waitForText(/^ready$/m);
    const height = () => page.evaluate(() => document.querySelector('turnpike-checkout > iframe')?.clientHeight);
    await expect.poll(height).toBeGreaterThan(300);
    await expect.poll(() => lightness(form, 'color')).toBeGreaterThan(0.7);
    await page.evaluate(() => document.querySelector('.night')?.classList.remove('night'));
    await expect.poll(() => lightness(form, 'color')).toBeLessThan(0.3);

    await page.clickOn('#own');
    await form.waitForText(/Enter your card number/);
    await expect.poll(() => form.focused()).toBe('cc-number');
    const accent = () => getComputedStyle(document.querySelector('.mark.back') ?? document.body).color;
    expect(await form.evaluate(accent)).toBe('rgb(31, 94, 255)');
    expect(await page.evaluate(() => scrollY < 200)).toBe(true);
    expect(gateway.payments.list()).toEqual([]);
    await form.typeCard(approvedCard);
    await browser.press(Key.enter);
    await browser.waitForResult('approved');
    expect(gateway.payments.list()).toHaveLength(1);
  });
});

describe.runIf(hasWebKit)('a dark WebKit without any cookies', () => {
  const open = webKitWith({ args: ['--cookies-policy=never', '--enable-itp'], dark: true, early: true });

  it('keeps typed values from before the script, then pays', async () => {
    const { front, gateway, relay, plainShop, checkoutUrl } = await startStackAndPlainShop();
    const release = front.holdRest(/^\/checkout\/cs_/, '<script type="module">');
    const browser = open();
    const { page, form } = browser;
    await browser.goto(plainShop);
    await form.typeCard('4111111111111112');
    expect([await keeps(page), await keeps(form)]).toEqual([false, false]);
    expect(await lightness(form, 'color')).toBeGreaterThan(0.7);
    expect(await lightness(form, 'backgroundColor')).toBeLessThan(0.3);
    await form.evaluate(() => {
      const refused: string[] = [];
      Reflect.set(window, 'refused', refused);
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
        refused.push(`${effectiveDirective} ${blockedURI} ${sample}`),
      );
    });
    const seen = front.seen.length;
    await browser.press(Key.enter);
    expect(front.seen).toHaveLength(seen);
    expect(await form.content('cc-number')).toBe('4111111111111112');

    release();
    await form.waitForText(/Check the card number/);
    expect(await form.content('cc-number')).toBe('4111 1111 1111 1112');
    expect(await form.focused()).toBe('cc-name');
    const fingerprints = () => form.evaluate(() => performance.getEntriesByName('turnpike-device').length);
    await expect.poll(fingerprints).toBe(1);
    expect(await form.evaluate(() => Reflect.get(window, 'refused'))).toEqual([]);
    await form.click('cc-number');
    await browser.press(Key.end, Key.backspace, '1', Key.enter);
    await form.waitForText(/Payment approved/);
    expect(gateway.payments.list()).toHaveLength(1);
    const [, session = ''] = /(cs_[^#]+)#/.exec(checkoutUrl) ?? [];
    const { attempts } = await relay.truth(session);
    expect(attempts).toEqual([expect.not.objectContaining({ device_fingerprint: 'missing' })]);
  });
});

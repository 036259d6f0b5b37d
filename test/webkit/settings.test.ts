import { describe, expect, it } from 'vitest';
import { hasWebKit } from '../support/browsers/find-webkit.ts';
import { startHost } from '../support/browsers/host-page.ts';
import { Key } from '../support/browsers/webdriver.ts';
import { type WebKitDocument, webKitWith } from '../support/browsers/webkit.ts';
import { startStackAndPlainShop } from '../support/http/front.ts';

const approvedCard = '4111111111111111';

/** How light a colour that the browser computed is: 0 is black, 1 white. */
async function lightness(
  form: WebKitDocument,
  selector: string,
  property: 'color' | 'backgroundColor',
): Promise<number> {
  const rgb = await form.evaluate(
    (selector, property) => {
      const element = document.querySelector(selector);
      return element ? getComputedStyle(element)[property] : '';
    },
    selector,
    property,
  );
  const channels = (String(rgb).match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  return channels.reduce((sum, channel) => sum + channel, 0) / channels.length / 255;
}

/** Whether scripts of a document may keep anything for their own site. */
const keeps = (place: WebKitDocument) =>
  place.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: it answers at once
    document.cookie = 'probe=1';
    return document.cookie.includes('probe');
  });

describe.runIf(hasWebKit).each([
  { what: 'third-party cookies', policy: 'no-third-party', shopKeeps: true, dark: false },
  { what: 'all cookies, in the dark,', policy: 'never', shopKeeps: false, dark: true },
])('a WebKit without $what', ({ policy, shopKeeps, dark }) => {
  const open = webKitWith({ args: [`--cookies-policy=${policy}`, '--enable-itp'], dark });

  it('pays', async () => {
    const { relay, gateway, loader, put } = await startHost();
    const { secret } = await relay.session();
    const browser = await open();
    const { form, page } = browser;
    await browser.goto(
      put({
        head: `${loader}<style>:root { color-scheme: light dark }</style>`,
        body: `<turnpike-checkout session="${secret}" theme="auto"></turnpike-checkout>`,
      }),
    );
    await form.typeCard(approvedCard);
    expect(await keeps(page)).toBe(shopKeeps);
    expect(await keeps(form)).toBe(false);
    const [text, ground] = [
      await lightness(form, '#field-card', 'color'),
      await lightness(form, '#field-card', 'backgroundColor'),
    ];
    if (dark) expect([text > 0.7, ground < 0.3]).toEqual([true, true]);
    else expect([text < 0.3, ground > 0.7]).toEqual([true, true]);
    await form.click('button');
    await browser.heard('approved');
    expect(gateway.payments.list()).toHaveLength(1);
  });
});

describe.runIf(hasWebKit)('a form in WebKit', () => {
  const open = webKitWith();

  it('keeps and checks what was typed before its script came', async () => {
    const { front, gateway, plainShop } = await startStackAndPlainShop();
    const release = front.holdRest(/^\/checkout\/cs_/, '<script type="module">');
    const browser = await open({ early: true });
    const { form } = browser;
    await browser.goto(plainShop);
    await form.typeCard('4111111111111112');
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
    await form.told(/Check the card number/);
    expect(await form.content('cc-number')).toBe('4111 1111 1111 1112');
    expect(await form.focused()).toBe('cc-name');
    const fingerprints = () => form.evaluate(() => performance.getEntriesByName('turnpike-device').length);
    await expect.poll(fingerprints).toBe(1);
    expect(await form.evaluate(() => Reflect.get(window, 'refused'))).toEqual([]);
    await form.click('cc-number');
    await browser.press(Key.end, Key.backspace, '1', Key.enter);
    await form.told(/Payment approved/);
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('is dark on a dark page, and turns with it', async () => {
    const { relay, loader, put } = await startHost();
    const { secret } = await relay.session();
    const browser = await open();
    const style = '<style>.night { background: #000; color: oklch(0.95 0 0) }</style>';
    const body = `<div class="night"><turnpike-checkout session="${secret}" theme="auto"></turnpike-checkout></div>`;
    await browser.goto(put({ head: loader + style, body }));
    await browser.page.told(/^ready$/m);
    expect(await lightness(browser.form, '#field-card', 'color')).toBeGreaterThan(0.7);
    await browser.page.evaluate(() => document.querySelector('.night')?.classList.remove('night'));
    await expect.poll(() => lightness(browser.form, '#field-card', 'color')).toBeLessThan(0.3);
  });

  it('shows what is wrong when the shop’s own button is pressed', async () => {
    const { relay, gateway, loader, put } = await startHost();
    const { secret } = await relay.session();
    const browser = await open();
    const { form, page } = browser;
    await browser.goto(
      put(
        {
          head: loader,
          body: `<turnpike-checkout session="${secret}"></turnpike-checkout><p style="height:2000px"></p><button id="own">Buy</button>`,
        },
        `document.querySelector('#own').onclick = () => document.querySelector('turnpike-checkout').submit();`,
      ),
    );
    await page.told(/^ready$/m);
    await page.clickOn('#own');
    await form.told(/Enter your card number/);
    expect(await form.focused()).toBe('cc-number');
    expect(await page.evaluate(() => scrollY < 200)).toBe(true);
    expect(gateway.payments.list()).toEqual([]);
  });
});

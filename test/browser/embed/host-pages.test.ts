import type { Browser, FrameLocator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { startHost, strictPolicy } from '../../support/browsers/host-page.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { eventsOf, formIn, openPage, typeCard, waitForEvent } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const approved = '4111111111111111';

async function pay(form: FrameLocator | Page, number = approved): Promise<void> {
  await typeCard(form, number);
  await form.locator('button[type=submit]').click();
}

describe('a page with the strictest content security policy', () => {
  it('holds a checkout from its HTML and one that a script mounts', async () => {
    const more = "; require-trusted-types-for 'script'; trusted-types 'none'";
    const { relay, gateway, loader, put } = await startHost();
    const [first, second] = [await relay.session(), await relay.session()];
    const { page, complaints } = await openPage(browser);
    const url = put(
      {
        csp: strictPolicy(relay.url) + more,
        head: loader,
        body: `<turnpike-checkout id="html" session="${first.secret}" theme="dark compact"></turnpike-checkout><div id="place"></div>`,
      },
      `addEventListener('load', () => {
          const checkout = Turnpike.checkout({ session: '${second.secret}', locale: 'es', appearance: {
            theme: 'auto', variables: { '--turnpike-radius': '0' },
          } });
          checkout.on('result', ({ status }) => { document.title = status; }).mount('#place');
        });`,
    );
    await page.goto(url);
    await pay(page.frameLocator('#html iframe'));
    await waitForEvent(page, '"status":"approved"');
    await pay(page.frameLocator('#place iframe'));
    await expect.poll(() => page.title()).toBe('approved');
    expect(gateway.payments.list()).toHaveLength(2);
    expect(complaints).toEqual([]);
  });
});

describe('two checkouts on one page', () => {
  it('are two payments, each with its own form and events', async () => {
    const { relay, gateway, loader, put } = await startHost();
    const first = await relay.session({ order: { amount: '10.00' } });
    const second = await relay.session({ order: { amount: '20.00' } });
    const { page, complaints } = await openPage(browser);
    const elements = `<turnpike-checkout id="first" session="${first.secret}"></turnpike-checkout>
<turnpike-checkout id="second" session="${second.secret}"></turnpike-checkout>`;
    // The script is loaded twice, as when two parts of a page include it.
    await page.goto(put({ head: loader, body: elements + loader }));
    const [one, two] = [page.frameLocator('#first iframe'), page.frameLocator('#second iframe')];
    await typeCard(one, approved);
    await pay(two, '4000000000000002');
    await waitForEvent(page, 'second result {"status":"declined"');
    expect(await one.locator('[autocomplete="cc-number"]').inputValue()).toBe('4111 1111 1111 1111');
    await one.getByRole('button', { name: /10\.00/ }).click();
    await waitForEvent(page, `first result {"status":"approved","order_no":"${first.orderNo}"`);
    await two.getByRole('button', { name: /20\.00/ }).waitFor();
    expect(gateway.payments.list()).toMatchObject([
      { order: { amount: '20.00' }, state: { status: 'declined' } },
      { order: { amount: '10.00' }, state: { status: 'approved' } },
    ]);
    const events = await eventsOf(page);
    expect(events.filter((line) => /first (result|error)/.test(line))).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});

describe('a shadow root', () => {
  it.each(['open', 'closed'] as const)('that is %s holds a checkout like any page', async (mode) => {
    const { relay, gateway, loader, put } = await startHost();
    const { secret, checkoutUrl, orderNo } = await relay.session();
    const { page, complaints } = await openPage(browser);
    const url = put(
      { csp: strictPolicy(relay.url), head: loader, body: '<shop-counter></shop-counter><p id="outside"></p>' },
      `customElements.define('shop-counter', class extends HTMLElement {
        connectedCallback() {
          const root = this.attachShadow({ mode: '${mode}' });
          const checkout = document.createElement('turnpike-checkout');
          checkout.id = 'inner';
          checkout.setAttribute('session', '${secret}');
          const link = document.createElement('a');
          link.href = '${checkoutUrl}';
          checkout.append(link);
          listen(checkout);
          root.append(checkout);
        }
      });
      document.addEventListener('result', () => { document.querySelector('#outside').textContent = 'heard'; }, true);`,
    );
    await page.goto(url);
    await waitForEvent(page, 'inner ready');
    const form = page.frames().find((frame) => frame.url().includes('/checkout/'));
    if (!form) throw new Error('there is no frame');
    await form.locator('[autocomplete="cc-number"]').fill(approved);
    await form.locator('[autocomplete="cc-exp"]').fill('12/30');
    await form.locator('[autocomplete="cc-csc"]').fill('737');
    await form.locator('[autocomplete="cc-name"]').fill('Ada Byron');
    await form.locator('button[type=submit]').click();
    await waitForEvent(page, `inner result {"status":"approved","order_no":"${orderNo}"`);
    // Events inside the shadow root stay inside.
    expect(await page.locator('#outside').textContent()).toBe('');
    expect(gateway.payments.list()).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});

describe('an element that gets its session late', () => {
  it('opens, removes and replaces the form as its session changes', async () => {
    const { relay, loader, put } = await startHost();
    const first = await relay.session({ order: { amount: '10.00' } });
    const second = await relay.session({ order: { amount: '20.00' } });
    const { page, complaints } = await openPage(browser);
    await page.goto(put({ head: loader, body: '<turnpike-checkout><p>Not yet</p></turnpike-checkout>' }));
    const element = page.locator('turnpike-checkout');
    await page.waitForFunction(() => customElements.get('turnpike-checkout'));
    expect(await page.getByText('Not yet').isVisible()).toBe(true);
    await element.evaluate((checkout, secret) => checkout.setAttribute('session', secret), first.secret);
    await formIn(page)
      .getByRole('button', { name: /10\.00/ })
      .waitFor();
    await page.getByText('Not yet').waitFor({ state: 'hidden' });
    await element.evaluate((checkout, secret) => checkout.setAttribute('session', secret), second.secret);
    await formIn(page)
      .getByRole('button', { name: /20\.00/ })
      .waitFor();
    await element.evaluate((checkout) => checkout.removeAttribute('session'));
    await page.getByText('Not yet').waitFor();
    await expect.poll(() => page.frames().length).toBe(1);
    expect(complaints).toEqual([]);
  });
});

describe('Turnpike.update()', () => {
  it('shows the changed order and keeps input, by element and handle', async () => {
    const { relay, gateway, loader, put } = await startHost();
    const { secret, id } = await relay.session({ order: { amount: '10.00' } });
    const { page, complaints } = await openPage(browser);
    const url = put(
      { csp: strictPolicy(relay.url), head: loader, body: '<div id="place"></div>' },
      `addEventListener('load', () => {
        window.handle = Turnpike.checkout({ session: '${secret}' }).mount('#place');
        listen(document.querySelector('turnpike-checkout'));
      });`,
    );
    await page.goto(url);
    const form = formIn(page);
    await typeCard(form, approved);
    const change = async (amount: string) => {
      const { status } = await relay.send(`/v1/sessions/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ order: { amount } }),
      });
      expect(status).toBe(200);
    };
    await change('20.00');
    await page.evaluate('handle.update()');
    await form.getByRole('button', { name: /20\.00/ }).waitFor();
    await change('30.00');
    await page.locator('turnpike-checkout').evaluate((checkout: HTMLElement & { update(): void }) => checkout.update());
    const pay = form.getByRole('button', { name: /30\.00/ });
    await pay.waitFor();
    expect(await form.locator('[autocomplete="cc-number"]').inputValue()).toBe('4111 1111 1111 1111');
    expect(await form.locator('[autocomplete="cc-exp"]').inputValue()).toMatch(/^12 ?\/ ?30$/);
    expect(await form.locator('[autocomplete="cc-csc"]').inputValue()).toBe('737');
    expect(await form.locator('[autocomplete="cc-name"]').inputValue()).toBe('Ada King Byron');
    await pay.click();
    await waitForEvent(page, '"status":"approved"');
    expect(gateway.payments.list()).toMatchObject([{ order: { amount: '30.00' } }]);
    expect(complaints).toEqual([]);
  });
});

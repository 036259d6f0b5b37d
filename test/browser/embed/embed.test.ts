import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { serve } from '../../support/http/http-server.ts';
import { alive, formIn, openPage, startStack, typeCard, waitForEvent } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

describe('the embedded form', () => {
  it('recognises the device at the next visit', async () => {
    const { gateway, shopUrl } = await startStack();
    const { page } = await openPage(browser);
    for (let visit = 0; visit < 2; visit++) {
      await page.goto(shopUrl);
      const form = formIn(page);
      await typeCard(form, '4111111111111111');
      await form.locator('button[type=submit]').click();
      await waitForEvent(page, '"status":"approved"');
    }
    const sent = gateway.messages.list().filter(({ operation }) => operation === 'direct_payment');
    const cookies = sent
      .map(({ request }) => JSON.parse(request))
      .map(({ cookie_old, cookie_new }) => [cookie_old, cookie_new]);
    const [id] = cookies.flat().filter(Boolean);
    expect(cookies.sort()).toEqual([
      ['', id],
      [id, id],
    ]);
  });

  it('may be framed by the shop’s page alone', async () => {
    const { relay, shopUrl } = await startStack();
    const { checkoutUrl } = await relay.session();
    const { page, complaints } = await openPage(browser);
    const foreign = await serve((_req, res) => {
      res.setHeader('content-type', 'text/html').end(`<iframe src="${checkoutUrl}"></iframe>`);
    });
    onTestFinished(foreign.close);
    await page.goto(foreign.url);
    await expect.poll(() => complaints.join('\n')).toContain('frame-ancestors');
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);

    // The same frame in a page of the shop shows the form.
    const held = complaints.length;
    await page.goto(shopUrl);
    await page.setContent(`<iframe src="${checkoutUrl}"></iframe>`);
    await page.frameLocator('iframe').locator('[autocomplete="cc-number"]').waitFor();
    expect(complaints.slice(held)).toEqual([]);
  });

  it('adopts a frame from the shop’s server and shows another session', async () => {
    const { gateway, relay, shopUrl } = await startStack();
    const { page, complaints } = await openPage(browser);
    const first = await relay.session();
    const second = await relay.session({ order: { amount: '10.00' } });
    // The shop's own policy stays. Only the content of the page changes.
    await page.goto(shopUrl);
    await page.setContent(`<script src="${relay.url}/turnpike.js" async></script>
<turnpike-checkout session="${first.secret}"><iframe src="${first.checkoutUrl}" title="Checkout" height="20"></iframe></turnpike-checkout>`);
    const element = page.locator('turnpike-checkout');
    const results = element.evaluate(
      (checkout) =>
        new Promise((resolve) =>
          checkout.addEventListener('result', (event) => 'detail' in event && resolve(event.detail)),
        ),
    );
    const form = page.frameLocator('turnpike-checkout > iframe');
    await typeCard(form, '4111111111111111');
    // The frame is alive once its height equals its form's.
    await expect
      .poll(() => page.locator('turnpike-checkout > iframe').evaluate((frame) => frame.clientHeight))
      .toBeGreaterThan(300);
    expect(page.frames()).toHaveLength(2);
    await form.locator('button[type=submit]').click();
    expect(await results).toMatchObject({ status: 'approved', order_no: first.orderNo });
    expect(gateway.payments.list()).toHaveLength(1);

    await element.evaluate((checkout, secret) => checkout.setAttribute('session', secret), second.secret);
    await formIn(page)
      .getByRole('button', { name: /10\.00/ })
      .waitFor();
    expect(page.frames()).toHaveLength(2);

    // It is a block element unless the shop's style says otherwise.
    const display = () => element.evaluate((checkout) => getComputedStyle(checkout).display);
    expect(await display()).toBe('block');
    await element.evaluate((checkout) => checkout.toggleAttribute('hidden'));
    expect(await display()).toBe('none');
    expect(complaints).toEqual([]);
  });

  it('leaves a payment link in the page when its script cannot load', async () => {
    const { gateway, shopUrl } = await startStack();
    const { page, context } = await openPage(browser);
    await context.route('**/turnpike.js', (route) => route.abort());
    await page.goto(shopUrl);
    await page.locator('turnpike-checkout a').click();
    // An earlier press does nothing: no script handles it, and no payment is made.
    await alive(page);
    await page.locator('[autocomplete="cc-number"]').fill('4111111111111111');
    await page.locator('[autocomplete="cc-exp"]').fill('12/30');
    await page.locator('[autocomplete="cc-csc"]').fill('737');
    await page.locator('[autocomplete="cc-name"]').fill('Ada Byron');
    await page.locator('button[type=submit]').click();
    await page
      .getByText(/approved/i)
      .first()
      .waitFor();
    // After a while the page goes back by itself.
    await page.waitForURL(`${shopUrl}/thanks?**`);
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('neither loses nor repeats a payment whose answer is lost', async () => {
    const { gateway, shopUrl } = await startStack();
    const { page, context, requests } = await openPage(browser);
    await context.route('**/checkout/api/pay', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.goto(shopUrl);
    const form = formIn(page);
    await typeCard(form, '4111111111111111');
    await form.locator('button[type=submit]').click();
    await waitForEvent(page, '"status":"approved"');
    expect(requests.filter((request) => request.includes('/checkout/api/pay'))).toHaveLength(1);
    expect(gateway.payments.list()).toHaveLength(1);
  });
});

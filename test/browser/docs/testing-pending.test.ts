import type { Browser, Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkoutOn, testCards } from '../../../testing/index.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { startHost } from '../../support/browsers/host-page.ts';
import { openPage, phone } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const ada = { expiry: '12/30', securityCode: '737', name: 'Ada Byron' };
const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix' };

/** The answer to the form for a session with a pending voucher, until it is abandoned. */
async function whilePending(page: Page, abandoned: { status: number; code?: string }): Promise<void> {
  let isPending = true;
  const pending = { status: 'pending', pending: { payment_method: 'PIX', can_abandon: true } };
  const answer = async (route: Route) => {
    const response = await route.fetch({
      url: route
        .request()
        .url()
        .replace(/abandon$/, 'session'),
      method: 'GET',
    });
    await route.fulfill({ response, json: { ...(await response.json()), ...(isPending ? pending : {}) } });
  };
  await page.route('**/checkout/api/session', answer);
  await page.route('**/checkout/api/abandon', async (route) => {
    if (abandoned.status !== 200) return route.fulfill({ status: abandoned.status, json: abandoned });
    isPending = false;
    return answer(route);
  });
}

describe('the test kit, while a payment is pending', () => {
  const payment_methods = [{ type: 'card' }, pix];

  it('chooses another way and pays by it, without browser errors', async () => {
    const host = await startHost();
    const session = await host.relay.session({ payment_methods });
    const { page, complaints } = await openPage(browser, { width: 320, height: 640 });
    await whilePending(page, { status: 200 });
    const checkout = checkoutOn(page);
    await page.goto(session.checkoutUrl);
    expect(await checkout.outcome()).toEqual({ status: 'pending' });
    expect((await checkout.shown()).heading).toBe('We are waiting for your payment with Pix');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(await checkout.chooseAnotherWay()).toMatchObject({
      status: 'not_paid',
      told: expect.stringMatching(/Pix any more/),
    });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-message');
    await checkout.fill({ ...ada, card: testCards.approved.number });
    expect(await checkout.pay()).toMatchObject({ status: 'approved' });
    expect(complaints).toEqual([]);
  });

  it('reports that the payment cannot be abandoned, and keeps waiting', async () => {
    const { relay, loader, put } = await startHost();
    const { secret } = await relay.session({ payment_methods });
    const { page } = await openPage(browser, phone);
    await whilePending(page, { status: 409, code: 'cannot_abandon' });
    const checkout = checkoutOn(page);
    await page.goto(put({ head: loader, body: `<turnpike-checkout session="${secret}"></turnpike-checkout>` }));
    expect(await checkout.outcome()).toEqual({ status: 'pending' });
    const told = expect.stringMatching(/cannot be stopped/);
    expect(await checkout.chooseAnotherWay()).toMatchObject({ status: 'refused', code: 'cannot_abandon', told });
    expect(await checkout.shown()).toMatchObject({ heading: expect.stringMatching(/waiting for your payment/), told });
  });
});

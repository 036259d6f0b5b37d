import { mkdtemp, rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkoutOn } from '../../testing/index.ts';
import { sharedChromium } from '../support/browsers/chromium.ts';
import { countTimers, held } from '../support/browsers/held.ts';
import { type App, type AppName, buildApp, startApp } from '../support/docs/example-apps.ts';
import { card } from '../support/docs/example-pages.ts';
import { freePort } from '../support/http/free-port.ts';
import { openPage, startStack } from '../support/relays/stack.ts';

const names: AppName[] = ['next', 'nuxt'];
let place: string;
beforeAll(async () => {
  // On disk: the frameworks are larger than some RAM disks, where the tests' scratch folder is.
  place = await mkdtemp('/var/tmp/turnpike-platforms-');
});
afterAll(() => rm(place, { recursive: true }));

describe.each(names)('the %s example', (name) => {
  let app: App;
  beforeAll(async () => {
    app = await buildApp(name, place);
  });

  /** The example on another site than the relay, and a page that its server has rendered and that is hydrated. */
  async function open(script: 'start' | 'dev') {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const { gateway, relay } = await startStack({ account: { allowed_origins: [origin] } });
    const printed = await startApp(app, { script, port, relayUrl: relay.url });
    const html = await (await fetch(`${origin}/pay`)).text();
    const [, session, href] = /<turnpike-checkout session="([\w.-]+)"[^>]*><a href="([^"]+)"/.exec(html) ?? [];
    expect(href).toBe(`${relay.url}/checkout/${session?.split('.')[0]}#${session}`);
    const { page, complaints } = await openPage(await sharedChromium());
    await page.addInitScript(countTimers);
    // The harder order: the checkout has changed the element before the framework compares it with the server's HTML.
    const inPlace = Promise.withResolvers<void>();
    await page.route(`${origin}/**`, async (route) => {
      if (route.request().resourceType() === 'script') await inPlace.promise;
      await route.continue();
    });
    await page.goto(`${origin}/pay`, { waitUntil: 'commit' });
    await page.locator('turnpike-checkout iframe').waitFor();
    inPlace.resolve();
    await page.waitForFunction(app.isHydrated);
    await page.evaluate(() => Object.assign(window, { elements: [] }));
    return { page, gateway, complaints, printed };
  }

  it('hydrates and pays without a warning in development', async () => {
    const { page, gateway, complaints, printed } = await open('dev');
    await pay(page);
    await leave(page);
    await comeBack(page);
    await pay(page);
    expect(gateway.payments.list()).toHaveLength(2);
    expect(complaints).toEqual([]);
    expect(printed()).not.toMatch(/warn|error/i);
  });

  it('pays at each visit and keeps nothing of the previous one', async () => {
    const { page, gateway, complaints, printed } = await open('start');
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable');
    const visit = async () => {
      await pay(page);
      await leave(page);
      const nothing = { elements: 0, iframes: 0, timers: 0, frames: 1, documents: 1 };
      await expect.poll(() => held(page, cdp)).toMatchObject(nothing);
      return held(page, cdp);
    };
    await visit();
    await comeBack(page);
    const { listeners, nodes } = await visit();
    await comeBack(page);
    expect(await visit()).toMatchObject({ listeners, nodes });
    const orders = gateway.payments.list().map(({ order }) => order.order_no);
    expect(new Set(orders).size).toBe(3);
    expect(complaints).toEqual([]);
    expect(printed()).not.toMatch(/warn|error/i);
  });
});

async function pay(page: Page): Promise<void> {
  const checkout = checkoutOn(page);
  await checkout.fill(card);
  await page.evaluate(() => {
    const element = document.querySelector('turnpike-checkout');
    if (element && 'elements' in window && Array.isArray(window.elements)) window.elements.push(new WeakRef(element));
  });
  expect(await checkout.pay()).toMatchObject({ status: 'approved' });
  await page.locator('output', { hasText: /^EX-\w+: approved$/ }).waitFor();
}

async function leave(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Back to the shop' }).click();
  await page.getByRole('heading', { name: 'Tea, by the tin' }).waitFor();
}

/** Follows a link within the same document. */
async function comeBack(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Buy a tin' }).click();
  await page.locator('turnpike-checkout').waitFor();
  expect(await page.evaluate(() => 'elements' in window)).toBe(true);
}

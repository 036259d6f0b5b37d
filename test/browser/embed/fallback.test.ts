import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { loseFormScript } from '../../support/browsers/form-script.ts';
import { startHost } from '../../support/browsers/host-page.ts';
import { eventsOf, formIn, openPage, stopClock } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

/** A page with one checkout that contains a payment link as fallback. The test controls the page's clock. */
async function start() {
  const host = await startHost();
  const { secret, checkoutUrl } = await host.relay.session();
  const opened = await openPage(browser);
  const url = host.put({
    head: host.loader,
    body: `<turnpike-checkout session="${secret}"><a href="${checkoutUrl}">Pay here</a></turnpike-checkout>`,
  });
  const frames = () => opened.requests.filter((request) => /\/checkout\/cs_[\w-]+\?/.test(request)).length;
  return { ...host, ...opened, url, link: opened.page.getByRole('link', { name: 'Pay here' }), frames };
}

/** Advances the page's clock second by second until a condition holds. */
async function passUntil(page: Page, isSo: () => Promise<boolean>, mostSeconds = 120): Promise<void> {
  for (let second = 0; second < mostSeconds; second++) {
    if (await isSo()) return;
    await page.clock.runFor(1000);
  }
  throw new Error('the page’s time passed in vain');
}

describe('the fallback content of the element', () => {
  it('stays as a payment link when the script cannot load', async () => {
    const { page, context, url, link } = await start();
    await context.route('**/turnpike.js', (route) => route.abort());
    await page.goto(url);
    expect(await link.isVisible()).toBe(true);
    await link.click();
    await page.locator('[autocomplete="cc-number"]').waitFor();
  });

  it('stays while the frame is retried, and after the loader gives up', async () => {
    const { page, context, url, link, frames } = await start();
    await page.clock.install();
    await context.route('**/checkout/cs_*', (route) => route.abort());
    await page.goto(url);
    await passUntil(page, async () => {
      expect(await link.isVisible()).toBe(true);
      return (await eventsOf(page)).some((event) => event.includes('"code":"frame_timeout"'));
    });
    expect(frames()).toBe(3);
    await page.clock.runFor(120_000);
    expect(frames()).toBe(3);
    expect(await link.isVisible()).toBe(true);
    expect(await eventsOf(page)).toHaveLength(1);
  });

  it('stays for an unknown session, and the page is notified at once', async () => {
    const { relay, loader, put } = await startHost();
    const { page, complaints } = await openPage(browser);
    const body = `<turnpike-checkout session="cs_none.SECRET"><a href="${relay.url}/checkout/cs_none">Pay here</a></turnpike-checkout>`;
    // The clock stands still: no timer ends.
    await page.clock.install();
    await page.goto(put({ head: loader, body }));
    await expect.poll(() => eventsOf(page)).toHaveLength(1);
    expect((await eventsOf(page))[0]).toMatch(/error \{"code":"not_found","message":"This checkout link does not work/);
    expect(await page.getByRole('link', { name: 'Pay here' }).isVisible()).toBe(true);
    await page.clock.runFor(60_000);
    expect(await eventsOf(page)).toHaveLength(1);
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });

  it('is replaced by the form when a later try succeeds', async () => {
    const { page, context, url, link, frames } = await start();
    await page.clock.install();
    await context.route('**/checkout/cs_*', (route) => route.abort());
    await page.goto(url);
    await passUntil(page, async () => frames() === 1);
    await context.unroute('**/checkout/cs_*');
    await stopClock(page);
    await passUntil(page, async () => frames() === 2);
    // The page's time passes in small steps: the form may take long to load, and the frame has a time limit.
    await expect
      .poll(async () => {
        await page.clock.runFor(50);
        return eventsOf(page);
      })
      .toContain('ready');
    await formIn(page).locator('button[type=submit]').waitFor();
    expect(await link.isVisible()).toBe(false);
    expect(frames()).toBe(2);
  });

  it('is replaced by the form as soon as the device is online', async () => {
    const { page, context, url, link } = await start();
    // The page's clock stands still: only the browser's online event can load the form.
    await page.clock.install();
    let isDown = true;
    await context.route('**/checkout/cs_*', (route) =>
      isDown ? route.abort('internetdisconnected') : route.continue(),
    );
    await page.goto(url);
    await page.waitForFunction(() => customElements.get('turnpike-checkout'));
    await context.setOffline(true);
    expect(await link.isVisible()).toBe(true);
    isDown = false;
    await context.setOffline(false);
    await link.waitFor({ state: 'hidden' });
    await formIn(page).locator('button[type=submit]').waitFor();
  });

  it('returns when the script of a visible form never starts', async () => {
    const { page, context, url, link } = await start();
    await page.clock.install();
    await loseFormScript(context);
    await page.goto(url);
    await link.waitFor({ state: 'hidden' });
    await passUntil(page, async () => (await eventsOf(page)).some((event) => event.includes('"code":"frame_timeout"')));
    await link.waitFor();
    expect(await page.locator('turnpike-checkout iframe').evaluate((frame) => frame.clientHeight)).toBe(0);
  });
});

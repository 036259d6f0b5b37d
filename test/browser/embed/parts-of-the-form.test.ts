import type { Browser } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { startHost } from '../../support/browsers/host-page.ts';
import { alive, eventsOf, formIn, openPage, typeCard, waitForEvent } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

it('a page with its own button, heading and amount hides the form’s', async () => {
  const { relay, loader, put, gateway } = await startHost();
  const { page, complaints } = await openPage(browser);
  const { secret } = await relay.session();
  const checkout = `<turnpike-checkout session="${secret}" button="none" heading="none" amount="none"></turnpike-checkout>`;
  const buy = '<button id="buy">Place the order</button>';
  await page.goto(
    put(
      { head: loader, body: checkout + buy },
      `document.querySelector('#buy').addEventListener('click', () => document.querySelector('turnpike-checkout').submit());`,
    ),
  );
  const form = formIn(page);
  await form.locator('[autocomplete="cc-number"]').waitFor();
  const parts = form.locator('header, h1, .amount, button[type=submit]');
  expect(await parts.evaluateAll((all) => all.map((part) => part.getClientRects().length))).toEqual([0, 0, 0, 0]);
  await typeCard(form, '4111111111111111');
  await page.locator('#buy').click();
  await waitForEvent(page, '"status":"approved"');
  expect(gateway.payments.list()).toHaveLength(1);
  expect(complaints).toEqual([]);
});

it('a hidden part is shown again in place and keeps its input', async () => {
  const { relay, loader, put } = await startHost();
  const { page } = await openPage(browser);
  const { secret } = await relay.session();
  await page.goto(
    put({ head: loader, body: `<turnpike-checkout session="${secret}" button="none"></turnpike-checkout>` }),
  );
  const form = formIn(page);
  await alive(form);
  await form.locator('[autocomplete="cc-name"]').fill('Ada');
  await page.locator('turnpike-checkout').evaluate((element) => element.removeAttribute('button'));
  await form.locator('button[type=submit]').waitFor();
  expect(await form.locator('[autocomplete="cc-name"]').inputValue()).toBe('Ada');
});

it('a page receives focus and Escape events of the form', async () => {
  const { relay, loader, put } = await startHost();
  const { page } = await openPage(browser);
  const { secret } = await relay.session();
  const script = `for (const type of ['focus', 'blur', 'escape']) document.querySelector('turnpike-checkout')
    .addEventListener(type, ({ detail }) => { document.title += ' ' + type + (detail ? ':' + detail.field : ''); });`;
  const body = `<turnpike-checkout session="${secret}"></turnpike-checkout><input id="after">`;
  await page.goto(put({ head: loader, body }, script));
  const form = formIn(page);
  await alive(form);
  await form.locator('[autocomplete="cc-number"]').click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await page.locator('#after').click();
  await expect.poll(() => page.title()).toBe('Shop focus:card escape blur:card focus:expiry blur:expiry');
  expect((await eventsOf(page)).filter((event) => event.includes('change'))).toEqual([]);
});

it.each([
  ['display: block; min-height: 420px', true],
  ['min-height: 420px', false],
])('the layout with "%s" is unchanged until the form loads: %s', async (rule, isStill) => {
  const { relay, loader, put } = await startHost();
  const { page, context } = await openPage(browser);
  const { secret } = await relay.session();
  const painted = Promise.withResolvers<void>();
  await context.route('**/turnpike.js', async (route) => {
    await painted.promise;
    await route.continue();
  });
  const head = `<style>turnpike-checkout { ${rule} }</style>${loader}`;
  const body = `<turnpike-checkout session="${secret}"><a href="#">Pay here</a></turnpike-checkout><p>After the checkout</p>`;
  const script = `window.shift = 0; new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;
  await page.goto(put({ head, body }, script), { waitUntil: 'commit' });
  await page.getByText('After the checkout').waitFor();
  const twoFrames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await page.evaluate(twoFrames);
  painted.resolve();
  await alive(formIn(page));
  await page.evaluate(twoFrames);
  const shift = async () => Number(await page.evaluate('window.shift'));
  if (isStill) expect(await shift()).toBeLessThan(0.01);
  else await expect.poll(shift).toBeGreaterThan(0.01);
});

import type { Browser } from 'playwright-core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { serve } from '../../support/http/http-server.ts';
import { startTestRelay } from '../../support/relays/relay.ts';
import { desktop, openPage, phone } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const brands = ['visa', 'mastercard', 'amex', 'elo', 'hipercard', 'diners'];
const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix' };

it.each([
  ['card', phone, {}],
  ['methods, many brands', desktop, { payment_methods: [{ type: 'card', brands }, pix] }],
])('nothing moves while the page arrives in pieces: %s', async (_, viewport, body) => {
  const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9' });
  const { id } = await relay.session(body);
  const { text } = await relay.send(`/checkout/${id}`, { headers: { 'sec-fetch-dest': 'iframe' } });
  const [drawn = ''] = text.split('<script type="application/json"');
  const start = drawn.indexOf('<main');
  // Each tag arrives in a chunk of its own.
  const pieces = [drawn.slice(0, start), ...drawn.slice(start).split(/(?<=>)/)];
  expect(pieces.length).toBeGreaterThan(60);
  let send = (_: string) => {};
  const server = await serve((_, res) => {
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    send = (piece) => void res.write(piece);
    send(pieces[0] ?? '');
  });
  onTestFinished(() => server.close());
  const { page } = await openPage(browser, viewport);
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const sources: { node?: Element }[] = Reflect.get(entry, 'sources');
        shifts.push(...sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? String(node)));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(server.url, { waitUntil: 'commit' });
  for (const piece of pieces.slice(1)) {
    send(piece);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
  await page.locator('button[type=submit]').waitFor();
  expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toEqual([]);
});

import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../support/browsers/chromium.ts';
import { countTimers, held } from '../../support/browsers/held.ts';
import { startHost } from '../../support/browsers/host-page.ts';
import { openPage } from '../../support/relays/stack.ts';

let browser: Browser;
let reactMounts: string;
beforeAll(async () => {
  const built = await build({
    configFile: join(import.meta.dirname, '../../../examples/react/vite.config.ts'),
    logLevel: 'warn',
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, 'pages/react-mounts.jsx'), formats: ['iife'], name: 'mounts' },
    },
    define: { 'process.env.NODE_ENV': JSON.stringify('development') },
  });
  const outputs = [built].flat().flatMap((part) => ('output' in part ? part.output : []));
  reactMounts = outputs.flatMap((output) => (output.type === 'chunk' ? [output.code] : [])).join('\n');
  // The heap is measured in Chromium with windows, the browser that shoppers have.
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** The ways to put a checkout into a page. Each returns a function that removes it. */
const mounts = `
const place = document.querySelector('#place');
window.mountByHandle = (session, ready) => {
  const checkout = Turnpike.checkout({ session, appearance: { theme: 'dark' } }).on('ready', ready).mount('#place');
  return () => checkout.unmount();
};
window.mountByElement = (session, ready) => {
  const checkout = document.createElement('turnpike-checkout');
  checkout.setAttribute('session', session);
  checkout.addEventListener('ready', ready);
  place.append(checkout);
  return () => checkout.remove();
};
window.mountByMarkup = (session, ready) => {
  place.innerHTML = '<turnpike-checkout session="' + session + '"><a href="#">Pay here</a></turnpike-checkout>';
  place.firstElementChild.addEventListener('ready', ready);
  return () => place.replaceChildren();
};
// Removed at once, when the frame has begun to load, or when the form is alive.
window.elements = [];
window.mountAndUnmount = async (way, session, times) => {
  for (let time = 0; time < times; time++) {
    const alive = Promise.withResolvers();
    const unmount = window['mountBy' + way](session, alive.resolve);
    const started = Promise.withResolvers();
    new MutationObserver(() => place.firstElementChild && started.resolve()).observe(place, { childList: true });
    if (place.firstElementChild) started.resolve();
    await started.promise;
    window.elements.push(new WeakRef(place.firstElementChild));
    if (time % 5 === 3) await new Promise((done) => setTimeout(done));
    if (time % 5 === 4) await alive.promise;
    unmount();
    if (place.firstElementChild) await new Promise((done) => setTimeout(done));
  }
};
`;

const WAYS = ['Handle', 'Element', 'Markup', 'React'];
/** How many of each `mountAndUnmount` removes: at once, while the frame loads, and alive. */
const ROUND = 5;

it('checkouts mounted repeatedly in every way leave nothing behind', async () => {
  const { relay, loader, put } = await startHost();
  const { secret } = await relay.session();
  const { page, complaints } = await openPage(browser);
  await page.addInitScript(countTimers);
  await page.goto(put({ head: loader, body: '<div id="place"></div>' }, mounts + reactMounts), { waitUntil: 'load' });
  await page.waitForFunction(() => 'Turnpike' in window);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const comeAndGo = async (times: number) => {
    for (const way of WAYS) await page.evaluate(`mountAndUnmount('${way}', '${secret}', ${times})`);
  };

  const none = { elements: 0, iframes: 0, timers: 0, frames: 1 };
  await comeAndGo(ROUND);
  await expect.poll(() => held(page, cdp)).toMatchObject(none);
  const before = await held(page, cdp);
  await comeAndGo(ROUND * 2);
  const { listeners, documents, nodes } = before;
  await expect.poll(() => held(page, cdp)).toMatchObject({ ...none, listeners, documents, nodes });
  const after = await held(page, cdp);
  // The remainder, at most 5 KB each, belongs to the engine: compiled code and the list of weak references above.
  expect(after.heap - before.heap).toBeLessThan(5000 * 2 * ROUND * WAYS.length);
  expect(complaints).toEqual([]);
});

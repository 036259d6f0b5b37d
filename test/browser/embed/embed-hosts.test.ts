import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { startHost, strictPolicy } from '../../support/browsers/host-page.ts';
import type { IncomingMessage, ServerResponse } from '../../support/http/http-server.ts';
import { formIn, openPage, startStack, typeCard, waitForEvent } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const ready = (page: Page) => waitForEvent(page, /^ready$/);

describe('the loader finds its own address', () => {
  it.each([
    ['as a module', (file: string): string => `<script type="module" src="${file}"></script>`, ''],
    ['imported by the shop’s own module', () => '', (file: string) => `import('${file}');`],
    [
      'put into the page by a script of the shop’s',
      () => '',
      (file: string) => `document.head.append(Object.assign(document.createElement('script'), { src: '${file}' }));`,
    ],
    [
      'in a shadow root, beside a script of the shop’s with a name like ours',
      () => '<script src="/turnpike-theme.js"></script>',
      (file: string) =>
        `const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
         root.append(Object.assign(document.createElement('script'), { src: '${file}' }));`,
    ],
  ])('%s', async (_, head, script: string | ((file: string) => string)) => {
    const { relay, put } = await startHost();
    const { secret } = await relay.session();
    const { page } = await openPage(browser);
    const file = `${relay.url}/turnpike.js`;
    const body = `<turnpike-checkout session="${secret}"></turnpike-checkout>`;
    const csp = strictPolicy(relay.url);
    await page.goto(put({ csp, head: head(file), body }, typeof script === 'string' ? script : script(file)));
    await formIn(page).locator('button[type=submit]').waitFor();
  });

  it('when pinned by the script element of /embed.json', async () => {
    const { relay, put } = await startHost();
    const { secret } = await relay.session();
    const { page, complaints } = await openPage(browser);
    const { body: embedding } = await relay.get('/embed.json');
    const body = `<turnpike-checkout session="${secret}"></turnpike-checkout>`;
    const lines = z.array(z.string()).parse(embedding.csp).join('; ');
    // The shop's own script is loaded beside ours.
    const csp = `default-src 'none'; img-src data:; style-src 'self'; ${lines.replace('script-src', "script-src 'self'")}`;
    await page.goto(put({ csp, head: String(embedding.script), body }));
    await ready(page);
    expect(complaints).toEqual([]);
  });
});

describe('a page', () => {
  it('that is isolated from other origins can still contain the form', async () => {
    let html = '';
    const isolation = { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' };
    const createShop = () => ({
      app: (_req: IncomingMessage, res: ServerResponse) =>
        void res.writeHead(200, { 'content-type': 'text/html', ...isolation }).end(html),
    });
    const { relay, shopUrl } = await startStack({ createShop });
    const { secret } = await relay.session();
    html = `<!doctype html><link rel="icon" href="data:,"><script src="${relay.url}/turnpike.js"></script>
<turnpike-checkout session="${secret}"></turnpike-checkout><ol id="events"></ol><script>
document.querySelector('turnpike-checkout').addEventListener('ready', () => { events.innerHTML = '<li>ready'; });
</script>`;
    const { page, complaints } = await openPage(browser);
    await page.goto(shopUrl.replace('127.0.0.1', 'localhost'));
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    await ready(page);
    expect(complaints).toEqual([]);
  });

  it('moves the form without a reload when the browser supports it', async () => {
    const { relay, loader, put } = await startHost();
    const { secret } = await relay.session();
    const { page, complaints } = await openPage(browser);
    const body = `<div id="one"><turnpike-checkout session="${secret}"></turnpike-checkout></div><div id="two"></div>`;
    await page.goto(put({ head: loader, body }));
    await ready(page);
    const name = formIn(page).locator('[autocomplete="cc-name"]');
    await name.fill('Ada');
    const move = (how: string) =>
      page.evaluate((by) => {
        const [one, two] = [document.querySelector('#one'), document.querySelector('#two')];
        const [checkout] = document.getElementsByTagName('turnpike-checkout');
        if (!checkout) return;
        if (by === 'moveBefore' && two) Reflect.get(two, by).call(two, checkout, null);
        else one?.append(checkout);
      }, how);
    await move('moveBefore');
    expect(await page.locator('#two > turnpike-checkout').count()).toBe(1);
    expect(await name.inputValue()).toBe('Ada');
    await move('append');
    await page
      .locator('#events li', { hasText: /^ready$/ })
      .nth(1)
      .waitFor();
    expect(await name.inputValue()).toBe('');
    expect(await page.locator('turnpike-checkout iframe').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('restored by the back button has a form that works', async () => {
    const { relay, gateway, loader, put } = await startHost();
    const { secret } = await relay.session();
    const { page } = await openPage(browser);
    const url = put({ head: loader, body: `<turnpike-checkout session="${secret}"></turnpike-checkout>` });
    await page.goto(url);
    await ready(page);
    await page.goto(`${relay.url}/embed.json`);
    await page.goBack();
    await typeCard(formIn(page), '4111111111111111');
    await formIn(page).locator('button[type=submit]').click();
    await waitForEvent(page, '"status":"approved"');
    expect(gateway.payments.list()).toHaveLength(1);
  });
});

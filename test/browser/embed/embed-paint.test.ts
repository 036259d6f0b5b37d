import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { holdFormScript } from '../../support/browsers/form-script.ts';
import { startHost, strictPolicy } from '../../support/browsers/host-page.ts';
import { eventsOf, formIn, openPage, phone, waitForEvent } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const frameHeight = (page: Page) => page.locator('turnpike-checkout iframe').evaluate((frame) => frame.clientHeight);
const ready = (page: Page) => waitForEvent(page, /^ready$/);

describe('with theme="auto"', () => {
  const dark = 'body { background: #101418; color: oklch(0.95 0.01 250) }';
  const follows = ':root { color-scheme: light dark }';
  /** Opens a page with the form, with this style sheet on this device. */
  async function setUp() {
    const { relay, loader, put } = await startHost();
    const { secret } = await relay.session();
    const { page } = await openPage(browser);
    const body = `<turnpike-checkout session="${secret}" theme="auto"></turnpike-checkout>`;
    const open = async (css: string, device: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme: device });
      await page.goto(put({ head: `${loader}<style>${css}</style>`, body }));
      await ready(page);
    };
    return { page, open };
  }
  /** Waits until the form has this theme, and expects a transparent background. */
  async function expectTheme(page: Page, theme: 'light' | 'dark') {
    await formIn(page).locator(`:root[data-theme=${theme}]`).waitFor({ state: 'attached' });
    const [ground, text] = await formIn(page)
      .locator('body')
      .evaluate((form) => [getComputedStyle(form).backgroundColor, getComputedStyle(form).color]);
    expect([ground, text]).toEqual(['rgba(0, 0, 0, 0)', theme === 'dark' ? 'rgb(241, 243, 246)' : 'rgb(22, 25, 31)']);
    const frame = await page.locator('turnpike-checkout iframe').evaluate((one) => getComputedStyle(one).colorScheme);
    expect(frame).toBe(theme);
  }

  it('the form matches the page around it', async () => {
    const { page, open } = await setUp();
    for (const [css, device, theme] of [
      ['', 'dark', 'light'],
      [dark, 'light', 'dark'],
      [`${dark} turnpike-checkout { background: #fff; color: #333 }`, 'dark', 'light'],
      [follows, 'dark', 'dark'],
    ] as const) {
      await open(css, device);
      await expectTheme(page, theme);
    }
  });

  it('the form has its own background when the text is grey', async () => {
    const { page, open } = await setUp();
    for (const [text, ground, device] of [
      ['#7a7a7a', '#fff', 'dark'],
      ['#999', '#333', 'light'],
    ] as const) {
      await open(`body { background: ${ground}; color: ${text} }`, device);
      await formIn(page).locator(':root[data-theme=auto]').waitFor({ state: 'attached' });
      const form = await formIn(page)
        .locator('body')
        .evaluate((body) => getComputedStyle(body).backgroundColor);
      expect(form, `${text} on ${ground}`).toBe(device === 'dark' ? 'rgb(20, 23, 27)' : 'rgb(255, 255, 255)');
    }
  });

  it('the form follows late style sheets, and theme changes while hidden', async () => {
    const { relay, loader, put } = await startHost();
    const { secret } = await relay.session();
    const { page } = await openPage(browser);
    const sheet = Promise.withResolvers<void>();
    await page.route('**/late.css', async (route) => {
      await sheet.promise;
      await route.fulfill({ contentType: 'text/css', body: dark });
    });
    const body = `<div><turnpike-checkout session="${secret}" theme="auto"></turnpike-checkout></div>`;
    await page.goto(put({ head: loader, body: `${body}<link rel="stylesheet" href="/late.css">` }), {
      waitUntil: 'commit',
    });
    await formIn(page).locator(':root[data-theme=light]').waitFor({ state: 'attached' });
    await page.evaluate(() => window.Turnpike);
    sheet.resolve();
    await expectTheme(page, 'dark');
    await page.evaluate("document.querySelector('div').hidden = true");
    await page.evaluate("document.body.style.cssText = 'background:#fff;color:#000'");
    await page.evaluate("document.querySelector('div').hidden = false");
    await expectTheme(page, 'light');
  });

  it('a frame that was in the page first is transparent, too', async () => {
    const { relay, loader, put } = await startHost();
    const { checkoutUrl } = await relay.session();
    const { page } = await openPage(browser);
    const body = `<turnpike-checkout theme="auto"><iframe src="${checkoutUrl}" height="430"></iframe></turnpike-checkout>`;
    await page.goto(put({ head: `${loader}<style>${dark}</style>`, body }));
    await ready(page);
    await expectTheme(page, 'dark');
  });

  it('the form follows the page’s theme, by device or by class', async () => {
    const { page, open } = await setUp();
    for (const duration of ['0.1s', '0s']) {
      await open(`${follows} .night { background: #000; color: #fff } * { transition: all ${duration} }`, 'light');
      await expectTheme(page, 'light');
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectTheme(page, 'dark');
      await page.emulateMedia({ colorScheme: 'light' });
      await expectTheme(page, 'light');
      await page.evaluate("document.body.className = 'night'");
      await expectTheme(page, 'dark');
    }
  });
});

it('the form is aligned exactly with the shop’s element', async () => {
  const { relay, loader, put } = await startHost();
  const { secret } = await relay.session();
  const { page } = await openPage(browser, phone);
  const body = `<turnpike-checkout session="${secret}"></turnpike-checkout>`;
  await page.goto(put({ csp: strictPolicy(relay.url), head: loader, body }));
  await ready(page);
  const element = await page.locator('turnpike-checkout').boundingBox();
  for (const part of ['[autocomplete="cc-number"]', 'button[type=submit]']) {
    const box = await formIn(page).locator(part).boundingBox();
    expect([box?.x, box?.width], part).toEqual([element?.x, element?.width]);
  }
});

describe('the form before its script loads', () => {
  it.each([
    ['a plain card form', {}],
    [
      'methods and more fields',
      {
        payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }],
        collect: ['email', 'phone'],
        installment_options: [{ installments: '1' }, { installments: '3' }],
      },
    ],
  ])('is visible with its button, and stays still at startup: %s', async (_, body) => {
    const { relay, loader, put } = await startHost();
    const { secret } = await relay.session(body);
    const { page, context, complaints } = await openPage(browser, phone);
    const release = await holdFormScript(context);
    const element = `<turnpike-checkout session="${secret}"><p>Wait</p></turnpike-checkout>`;
    await page.goto(put({ csp: strictPolicy(relay.url), head: loader, body: element }), { waitUntil: 'commit' });
    await formIn(page).locator('button[type=submit]').waitFor();
    await page.getByText('Wait').waitFor({ state: 'hidden' });
    const cut = () =>
      formIn(page)
        .locator('html')
        .evaluate((html) => html.scrollHeight - html.clientHeight);
    await expect.poll(cut).toBe(0);
    const heights = [await frameHeight(page)];
    expect(heights[0]).toBeGreaterThan(300);
    expect(await eventsOf(page)).toEqual([]);
    release();
    await ready(page);
    heights.push(await frameHeight(page));
    expect(heights[1]).toBe(heights[0]);
    expect(complaints).toEqual([]);
  });

  it('shifts nothing on a page with a full-height frame from the server', async () => {
    const { relay, loader, put } = await startHost();
    const { secret, checkoutUrl } = await relay.session();
    const { page } = await openPage(browser, phone);
    const own = `<turnpike-checkout session="${secret}"></turnpike-checkout>`;
    await page.goto(put({ head: loader, body: own }));
    await ready(page);
    const height = await frameHeight(page);

    const frame = `<iframe src="${checkoutUrl}" title="Checkout" width="374" height="${height}" frameborder="0"></iframe>`;
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      const watch = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value));
      });
      watch.observe({ type: 'layout-shift', buffered: true });
    });
    const body = `<turnpike-checkout session="${secret}">${frame}</turnpike-checkout><p>Below</p>`;
    await page.goto(put({ head: loader, body }));
    await ready(page);
    expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toEqual([]);
    expect(await frameHeight(page)).toBe(height);
  });

  it('has the shop’s appearance before and after startup, and follows changes', async () => {
    const { relay, put } = await startHost();
    const { secret } = await relay.session();
    const { page, context, complaints } = await openPage(browser);
    const release = await holdFormScript(context);
    const url = put(
      {
        csp: strictPolicy(relay.url),
        head: `<script src="${relay.url}/turnpike.js" defer></script>`,
        body: '<div id="pay"></div>',
      },
      `addEventListener('DOMContentLoaded', () => {
        window.checkout = Turnpike.checkout({ session: '${secret}', appearance: {
          theme: 'dark', compact: true, variables: { '--turnpike-color-accent': 'rgb(1, 2, 3)', '--turnpike-radius': '3px' },
        } }).mount('#pay');
        listen(document.querySelector('turnpike-checkout'));
      });`,
    );
    await page.goto(url, { waitUntil: 'commit' });
    const html = formIn(page).locator('html');
    const currentStyles = () =>
      html.evaluate((root) => [
        root.dataset.theme,
        root.classList.contains('compact'),
        getComputedStyle(root).getPropertyValue('--turnpike-color-accent').trim(),
        getComputedStyle(root).getPropertyValue('--turnpike-radius').trim(),
        getComputedStyle(root).colorScheme,
      ]);
    const asked = ['dark', true, 'rgb(1, 2, 3)', '3px', 'dark'];
    await formIn(page).locator('button[type=submit]').waitFor();
    expect(await currentStyles()).toEqual(asked);
    release();
    await ready(page);
    expect(await currentStyles()).toEqual(asked);
    await formIn(page).locator('[autocomplete="cc-name"]').fill('Ada');
    const update = (changes: object) =>
      page.evaluate((changed) => Reflect.get(window, 'checkout').update(changed), changes);
    await update({ appearance: { variables: { '--turnpike-radius': '9px' } } });
    await expect.poll(currentStyles).toEqual(['dark', true, expect.stringMatching(/^#/), '9px', 'dark']);
    await update({ locale: 'es', appearance: 'light' });
    await expect.poll(currentStyles).toEqual(['light', false, expect.any(String), '9px', 'light']);
    await formIn(page).getByRole('button', { name: /Pagar/ }).waitFor();
    expect(await formIn(page).locator('[autocomplete="cc-name"]').inputValue()).toBe('Ada');
    expect(complaints).toEqual([]);
  });

  it('cannot be reached with the Tab key until it is visible', async () => {
    const { relay, loader, put } = await startHost();
    const { secret } = await relay.session();
    const { page, context } = await openPage(browser);
    // Its document loads but does not report that it is ready.
    await context.route('**/checkout/cs_*', async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({
        response,
        body: text.replace(/<script>[\s\S]*?<\/script>/, '').replace(/<script type="module">[\s\S]*/, ''),
      });
    });
    const body = `<turnpike-checkout session="${secret}"></turnpike-checkout><button id="after">After</button>`;
    await page.goto(put({ head: loader, body }));
    await page.locator('turnpike-checkout iframe').waitFor({ state: 'attached' });
    expect(await page.locator('turnpike-checkout').evaluate((element) => element.clientHeight)).toBe(0);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('after');
  });
});

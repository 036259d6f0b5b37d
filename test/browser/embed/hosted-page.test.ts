import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { startHost } from '../../support/browsers/host-page.ts';
import { browserThat } from '../../support/browsers/preferences.ts';
import { openPage, startStack, stopClock, typeCard } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix' };

describe('the hosted page', () => {
  it('fits the smallest phone, its button in reach of finger and keyboard', async () => {
    const viewport = { width: 320, height: 568 };
    const { relay, gateway } = await startHost();
    const { checkoutUrl } = await relay.session({ payment_methods: [{ type: 'card' }, pix] });
    const { page, complaints } = await openPage(browser, viewport);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await page.goto(checkoutUrl);
    const button = page.locator('button[type=submit]');
    await button.waitFor();
    expect(await overflow()).toBe(0);
    // With every error at once the page is as wide and as high as possible.
    await expect
      .poll(async () => {
        await button.click();
        return page.locator('[aria-invalid="true"]').count();
      })
      .toBe(4);
    expect(await overflow()).toBe(0);
    const box = await button.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(viewport.width);

    await typeCard(page, '4111111111111111');
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab');
        return button.evaluate((element) => element === document.activeElement);
      })
      .toBe(true);
    const focused = await button.boundingBox();
    expect(focused?.y).toBeGreaterThanOrEqual(0);
    // Browsers scroll by whole pixels.
    expect(Math.floor((focused?.y ?? 0) + (focused?.height ?? 0))).toBeLessThanOrEqual(viewport.height);
    await page.keyboard.press('Enter');
    await expect.poll(() => gateway.payments.list().length).toBe(1);
    await page.getByRole('heading', { name: /approved/i }).waitFor();
    expect(await overflow()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe('an order with items, on the hosted page', () => {
  const items = [
    { name: 'Green tea', code: 'T-1', price: '49.95', quantity: 2 },
    { name: 'Tea strainer', code: 'T-2', price: '30.00', quantity: 1 },
  ];
  const order = { amount: '129.90', items };
  /** The left edges of the order and the form, and how far the page overflows the window. */
  const places = (page: Page) =>
    page.evaluate(() => {
      const [order, form] = ['.summary .amount', 'form'].map((selector) =>
        document.querySelector(selector)?.getBoundingClientRect(),
      );
      const isOrderSeen = document.querySelector('.summary li')?.checkVisibility({ contentVisibilityAuto: true });
      const overflow = document.documentElement.scrollWidth - window.innerWidth;
      return {
        overflow,
        isOrderSeen,
        isAbove: (order?.bottom ?? 0) <= (form?.top ?? 0),
        isBefore: (order?.right ?? 0) <= (form?.left ?? 0),
      };
    });

  it.each(['en-GB', 'ar'])('appears above the form, and beside it from 900 px, in %s', async (locale) => {
    const { relay } = await startHost();
    const { checkoutUrl } = await relay.session({ order, locale });
    const { page, complaints } = await openPage(browser);
    await page.goto(checkoutUrl);
    for (const width of [320, 899]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await places(page), `${width}`).toMatchObject({ overflow: 0, isAbove: true });
    }
    for (const width of [900, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const seen = await places(page);
      expect(seen, `${width}`).toMatchObject({ overflow: 0, isOrderSeen: true, isAbove: false });
      expect(seen.isBefore, `${width}`).toBe(locale !== 'ar');
    }
    expect(complaints).toEqual([]);
  });

  it('stays collapsed on a phone until opened', async () => {
    const { relay } = await startHost();
    const { checkoutUrl } = await relay.session({ order });
    const { page } = await openPage(browser, { width: 390, height: 844 });
    await page.goto(checkoutUrl);
    expect((await places(page)).isOrderSeen).toBe(false);
    await page.getByText('Order summary').click();
    await page.getByText('2 × R$49.95').waitFor();
    expect((await places(page)).isOrderSeen).toBe(true);
  });
});

describe('the shop’s appearance on the hosted page', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20"><path d="M0 0h40v20H0z"/></svg>';
  const appearance = {
    variables: {
      '--turnpike-color-accent': '#0f5c4d',
      '--turnpike-color-text': '#222',
      '--turnpike-radius': '3px',
      '--turnpike-font': 'Georgia, serif',
    },
    logo: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
  };

  it.each(['light', 'dark'] as const)('applies under the page’s policy, %s', async (colorScheme) => {
    const { relay } = await startStack({ account: { appearance } });
    const { checkoutUrl } = await relay.session();
    const { page, complaints } = await openPage(browser);
    await page.emulateMedia({ colorScheme });
    await page.goto(checkoutUrl);
    expect(await page.title()).toBe('Pay Folha');
    const logo = page.getByRole('img', { name: 'Folha' });
    await expect.poll(() => logo.evaluate((image) => 'naturalWidth' in image && image.naturalWidth)).toBe(40);
    const button = await page.locator('button[type=submit]').evaluate((element) => {
      const { backgroundColor, borderTopLeftRadius, fontFamily } = getComputedStyle(element);
      return [backgroundColor, borderTopLeftRadius, fontFamily];
    });
    expect(button).toEqual(['rgb(15, 92, 77)', '3px', 'Georgia, serif']);
    // A text colour that suits the light background is not used on the dark one.
    const text = await page.evaluate(() => getComputedStyle(document.body).color);
    expect(text).toBe(colorScheme === 'light' ? 'rgb(34, 34, 34)' : 'rgb(241, 243, 246)');
    expect(complaints).toEqual([]);
  });
});

/** Pays until the page counts the three seconds. Its clock then stands still, however busy the machine is. */
async function payAndCount(page: Page, checkoutUrl: string): Promise<void> {
  await page.clock.install();
  await page.goto(checkoutUrl);
  await typeCard(page, '4111111111111111');
  await stopClock(page);
  await page.locator('button[type=submit]').click();
  await expect
    .poll(async () => {
      await page.clock.runFor(200);
      return page.getByText('You will go back to Folha in 3 seconds.').count();
    })
    .toBe(1);
}

describe('the links from the hosted page to the shop', () => {
  it('lead back while no payment is made', async () => {
    const { relay, shopUrl } = await startStack();
    const { id, checkoutUrl } = await relay.session({ return_url: `${shopUrl}/thanks` });
    const { page } = await openPage(browser);
    await page.goto(checkoutUrl);
    await page.getByRole('link', { name: 'Back to Folha' }).click();
    await page.waitForURL(`${shopUrl}/thanks?session=${id}&order_no=*&status=open`);
  });

  it('lead on automatically three seconds after an approved payment', async () => {
    const { relay, shopUrl } = await startStack();
    const { checkoutUrl } = await relay.session({ return_url: `${shopUrl}/thanks` });
    const { page, complaints } = await openPage(browser);
    await payAndCount(page, checkoutUrl);
    const heading = page.getByRole('heading', { name: 'Payment approved' });
    expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.getByRole('status').getByText('You will go back').count()).toBe(1);
    await page.clock.runFor(2500);
    expect(page.url()).toBe(checkoutUrl);
    await page.clock.runFor(500);
    await page.waitForURL(`${shopUrl}/thanks?*status=approved`);
    expect(complaints).toEqual([]);
  });

  it('do not redirect a shopper who moves the focus', async () => {
    const { relay, shopUrl } = await startStack();
    const { checkoutUrl } = await relay.session({ return_url: `${shopUrl}/thanks` });
    const { page } = await openPage(browser);
    await payAndCount(page, checkoutUrl);
    await page.keyboard.press('Tab');
    const link = page.getByRole('link', { name: 'Back to Folha' });
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.clock.runFor(10_000);
    expect(await page.getByText('You will go back to Folha in 3 seconds.').count()).toBe(0);
    expect(page.url()).toBe(checkoutUrl);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${shopUrl}/thanks?*status=approved`);
  });

  it('return after a page that failed to load is reloaded', async () => {
    const { relay } = await startStack();
    const { checkoutUrl } = await relay.session({ collect: ['email'] });
    const { page } = await openPage(browser);
    await page.route(/\/form\/(\d+\/)?parts-/, (route) => route.abort());
    await page.goto(checkoutUrl);
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute(/\/form\/(\d+\/)?parts-/);
    await again.click();
    await page.getByLabel('Email').waitFor();
  });
});

describe('without JavaScript', () => {
  it('a plain text says what to do, hosted and in a frame', async () => {
    const text = /Ative o JavaScript/;
    const { relay, put } = await startHost();
    const { secret, checkoutUrl } = await relay.session();
    // Switched off in the browser's preferences, as a person does it: automation may switch it off too late for a
    // frame.
    const { page } = await browserThat({ profile: { default_content_setting_values: { javascript: 2 } } }, 'pt-BR');
    await page.goto(checkoutUrl);
    await page.getByText(text).waitFor();
    const body = `<turnpike-checkout session="${secret}"><iframe src="${checkoutUrl}" title="Checkout" height="600"></iframe></turnpike-checkout>`;
    await page.goto(put({ body }));
    await page.frameLocator('iframe').getByText(text).waitFor();
  });
});

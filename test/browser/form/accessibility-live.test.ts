import type { Browser, Frame, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { axeFindings } from '../../support/browsers/axe.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { alive, desktop, formIn, openPage, phone, startStack, typeCard } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

/** The form's document inside the shop's page, once its script runs. */
async function frameOf(page: Page): Promise<Frame> {
  await alive(formIn(page));
  const element = await page.locator('turnpike-checkout iframe').elementHandle();
  const frame = await element?.contentFrame();
  if (!frame) throw new Error('there is no frame');
  return frame;
}

describe('the form in a shop’s page', () => {
  it('has no axe findings from the first paint to the confirmation', async () => {
    const { gateway, shopUrl } = await startStack({ timeoutMs: 2000 });
    const { page } = await openPage(browser, phone);
    await page.goto(shopUrl);
    const frame = await frameOf(page);
    const form = formIn(page);
    const check = async (what: string) => {
      // The frame is as high as its content: nothing is cut off, and nothing scrolls.
      await frame.waitForFunction(() => document.documentElement.scrollHeight <= window.innerHeight);
      // The pictures of accessibility.test.ts cover the other states.
      if (['declined', 'approved'].includes(what)) expect(await axeFindings(frame), what).toEqual([]);
    };

    expect(await axeFindings(page), 'the shop’s page').toEqual([]);
    await check('empty');
    await alive(form);
    await form.locator('button[type=submit]').click();
    await form.locator('[aria-invalid="true"]').first().waitFor();
    await check('wrong fields');
    await typeCard(form, '4000000000000002');
    await form.locator('button[type=submit]').click();
    await form.getByRole('status').getByText('declined').waitFor();
    await check('declined');
    await form.locator('[autocomplete="cc-number"]').fill('4000000000000341');
    await form.locator('[autocomplete="cc-csc"]').fill('737');
    await form.locator('button[type=submit]').click();
    await expect.poll(() => gateway.payments.list().length).toBe(2);
    // The outcome stays unknown until the test has seen that, however slow the page is.
    gateway.armed.arm({ operation: 'query', fault: 'error_before', times: 1_000_000 });
    await form.getByRole('heading', { name: 'confirming' }).waitFor();
    await check('confirming');
    gateway.armed.clear();
    await form.getByRole('heading', { name: 'approved' }).waitFor();
    await check('approved');
  });

  it('has every field in reading order for the Tab key', async () => {
    const { shopUrl } = await startStack();
    const { page } = await openPage(browser, desktop);
    await page.goto(shopUrl);
    const frame = await frameOf(page);
    const focused = () =>
      frame.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.getAttribute('autocomplete') ?? activeElement?.getAttribute('type') ?? '';
      });
    await frame.locator('[type=radio]').first().focus();
    const order = [await focused()];
    for (let stop = 0; stop < 5; stop++) {
      await page.keyboard.press('Tab');
      order.push(await focused());
    }
    expect(order).toEqual(['radio', 'cc-number', 'cc-exp', 'cc-csc', 'cc-name', 'submit']);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('TURNPIKE-CHECKOUT');
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('submit');
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('cc-name');
  });

  it('focuses the first field with an error and shows it whole', async () => {
    const { shopUrl } = await startStack();
    const { page } = await openPage(browser, { width: 390, height: 480 });
    await page.goto(`${shopUrl}/?methods=card`);
    const frame = await frameOf(page);
    await frame.locator('button[type=submit]').press('Enter');
    const number = frame.locator('[autocomplete="cc-number"]');
    await frame.locator('[autocomplete="cc-number"][aria-invalid="true"]').waitFor();
    expect(await number.evaluate((input) => input === document.activeElement)).toBe(true);
    for (const autocomplete of ['cc-number', 'cc-exp', 'cc-csc', 'cc-name']) {
      const field = frame.locator(`[autocomplete="${autocomplete}"]`);
      await frame.waitForFunction(
        (element) =>
          element !== null &&
          new Promise((resolve) => {
            new IntersectionObserver(([seen]) => resolve(seen?.intersectionRatio === 1)).observe(element);
          }),
        await field.elementHandle(),
      );
      await page.keyboard.press('Tab');
    }
  });

  it('has live regions and a heading in its HTML, before scripts', async () => {
    const { relay } = await startStack();
    const { checkoutUrl } = await relay.session();
    const html = await (await fetch(checkoutUrl)).text();
    expect(html).toContain('<div role="status">');
    expect(html.match(/<p class="error" id="error-[\w-]+"><\/p>/g)?.length).toBe(4);
    expect(html).toMatch(/<h1[^>]*>[^<]+<\/h1>/);
    expect(html).toMatch(/<html lang="en"/);
  });
});

describe('the hosted page and its notices', () => {
  it('have the outcome’s style at once and on later visits', async () => {
    const { relay } = await startStack();
    const { page, complaints } = await openPage(browser, phone);
    const { checkoutUrl } = await relay.session();
    await page.goto(checkoutUrl);
    const align = (where: Page) => where.locator('.outcome').evaluate((outcome) => getComputedStyle(outcome).textAlign);
    await typeCard(page, '4111111111111111');
    await page.locator('button[type=submit]').click();
    await page.getByRole('heading', { name: 'Payment approved' }).waitFor();
    expect(await align(page)).toBe('center');
    expect(complaints).toEqual([]);
    const scriptless = await browser.newPage({ javaScriptEnabled: false });
    onTestFinished(() => scriptless.close());
    await scriptless.goto(checkoutUrl);
    expect(await align(scriptless)).toBe('center');
  });

  it('have no axe findings, dark, on a phone', async () => {
    const { relay, shopUrl } = await startStack();
    const { page } = await openPage(browser, phone);
    await page.emulateMedia({ colorScheme: 'dark' });
    const items = [{ name: 'Tea', code: 'T', price: '64.95', quantity: 2 }];
    const { checkoutUrl } = await relay.session({
      order: { items, shipping: '1.00' },
      return_url: `${shopUrl}/thanks`,
    });
    await page.goto(checkoutUrl);
    await page.locator('.summary summary').evaluate((summary) => summary.closest('details')?.setAttribute('open', ''));
    expect(await axeFindings(page)).toEqual([]);
    // A change of the fragment alone would not load the page.
    await page.goto('about:blank');
    await page.goto(checkoutUrl.replace(/#.*/, '#'));
    await page.getByRole('heading', { name: 'This checkout link does not work' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.goto(`${new URL(checkoutUrl).origin}/checkout/cs_none`);
    expect(await axeFindings(page)).toEqual([]);
  });
});

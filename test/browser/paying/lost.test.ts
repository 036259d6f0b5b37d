import type { Browser, BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { desktop, formIn, openPage, phone, startStack, typeCard, waitForEvent } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const approvedCard = '4111111111111111';
const lateCard = '4000000000000119';
const silentCard = '4000000000000341';

const heading = (page: Page, text: RegExp) => page.getByRole('heading', { name: text });

/** The keys of all requests to pay that the browser makes from now on. */
function keysOf(context: BrowserContext): string[] {
  const keys: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/checkout/api/pay')) keys.push(request.headers()['idempotency-key'] ?? 'none');
  });
  return keys;
}

describe('a page that is reloaded during a payment', () => {
  it('keeps its order in the shop, and pays it once', async () => {
    const { gateway, shopUrl } = await startStack({ timeoutMs: 4000 });
    // The outcome stays unknown until the reloaded page shows so, however slow that is.
    gateway.armed.arm({ operation: 'query', fault: 'error_before', times: 1_000_000 });
    const { page, complaints } = await openPage(browser, desktop);
    await page.goto(shopUrl);
    const form = formIn(page);
    await typeCard(form, silentCard);
    await form.locator('button[type=submit]').click();
    await expect.poll(() => gateway.payments.list().length).toBe(1);
    await page.reload();
    await form.getByRole('heading', { name: /confirming your payment/i }).waitFor();
    gateway.armed.clear();
    await waitForEvent(page, '"status":"approved"');
    expect(gateway.payments.list()).toHaveLength(1);

    await page.getByRole('link', { name: 'Buy again' }).click();
    await typeCard(form, approvedCard);
    await form.locator('button[type=submit]').click();
    await waitForEvent(page, '"status":"approved"');
    const orders = gateway.payments.list().map(({ order }) => order.order_no);
    expect(new Set(orders).size).toBe(2);
    expect(complaints).toEqual([]);
  });
});

it('two tabs that pay one checkout at once make one payment', async () => {
  const { gateway, relay } = await startStack({ lateMs: 800 });
  const { page, context } = await openPage(browser);
  const other = await context.newPage();
  const { checkoutUrl } = await relay.session();
  for (const tab of [page, other]) {
    await tab.goto(checkoutUrl);
    await typeCard(tab, lateCard);
  }
  await Promise.all([page, other].map((tab) => tab.locator('button[type=submit]').click()));
  await Promise.all([page, other].map((tab) => heading(tab, /approved/i).waitFor()));
  expect(gateway.payments.list()).toHaveLength(1);
});

describe('a shopper who goes back with the browser', () => {
  it('to a paid form sees the payment and cannot pay again', async () => {
    const { gateway, relay } = await startStack();
    const { page } = await openPage(browser, phone);
    const { checkoutUrl } = await relay.session();
    await page.goto(checkoutUrl);
    await typeCard(page, approvedCard);
    await page.locator('button[type=submit]').click();
    await heading(page, /approved/i).waitFor();
    await page.goto('about:blank');
    await page.goBack();
    await heading(page, /approved/i).waitFor();
    expect(await page.locator('button[type=submit]').count()).toBe(0);
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('during a payment, then forward, sees one confirmed payment', async () => {
    const { gateway, relay } = await startStack({ lateMs: 1500 });
    const { page } = await openPage(browser, phone);
    const { checkoutUrl } = await relay.session();
    await page.goto('about:blank');
    await page.goto(checkoutUrl);
    await typeCard(page, lateCard);
    await page.locator('button[type=submit]').click();
    await expect.poll(() => gateway.payments.list().length).toBe(1);
    await page.goBack();
    await page.goForward();
    await heading(page, /approved/i).waitFor();
    expect(gateway.payments.list()).toHaveLength(1);
  });
});

describe('a request to pay that never arrives', () => {
  it('makes no claim about money and is retried under its key', async () => {
    const { gateway, shopUrl } = await startStack();
    const { page, context } = await openPage(browser, phone);
    const keys = keysOf(context);
    await context.route('**/checkout/api/pay', (route) => route.abort('connectionreset'), { times: 1 });
    await page.goto(shopUrl);
    const form = formIn(page);
    await typeCard(form, approvedCard);
    await form.locator('button[type=submit]').click();
    await form.getByText('We have received no payment.').waitFor();
    await waitForEvent(page, '"code":"request_lost"');
    expect(gateway.payments.list()).toEqual([]);

    const code = form.locator('[autocomplete="cc-csc"]');
    expect(await code.inputValue()).toBe('');
    expect(await code.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type('737');
    await page.keyboard.press('Enter');
    await waitForEvent(page, '"status":"approved"');
    expect(gateway.payments.list()).toHaveLength(1);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  it('and arrives after its own retry makes no second payment', async () => {
    const { gateway, relay } = await startStack();
    const { page, context } = await openPage(browser);
    const { checkoutUrl, secret } = await relay.session();
    let late: { body: string; key: string } | undefined;
    await context.route(
      '**/checkout/api/pay',
      (route) => {
        late = { body: route.request().postData() ?? '', key: route.request().headers()['idempotency-key'] ?? '' };
        return route.abort('connectionreset');
      },
      { times: 1 },
    );
    await page.goto(checkoutUrl);
    await typeCard(page, '4000000000000002');
    await page.locator('button[type=submit]').click();
    await page.getByText('We have received no payment.').waitFor();
    await page.keyboard.type('737');
    await page.keyboard.press('Enter');
    await page.getByText('Your bank declined').or(page.getByText('was declined')).first().waitFor();
    const { key = '', body = '' } = late ?? {};
    const answer = await relay.post('/checkout/api/pay', secret, body, { 'idempotency-key': key });
    expect(answer).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    expect(gateway.payments.list()).toHaveLength(1);
  });
});

describe('a part of the form that fails to load', () => {
  it('is requested once more', async () => {
    const { gateway, relay } = await startStack();
    const { page, context } = await openPage(browser);
    await context.route('**/form/parts-*', (route) => route.abort(), { times: 1 });
    const { checkoutUrl } = await relay.session({ collect: ['email'] });
    await page.goto(checkoutUrl);
    await typeCard(page, approvedCard);
    await page.getByLabel('Email').fill('ada@example.com');
    await page.locator('button[type=submit]').click();
    await heading(page, /approved/i).waitFor();
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('is reported with advice in place of the unusable form', async () => {
    const { shopUrl } = await startStack();
    const { page, context } = await openPage(browser);
    await context.route(/\/form\/(\d+\/)?parts-/, (route) => route.abort());
    await page.goto(`${shopUrl}/?subscription=month`);
    const form = formIn(page);
    await form.getByRole('heading', { name: 'This page did not load completely' }).waitFor();
    expect(await form.locator('form').count()).toBe(0);
    await waitForEvent(page, '"code":"incomplete"');
    await context.unroute(/\/form\/(\d+\/)?parts-/);
    await page.reload();
    await form.getByText('Subscription').waitFor();
    await form.locator('form').waitFor();
  });
});

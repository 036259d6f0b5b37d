import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { apiKey, type TestRelay } from '../../support/relays/relay.ts';
import { backOnline, formIn, openPage, phone, startStack, typeCard, waitForEvent } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const pay = (form: Page) => form.locator('button[type=submit]').click();
const heading = (page: Page, text: RegExp) => page.getByRole('heading', { name: text });

/** Changes a session's order, as the shop's server does. */
async function patch(relay: TestRelay, id: string, order: object): Promise<void> {
  const answer = await relay.send(`/v1/sessions/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ order }),
  });
  expect(answer.status).toBe(200);
}

describe('a shopper without a network', () => {
  it('sees that nothing was sent, keeps input, and pays once online', async () => {
    const { gateway, relay } = await startStack();
    const { page, context } = await openPage(browser, phone);
    const { checkoutUrl } = await relay.session();
    await page.goto(checkoutUrl, { waitUntil: 'networkidle' });
    await typeCard(page, testCards.approved.number);
    await context.setOffline(true);
    await pay(page);
    await page.getByText('You are offline.').waitFor();
    expect(await page.locator('[autocomplete="cc-csc"]').inputValue()).toBe('737');
    expect(gateway.payments.list()).toEqual([]);
    await backOnline(context, page);
    await pay(page);
    await heading(page, /approved/i).waitFor();
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('sees so during confirmation, and sees the outcome once online', async () => {
    const { gateway, relay } = await startStack({ timeoutMs: 1500 });
    // The outcome stays unknown until the form shows that it is offline, however slow that is.
    gateway.armed.arm({ operation: 'query', fault: 'error_before', times: 1_000_000 });
    const { page, context } = await openPage(browser);
    const { checkoutUrl } = await relay.session();
    await page.goto(checkoutUrl, { waitUntil: 'networkidle' });
    await typeCard(page, testCards.silent.number);
    await pay(page);
    await expect.poll(() => gateway.payments.list().length).toBe(1);
    await context.setOffline(true);
    await page.getByText('There is no connection right now.').waitFor();
    expect(await page.locator('button[type=submit]').count()).toBe(0);
    gateway.armed.clear();
    await context.setOffline(false);
    await heading(page, /approved/i).waitFor();
    expect(gateway.payments.list()).toHaveLength(1);
  });
});

describe('an order that the shop changes', () => {
  const items = [{ name: 'Tea', code: 'T-1', price: '129.90', quantity: 1 }];
  const strainer = { name: 'Tea strainer', code: 'T-2', price: '20.00', quantity: 1 };

  it('shows its new amount before payment, without an update', async () => {
    const { gateway, relay } = await startStack();
    const { page, requests } = await openPage(browser);
    const { id, checkoutUrl } = await relay.session({ order: { amount: '129.90', items } });
    await page.goto(checkoutUrl, { waitUntil: 'networkidle' });
    await typeCard(page, testCards.approved.number);
    await patch(relay, id, { amount: '149.90', items: [...items, strainer] });
    await pay(page);
    await page.getByText('The amount is now R$149.90.').waitFor();
    expect(gateway.payments.list()).toEqual([]);
    expect(await page.locator('button[type=submit]').textContent()).toBe('Pay R$149.90');
    expect(await page.locator('[autocomplete="cc-number"]').inputValue()).toBe('4111 1111 1111 1111');
    await expect.poll(() => page.locator('.summary li').allTextContents()).toHaveLength(2);
    expect(await page.locator('.summary .amount').textContent()).toBe('R$149.90');
    await pay(page);
    await heading(page, /approved/i).waitFor();
    expect(gateway.payments.list().map(({ order }) => order.amount)).toEqual(['149.90']);
    expect(requests.filter((request) => request.endsWith('/checkout/api/pay'))).toHaveLength(2);
  });
});

it('a shopper who waits long reads that the payment continues', async () => {
  const { gateway, relay } = await startStack();
  const { page, context } = await openPage(browser);
  const { checkoutUrl } = await relay.session();
  const isRead = Promise.withResolvers<void>();
  await context.route('**/checkout/api/pay', async (route) => {
    await isRead.promise;
    await route.continue();
  });
  await page.goto(checkoutUrl);
  await typeCard(page, testCards.approved.number);
  await pay(page);
  await page.getByText('This takes a little longer than usual.').waitFor();
  isRead.resolve();
  await heading(page, /approved/i).waitFor();
  expect(gateway.payments.list()).toHaveLength(1);
});

describe('a decline', () => {
  it('says what to do but no reason, and offers another method', async () => {
    const { gateway, relay } = await startStack();
    const { page } = await openPage(browser, phone);
    const { checkoutUrl } = await relay.session({
      payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }],
    });
    await page.goto(checkoutUrl);
    await typeCard(page, testCards.declined.number);
    await pay(page);
    const pix = page.getByRole('button', { name: 'Pay with Pix' });
    await pix.waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/fraud|risk|stolen|lost|2001|blacklist/i);
    await pix.click();
    expect(await page.getByRole('radio', { name: 'Pix' }).isChecked()).toBe(true);
    await pay(page);
    await expect.poll(() => gateway.payments.list().length).toBe(2);
  });
});

it('a frame requests the 3-D Secure window that fits it', async () => {
  const { shopUrl } = await startStack();
  const { page, context } = await openPage(browser, { width: 1280, height: 900 });
  const sizes: unknown[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/checkout/api/pay')) sizes.push(request.postDataJSON().device.challenge_window_size);
  });
  await page.goto(shopUrl);
  await page
    .locator('turnpike-checkout')
    .evaluate((element: HTMLElement) => element.style.setProperty('width', '400px'));
  await typeCard(formIn(page), testCards.approved.number);
  await formIn(page).locator('button[type=submit]').click();
  await waitForEvent(page, '"status":"approved"');
  expect(sizes).toEqual(['02']);
});

import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ada, cheapHash } from '../../../support/operators/console.ts';
import { type ConsoleStack, dialog, signInAt, startConsoleStack } from '../../../support/operators/console-stack.ts';
import { waitForRoutes } from '../../../support/relays/stack.ts';

const REFUND = /\/v1\/refund$/;

const eve = { name: 'Eve', password: cheapHash('eve’s'), scopes: ['*'], accounts: ['demo'] };

const start = () => startConsoleStack({ console: { people: [ada, eve] } });

/** Ada has typed the refund of a new order. */
async function typeRefund(stack: ConsoleStack, page: Page, orderNo: string): Promise<void> {
  await stack.pay(orderNo, '129.90');
  await page.goto(`${stack.front.url}/console/orders/${orderNo}`);
  await page.getByRole('button', { name: 'Refund' }).click();
  await page.getByLabel('Amount').fill('7.50');
  await page.getByLabel('Reason').fill('broken cup');
}

/** The same, and her sign-in has expired when she sends it. */
async function expiredWhileSending(stack: ConsoleStack, page: Page, orderNo: string): Promise<void> {
  await typeRefund(stack, page, orderNo);
  stack.expireSignIns();
  await sendRefund(page);
  await page.getByText('Your sign-in has expired').waitFor();
}

/**
 * Sends the refund as Enter does. A real key press could reach the sign-in dialog, which the page may open at any
 * time.
 */
async function sendRefund(page: Page): Promise<void> {
  await page
    .locator('dialog form')
    .first()
    .evaluate((form: HTMLFormElement) => form.requestSubmit());
}

/** Waits until the refund is made. A failure shows the text of the dialog. */
async function isRefunded(stack: ConsoleStack, page: Page, orderNo: string): Promise<void> {
  await expect.poll(() => dialog(page).innerText()).toContain('Refunded.');
  expect(await stack.order(orderNo)).toMatchObject({ refunded: '7.50' });
}

describe('a sign-in that expires while a dialog is open', () => {
  it('continues once the same person signs in again', async () => {
    const stack = await start();
    const page = await stack.person('/console/orders');
    page.on('dialog', (asked) => void asked.accept());
    await expiredWhileSending(stack, page, 'A-1001');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The name or the password is wrong.').waitFor();
    await page.getByLabel('Password').fill('ada’s');
    await page.keyboard.press('Enter');
    await isRefunded(stack, page, 'A-1001');
    expect(new Set(stack.keys(REFUND)).size).toBe(1);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('.timeline').getByText('broken cup').waitFor();

    // In another tab, before and after this page detects the expiry.
    await typeRefund(stack, page, 'B-1');
    await signedInElsewhere(page, 'Ada');
    await sendRefund(page);
    await isRefunded(stack, page, 'B-1');
    await expiredWhileSending(stack, page, 'C-1');
    await signedInElsewhere(page, 'Ada');
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await isRefunded(stack, page, 'C-1');

    // While the relay's answer is on its way, and the page gets the focus as soon as the dialog opens.
    await typeRefund(stack, page, 'D-1');
    stack.expireSignIns();
    await page.route(
      '**/console/api/me',
      async (route) => {
        const response = await route.fetch();
        await signedInElsewhere(page, 'Ada');
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await waitForRoutes(page);
    await page.evaluate(() => {
      const asked = new MutationObserver(() => {
        if (!document.body.textContent.includes('Your sign-in has expired')) return;
        asked.disconnect();
        window.dispatchEvent(new Event('focus'));
      });
      asked.observe(document.body, { childList: true, subtree: true });
    });
    await sendRefund(page);
    // Another request of the page may have opened the dialog before the other tab signed in: the page gets the focus again.
    const refocused = async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      return dialog(page).innerText();
    };
    await expect.poll(refocused).toContain('Refunded.');
    await isRefunded(stack, page, 'D-1');
  });

  it('continues if a later request shows that another tab signed in', async () => {
    const stack = await start();
    const page = await stack.person('/console/orders');
    await typeRefund(stack, page, 'A-1001');
    // A read of the order, and what follows it, are sent after the old sign-in ended and before the new cookie came.
    const sendWithoutCookie = async (route: Route): Promise<void> => {
      const headers = { ...route.request().headers(), cookie: '' };
      await route.fulfill({ response: await route.fetch({ headers }) });
    };
    for (const path of ['orders/A-1001', 'me']) await page.route(`**/${path}`, sendWithoutCookie, { times: 1 });
    // It ends the stream of changes, and the next stream lets the page read the order again.
    await signedInElsewhere(page, 'Ada');
    await page.getByText('Your sign-in has expired').waitFor();
    await sendRefund(page);
    await isRefunded(stack, page, 'A-1001');
    await page.getByText('Your sign-in has expired').waitFor({ state: 'detached' });
  });

  it('does not let another person continue the dialog', async () => {
    const stack = await start();
    const page = await stack.person('/console/orders');
    page.on('dialog', (asked) => void asked.accept());
    await expiredWhileSending(stack, page, 'A-1001');
    await page.getByRole('button', { name: 'Sign in as another person' }).click();
    await page.getByLabel('Name').waitFor();
    await signInAt(page, 'Eve');
    await page.getByRole('button', { name: 'Refund' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.locator('h1', { hasText: 'Audit' }).waitFor();
    expect(await page.getByText('has no answer yet').count()).toBe(0);
    expect(await stack.order('A-1001')).toMatchObject({ refunded: '0.00' });
    await page.route('**/console/api/sign-out', (route) => route.abort());
    await waitForRoutes(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in: the relay did not answer.').waitFor();
    await page.unroute('**/console/api/sign-out');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Name').waitFor();
    await signInAt(page, 'Ada');
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.getByText('An earlier request for this has no answer yet').waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe('broken cup');
    await page.getByRole('button', { name: 'Ask again' }).click();
    await isRefunded(stack, page, 'A-1001');

    // In another tab.
    await typeRefund(stack, page, 'B-1');
    await signedInElsewhere(page, 'Eve');
    await sendRefund(page);
    await page.getByText('Another person is signed in now.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Another person is signed in now.').waitFor();
    expect(await stack.order('B-1')).toMatchObject({ refunded: '0.00' });
  });
});

/** The requests of another tab of the same browser in which a person signs in. */
async function signedInElsewhere(page: Page, name: string): Promise<void> {
  const status = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/console/api/sign-in', { method: 'POST', headers, body })).status;
    },
    JSON.stringify({ name, password: `${name.toLowerCase()}’s` }),
  );
  expect(status).toBe(200);
}

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type ConsoleStack, dialog, startConsoleStack } from '../../support/operators/console-stack.ts';

const REFUND = /\/v1\/refund$/;

/** The screen of an order, with the refund dialog open and 20.00 typed in. */
async function typeRefund(stack: ConsoleStack, page: Page, orderNo: string): Promise<void> {
  await stack.pay(orderNo, '129.90');
  await page.goto(`${stack.front.url}/console/orders/${orderNo}`);
  await page.getByRole('button', { name: 'Refund' }).click();
  await page.getByLabel('Amount').fill('20');
  await page.getByLabel('Reason').fill('broken cup');
}

/** The idempotency key of each received refund request of an order. */
const keysOf = (stack: ConsoleStack, orderNo: string): unknown[] =>
  stack.front.seen
    .filter(({ address, body }) => REFUND.test(address) && body.includes(`"${orderNo}"`))
    .map(({ headers }) => headers['idempotency-key']);

/** Retries after a lost answer: the relay makes one refund under one key, and the dialog reports it. */
async function askAgain(stack: ConsoleStack, page: Page, orderNo: string): Promise<void> {
  expect(await page.getByLabel('Amount').getAttribute('readonly')).not.toBeNull();
  expect(await page.getByLabel('Amount').inputValue()).toMatch(/^20(\.00)?$/);
  await page.getByRole('button', { name: 'Ask again' }).click();
  await dialog(page).getByText('Refunded.').waitFor();
  expect(new Set(keysOf(stack, orderNo)).size).toBe(1);
  expect(await stack.order(orderNo)).toMatchObject({ refunded: '20.00', refundable: '109.90' });
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await page.getByRole('button', { name: 'Close' }).click();
}

const unanswered = (page: Page) => page.getByText('An earlier request for this has no answer yet').waitFor();

/** A person at the console who leaves pages while requests are running. */
async function start(options: Parameters<typeof startConsoleStack>[0] = {}) {
  const stack = await startConsoleStack(options);
  const page = await stack.person('/console/orders');
  page.on('dialog', (asked) => void asked.accept());
  return { stack, page };
}

it('a refund with a lost answer is made once', async () => {
  const { stack, page } = await start();
  for (const fault of ['lose_request', 'bad_gateway'] as const) {
    await typeRefund(stack, page, fault);
    const restore = stack.front.fail(REFUND, fault);
    await page.keyboard.press('Enter');
    await page.getByText('No answer came').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await dialog(page).getByRole('button').allInnerTexts()).toEqual(['Ask again']);
    restore();
    await askAgain(stack, page, fault);
  }
});

it('a refund is made once although its page is left', async () => {
  const { stack, page } = await start();
  await typeRefund(stack, page, 'A-0');
  const heal = stack.front.fail(REFUND, 'lose_answer');
  await page.keyboard.press('Enter');
  await expect.poll(() => keysOf(stack, 'A-0').length).toBeGreaterThan(0);
  await page.reload();
  await unanswered(page);
  expect(await page.getByLabel('Reason').inputValue()).toBe('broken cup');
  heal();
  await askAgain(stack, page, 'A-0');

  // While it is being sent.
  await typeRefund(stack, page, 'A-1');
  const release = stack.front.hold(REFUND);
  await page.keyboard.press('Enter');
  await page.getByText('Sending').waitFor();
  await expect.poll(() => keysOf(stack, 'A-1').length).toBe(1);
  const asked = page.waitForEvent('dialog');
  await page.reload();
  expect((await asked).type()).toBe('beforeunload');
  await unanswered(page);
  release();
  await askAgain(stack, page, 'A-1');

  // It is found again after going back, and from every page.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Orders' }).click();
  await stack.pay('B-1', '129.90');
  await page.getByRole('link', { name: 'B-1' }).click();
  await page.getByRole('button', { name: 'Refund' }).click();
  await page.getByLabel('Amount').fill('20');
  const restore = stack.front.fail(REFUND, 'lose_request');
  await page.keyboard.press('Enter');
  await expect.poll(() => keysOf(stack, 'B-1').length).toBeGreaterThan(0);
  await page.goBack();
  await page.getByText('Something that you sent has no answer yet.').waitFor();
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('link', { name: 'Open it' }).click();
  await unanswered(page);
  restore();
  await askAgain(stack, page, 'B-1');
  await page.getByRole('button', { name: 'Refund' }).click();
  await page.locator('dialog .sentence').waitFor();
  expect(await page.getByRole('button', { name: 'Ask again' }).count()).toBe(0);
});

it('captures, cancellations and settlements are made once after a reload', async () => {
  const config = { resolve: { first_ms: 60_000, max_ms: 60_000 } };
  const { stack, page } = await start({ config });
  const once = async (path: RegExp, send: () => Promise<void>, check: () => Promise<void>, done: string) => {
    const restore = stack.front.fail(path, 'lose_answer');
    await send();
    await expect.poll(() => stack.keys(path).length).toBeGreaterThan(0);
    await page.reload();
    await unanswered(page);
    await check();
    restore();
    await page.getByRole('button', { name: 'Ask again' }).click();
    await dialog(page).getByText(done).waitFor();
    expect(new Set(stack.keys(path)).size).toBe(1);
  };

  for (const [name, path, done] of [
    ['Capture', /\/v1\/capture$/, 'Captured.'],
    ['Cancel payment', /\/v1\/cancel$/, 'Cancelled.'],
  ] as const) {
    await stack.pay(name, '29.90');
    await page.goto(`${stack.front.url}/console/orders/${encodeURIComponent(name)}`);
    await page.getByRole('button', { name }).click();
    const send = () => dialog(page).getByRole('button', { name }).click();
    await once(path, send, async () => {}, done);
  }

  const orderNo = 'A-1-fault:refund.reset';
  await stack.pay(orderNo, '29.90');
  await page.goto(`${stack.front.url}/console/orders/${encodeURIComponent(orderNo)}`);
  await page.getByRole('button', { name: 'Refund' }).click();
  await page.getByLabel('Amount').press('Enter');
  await page.getByRole('link', { name: 'Open the operation' }).click();
  await page.getByRole('button', { name: 'Settle by hand' }).click();
  await page.getByLabel('It was done').check();
  await page.getByLabel('Note').fill('seen in the portal');
  const settle = () => page.getByRole('button', { name: 'Settle', exact: true }).click();
  const noteIsKept = async () => expect(await page.getByLabel('Note').inputValue()).toBe('seen in the portal');
  await once(/\/settle$/, settle, noteIsKept, 'Settled.');
});

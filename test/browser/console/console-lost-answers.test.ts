import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type ConsoleStack, dialog, startConsoleStack } from '../../support/operators/console-stack.ts';

const REFUND = /\/v1\/refund$/;

/** Somebody who has the dialog of a refund open, with 20.00 typed in. */
async function refunding(stack: ConsoleStack): Promise<Page> {
  await stack.pay('A-1001', '129.90');
  const page = await stack.person('/console/orders/A-1001');
  page.on('dialog', (asked) => void asked.accept());
  await page.getByRole('button', { name: 'Refund' }).click();
  await page.getByLabel('Amount').fill('20');
  await page.getByLabel('Reason').fill('broken cup');
  return page;
}

/** One refund was made, under one key, and the person is told so. */
async function refundedOnce(stack: ConsoleStack, page: Page): Promise<void> {
  await dialog(page).getByText('Refunded.').waitFor();
  expect(new Set(stack.keys(REFUND)).size).toBe(1);
  expect(await stack.order('A-1001')).toMatchObject({ refunded: '20.00', refundable: '109.90' });
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
}

const askAgain = (page: Page) => page.getByRole('button', { name: 'Ask again' });

describe('a refund', () => {
  it.each(['lose_request', 'lose_answer', 'bad_gateway'] as const)('is done once after %s', async (fault) => {
    const stack = await startConsoleStack();
    const page = await refunding(stack);
    const restore = stack.front.fail(REFUND, fault);
    await page.keyboard.press('Enter');
    await page.getByText('No answer came').waitFor();
    expect(await page.getByLabel('Amount').getAttribute('readonly')).not.toBeNull();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await dialog(page).getByRole('button').allInnerTexts()).toEqual(['Ask again']);
    restore();
    await askAgain(page).click();
    await refundedOnce(stack, page);
  });

  it.each(['lose_request', 'lose_answer'] as const)('is asked again after a reload, and %s', async (fault) => {
    const stack = await startConsoleStack();
    const page = await refunding(stack);
    const restore = stack.front.fail(REFUND, fault);
    await page.keyboard.press('Enter');
    await expect.poll(() => stack.keys(REFUND).length).toBeGreaterThan(0);
    await page.reload();
    await page.getByText('An earlier request for this has no answer yet').waitFor();
    expect(await page.getByLabel('Amount').inputValue()).toBe('20.00');
    expect(await page.getByLabel('Reason').inputValue()).toBe('broken cup');
    expect(await page.getByLabel('Amount').getAttribute('readonly')).not.toBeNull();
    restore();
    await askAgain(page).click();
    await refundedOnce(stack, page);
  });

  it('is asked again after a reload while it was being sent', async () => {
    const stack = await startConsoleStack();
    const page = await refunding(stack);
    const release = stack.front.hold(REFUND);
    await page.keyboard.press('Enter');
    await page.getByText('Sending').waitFor();
    await expect.poll(() => stack.keys(REFUND).length).toBe(1);
    const asked = page.waitForEvent('dialog');
    await page.reload();
    expect((await asked).type()).toBe('beforeunload');
    await page.getByText('An earlier request for this has no answer yet').waitFor();
    release();
    await askAgain(page).click();
    await refundedOnce(stack, page);
  });

  it('is found again after going back, and from every page', async () => {
    const stack = await startConsoleStack();
    await stack.pay('A-1001', '129.90');
    const page = await stack.person('/console/orders');
    await page.locator('.row-link').click();
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByLabel('Amount').fill('20');
    const restore = stack.front.fail(REFUND, 'lose_request');
    await page.keyboard.press('Enter');
    await expect.poll(() => stack.keys(REFUND).length).toBeGreaterThan(0);
    await page.goBack();
    await page.getByText('Something that you sent has no answer yet.').waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.getByText('An earlier request for this has no answer yet').waitFor();
    restore();
    await askAgain(page).click();
    await refundedOnce(stack, page);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.locator('dialog .sentence').waitFor();
    expect(await askAgain(page).count()).toBe(0);
  });
});

it.each([
  ['Capture', /\/v1\/capture$/, 'Captured.'],
  ['Cancel payment', /\/v1\/cancel$/, 'Cancelled.'],
] as const)('%s is sent once, over a lost answer and a reload', async (name, path, done) => {
  const stack = await startConsoleStack();
  await stack.pay('A-1001', '29.90');
  const page = await stack.person('/console/orders/A-1001');
  page.on('dialog', (asked) => void asked.accept());
  await page.getByRole('button', { name }).click();
  const restore = stack.front.fail(path, 'lose_answer');
  await dialog(page).getByRole('button', { name }).click();
  await expect.poll(() => stack.keys(path).length).toBeGreaterThan(0);
  await page.reload();
  await page.getByText('An earlier request for this has no answer yet').waitFor();
  restore();
  await askAgain(page).click();
  await dialog(page).getByText(done).waitFor();
  expect(new Set(stack.keys(path)).size).toBe(1);
});

describe('a settlement', () => {
  const config = { resolve: { first_ms: 60_000, max_ms: 60_000 } };

  it('of an operation is recorded once, over a lost answer and a reload', async () => {
    const stack = await startConsoleStack({ config });
    const orderNo = 'A-1-fault:refund.reset';
    await stack.pay(orderNo, '29.90');
    const page = await stack.person(`/console/orders/${encodeURIComponent(orderNo)}`);
    page.on('dialog', (asked) => void asked.accept());
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByLabel('Amount').press('Enter');
    await page.getByRole('link', { name: 'Open the operation' }).click();
    await page.getByRole('button', { name: 'Settle by hand' }).click();
    await page.getByLabel('It was done').check();
    await page.getByLabel('Note').fill('seen in the portal');
    const restore = stack.front.fail(/\/settle$/, 'lose_answer');
    await page.getByRole('button', { name: 'Settle', exact: true }).click();
    await expect.poll(() => stack.keys(/\/settle$/).length).toBeGreaterThan(0);
    await page.reload();
    await page.getByText('An earlier request for this has no answer yet').waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('seen in the portal');
    restore();
    await askAgain(page).click();
    await dialog(page).getByText('Settled.').waitFor();
    expect(new Set(stack.keys(/\/settle$/)).size).toBe(1);
  });
});

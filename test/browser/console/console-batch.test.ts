import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { axeFindings } from '../../support/browsers/axe.ts';
import type { Seen } from '../../support/http/front.ts';
import { ada } from '../../support/operators/console.ts';
import { type ConsoleStack, dialog, startConsoleStack } from '../../support/operators/console-stack.ts';
import { apiKey } from '../../support/relays/relay.ts';

const REFUND = /\/v1\/refund$/;

const isStream = ({ address, headers }: Seen): boolean =>
  /\/live/.test(address) && headers.accept === 'text/event-stream';

/** Three paid orders, a declined order, and a person at the list of orders. */
async function start(options: Parameters<typeof startConsoleStack>[0] = {}) {
  const stack = await startConsoleStack(options);
  for (const [orderNo, amount] of [
    ['B-1', '10.00'],
    ['B-2', '20.00'],
    ['B-3', '30.50'],
  ] as const) {
    await stack.pay(orderNo, amount);
  }
  await stack.pay('B-4', '40.00', { card: testCards.declined.number });
  const page = await stack.person('/console/demo/orders');
  await page.getByRole('link', { name: 'B-1' }).waitFor();
  page.on('dialog', (asked) => void asked.accept());
  return { stack, page };
}

/** Selects orders with the keyboard alone. */
async function select(page: Page, ...orderNos: string[]): Promise<void> {
  for (const orderNo of orderNos) {
    await page.getByRole('link', { name: orderNo }).focus();
    await page.keyboard.press('x');
    const box = page.getByRole('row', { name: orderNo }).getByRole('checkbox', { name: /^Select order/ });
    await box.and(page.locator(':checked')).waitFor();
  }
}

const refundedOf = async (stack: ConsoleStack, ...orderNos: string[]): Promise<unknown[]> =>
  Promise.all(orderNos.map(async (orderNo) => (await stack.order(orderNo)).refunded));

it('refunds the selected orders and skips those that cannot be refunded', async () => {
  const { stack, page } = await start();
  await select(page, 'B-1', 'B-3', 'B-4');
  await page.getByText('3 orders selected').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Refund' }).press('Enter');
  await dialog(page).getByText('Refund R$40.50: all that is left of 2 payments').waitFor();
  await dialog(page).getByText('None of its payments allows this.').waitFor();
  await page.getByLabel('Reason').fill('recall');
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog(page).getByText('2 done').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await refundedOf(stack, 'B-1', 'B-2', 'B-3', 'B-4')).toEqual(['10.00', '0.00', '30.50', '0.00']);
  expect(new Set(stack.keys(REFUND)).size).toBe(2);
  await page.getByRole('button', { name: 'Close' }).press('Enter');
  await page.getByText('0 orders selected').waitFor();
  await page.getByRole('row', { name: /B-3/ }).locator('.badge', { hasText: 'Refunded' }).waitFor();
});

it('refunds each once despite a lost answer and a reload', async () => {
  const { stack, page } = await start();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('button', { name: 'Select all on this page' }).click();
  await page.getByText('4 orders selected').waitFor();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Refund' }).click();
  await dialog(page).getByText('Refund R$60.50').waitFor();
  const restore = stack.front.fail(REFUND, 'lose_answer');
  await dialog(page).getByRole('button', { name: 'Refund 3 payments' }).click();
  await dialog(page).getByText('No answer came').waitFor();
  restore();
  await page.reload();
  await dialog(page).getByText('An earlier request for this has no answer yet').waitFor();
  await dialog(page).getByRole('button', { name: 'Ask again' }).click();
  await dialog(page).getByText('3 done').waitFor();
  expect(await refundedOf(stack, 'B-1', 'B-2', 'B-3')).toEqual(['10.00', '20.00', '30.50']);
  await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0);
});

it('reads the orders again before it resumes', async () => {
  const { stack, page } = await start();
  await select(page, 'B-1', 'B-2', 'B-3');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Cancel' }).press('Enter');
  const restore = stack.front.fail(/\/v1\/cancel$/, 'lose_answer');
  await dialog(page).getByRole('button', { name: 'Cancel 3 payments' }).press('Enter');
  await dialog(page).getByText('No answer came').waitFor();
  restore();
  const captured = await stack.relay.post('/v1/orders/B-3/capture', apiKey, { amount: '5.00' });
  expect(captured.body).toMatchObject({ payment: { captured: '5.00' } });
  await page.reload();
  await dialog(page).getByRole('row', { name: /B-3/ }).getByText('ready').waitFor();
  await dialog(page).getByRole('button', { name: 'Ask again' }).click();
  await dialog(page).getByText('2 done and 1 declined').waitFor();
  await dialog(page).getByText('This payment changed meanwhile.').waitFor();
  expect(await stack.order('B-1')).toMatchObject({ status: 'cancelled' });
  expect(await stack.order('B-3')).toMatchObject({ status: 'partially_captured', captured: '5.00' });
});

it('shows an earlier batch as sent, until it is too old', async () => {
  const { stack, page } = await start();
  await select(page, 'B-1', 'B-3');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Review' }).press('Enter');
  await page.getByLabel('Review flag').fill('APPROVE');
  const restore = stack.front.fail(/\/v1\/review$/, 'lose_answer');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('No answer came').waitFor();
  restore();
  await page.reload();
  await dialog(page)
    .getByText(/Send the review flag .APPROVE. for 2 payments/)
    .waitFor();
  expect(await page.getByLabel('Review flag').inputValue()).toBe('APPROVE');
  await expect.poll(() => dialog(page).locator('.badge').allInnerTexts()).toEqual(['no answer yet']);
  await page.evaluate(() => {
    const [name = ''] = Object.keys(sessionStorage).filter((one) => one.startsWith('turnpike.intent'));
    const kept = JSON.parse(sessionStorage.getItem(name) ?? '{}');
    sessionStorage.setItem(name, JSON.stringify({ ...kept, at: kept.at - 13 * 3_600_000 }));
  });
  await page.reload();
  await dialog(page).getByText('Do not send it again').waitFor();
  await dialog(page).getByText('Review the selected orders').waitFor();
  await expect.poll(() => dialog(page).locator('.badge').allInnerTexts()).toEqual(['not known yet', 'not known yet']);
});

it('still shows its results after missed changes', async () => {
  const { stack, page } = await start();
  await select(page, 'B-1', 'B-3');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Refund' }).press('Enter');
  await dialog(page).getByRole('button', { name: 'Refund 2 payments' }).press('Enter');
  await dialog(page).getByText('2 done').waitFor();
  const streams = () => stack.front.seen.filter(isStream).length;
  const before = streams();
  stack.front.cut(isStream);
  await expect.poll(streams).toBeGreaterThan(before);
  await page.waitForTimeout(1000);
  expect(await dialog(page).getByText('2 done').count()).toBe(1);
  expect(await dialog(page).locator('.badge').allInnerTexts()).toEqual(['done', 'done']);
});

it('asks for the number of payments when the sum is large', async () => {
  const { stack, page } = await start({ console: { confirm_above: { BRL: '30.00' } } });
  await select(page, 'B-1', 'B-2', 'B-3');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Refund' }).press('Enter');
  await page.getByLabel('Type 3 to confirm').waitFor();
  await dialog(page).getByRole('button', { name: 'Refund 3 payments' }).press('Enter');
  await page.getByText('This is not the number above.').waitFor();
  expect(await refundedOf(stack, 'B-1', 'B-2', 'B-3')).toEqual(['0.00', '0.00', '0.00']);
  await page.getByLabel('Type 3 to confirm').fill('3');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('3 done').waitFor();
});

it('names the refund that another person made first', async () => {
  const { stack, page } = await start();
  await select(page, 'B-1', 'B-2');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Refund' }).press('Enter');
  await dialog(page).getByText('Refund R$30.00').waitFor();
  const other = await stack.person('/console/demo/orders/B-1');
  await other.getByRole('button', { name: 'Refund' }).click();
  await other.getByLabel('Amount').fill('4');
  await other.keyboard.press('Enter');
  await dialog(other).getByText('Refunded.').waitFor();
  await dialog(page).getByRole('button', { name: 'Refund 2 payments' }).press('Enter');
  await dialog(page).getByText('1 done and 1 declined').waitFor();
  expect(await refundedOf(stack, 'B-1', 'B-2')).toEqual(['4.00', '20.00']);
});

it('skips an order that another person changed since', async () => {
  const { stack, page } = await start();
  await select(page, 'B-1', 'B-2');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Cancel' }).press('Enter');
  await dialog(page).getByText('Cancel 2 payments of R$30.00 in all').waitFor();
  const other = await stack.person('/console/demo/orders/B-1');
  await other.getByRole('button', { name: 'Capture' }).click();
  await other.getByLabel('Amount').fill('4');
  await other.keyboard.press('Enter');
  await dialog(other).getByText('Captured.').waitFor();
  await dialog(page).getByRole('button', { name: 'Cancel 2 payments' }).press('Enter');
  await dialog(page).getByText('1 done and 1 declined').waitFor();
  await dialog(page).getByText('This payment changed meanwhile.').waitFor();
  expect((await stack.order('B-1')).payments).toMatchObject([{ captured: '4.00', capturable: '6.00' }]);
  expect(stack.keys(/\/v1\/cancel$/).length).toBe(1);
});

it('waits while an order cannot be read before it is sent', async () => {
  const { stack, page } = await start();
  await select(page, 'B-1', 'B-2');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Refund' }).press('Enter');
  await dialog(page).getByRole('button', { name: 'Refund 2 payments' }).waitFor();
  const restore = stack.front.fail(/\/v1\/orders\/B-2$/, 'lose_request');
  await dialog(page).getByRole('button', { name: 'Refund 2 payments' }).press('Enter');
  await dialog(page).getByText('No answer came').waitFor();
  await dialog(page).getByRole('row', { name: 'B-2' }).getByText('ready').waitFor();
  restore();
  await dialog(page).getByRole('button', { name: 'Ask again' }).click();
  await dialog(page).getByText('2 done').waitFor();
});

it('says beforehand that another person must approve, and requests approval', async () => {
  const { stack, page } = await start({ console: { approval: true, confirm_above: { BRL: '15.00' } } });
  await select(page, 'B-1', 'B-2', 'B-3');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Refund' }).press('Enter');
  await dialog(page).getByText('Above R$15.00 another person must approve this.').waitFor();
  await page.getByLabel('Type 3 to confirm').fill('3');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('1 done and 2 wait for another person').waitFor();
  expect(await refundedOf(stack, 'B-1', 'B-2', 'B-3')).toEqual(['10.00', '0.00', '0.00']);
});

it('continues after an order that the person may not refund', async () => {
  const limits = { refund: { BRL: '25.00' } };
  const { stack, page } = await start({ console: { people: [{ ...ada, limits }] } });
  // The page was opened before the limit was set.
  stack.front.rewrite(/\/console\/api\/me$/, (body) => JSON.stringify({ ...JSON.parse(body), limits: undefined }));
  await page.reload();
  await select(page, 'B-1', 'B-3', 'B-2');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Refund' }).press('Enter');
  const restore = stack.front.fail(({ body }) => body.includes('B-2'), 'lose_answer');
  await dialog(page).getByRole('button', { name: 'Refund 3 payments' }).press('Enter');
  await dialog(page).getByText('No answer came').waitFor();
  restore();
  await page.reload();
  await dialog(page).getByRole('button', { name: 'Ask again' }).click();
  await dialog(page).getByText('2 done and 1 declined').waitFor();
  await dialog(page).getByText('Your limit for a refund in BRL is 25.00').waitFor();
  expect(await refundedOf(stack, 'B-1', 'B-2', 'B-3')).toEqual(['10.00', '20.00', '0.00']);
});

it('keeps the focus within reach of the keyboard', async () => {
  const { page } = await start();
  await select(page, 'B-1', 'B-3');
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByRole('button', { name: 'Select all on this page' }).press('Enter');
  await page.getByText('4 orders selected').waitFor();
  await bar.getByRole('button', { name: 'Select all on this page' }).and(page.locator(':focus')).waitFor();
  await bar.getByRole('button', { name: 'Refund' }).press('Enter');
  await page.getByLabel('Reason').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Refund' }).and(page.locator(':focus')).waitFor();
  await bar.getByRole('button', { name: 'Cancel' }).press('Enter');
  await page.getByRole('button', { name: 'Back' }).and(page.locator(':focus')).waitFor();
  await dialog(page).getByRole('button', { name: 'Cancel 3 payments' }).press('Enter');
  await dialog(page).getByText('3 done').waitFor();
  await page.getByRole('button', { name: 'Close' }).and(page.locator(':focus')).press('Enter');
  await bar.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
});

it('offers no selection to a person who may not move money', async () => {
  const stack = await startConsoleStack();
  await stack.pay('B-1', '10.00');
  const page = await stack.person('/console/demo/orders', { name: 'Bob' });
  await page.getByRole('link', { name: 'B-1' }).waitFor();
  expect(await page.getByRole('button', { name: 'Select', exact: true }).count()).toBe(0);
});

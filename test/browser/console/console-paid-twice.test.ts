import { expect, it } from 'vitest';
import { axeFindings } from '../../support/browsers/axe.ts';
import { dialog, startConsoleStack } from '../../support/operators/console-stack.ts';
import { apiKey } from '../../support/relays/relay.ts';

const config = { resolve: { first_ms: 600_000, max_ms: 600_000 } };

/** An order with two payments at the gateway, and an order with one. */
async function start() {
  const stack = await startConsoleStack({ config });
  await stack.pay('A-1', '29.90');
  await stack.pay('B-2', '29.90');
  const [first] = stack.gateway.payments.list();
  if (!first) throw new Error('the gateway has no payment');
  const second = `${first.transaction_id.slice(0, -3)}777`;
  stack.gateway.payments.add({ ...first, transaction_id: second, order: { ...first.order } });
  await stack.relay.post('/v1/orders/A-1/reconcile', apiKey, {});
  expect(await stack.order('A-1')).toMatchObject({ status: 'paid_twice' });
  return { stack, first: first.transaction_id, second };
}

it('an order paid twice shows which payment to refund', async () => {
  const { stack, first, second } = await start();
  const page = await stack.person('/console/orders', { bypassCSP: true });
  const row = page.locator('tbody tr', { hasText: 'A-1' });
  await row.getByText('Paid twice').waitFor();
  await page.getByLabel('Status').selectOption('Paid twice');
  await expect.poll(() => page.locator('tbody .row-link').allInnerTexts()).toEqual(['A-1']);
  await row.getByRole('link').click();
  const card = (id: string) => page.locator('.payment', { hasText: id });
  await card(first).getByText('Counts for the order').waitFor();
  expect(await card(first).innerText()).toContain('the gateway’s signed answer');
  expect(await card(first).innerText()).toContain('cs_');
  await card(second).getByText('Give this payment back.').waitFor();
  expect(await card(second).innerText()).toContain('a query of the gateway');
  expect(await page.locator('button.primary').count()).toBe(1);
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
  }
  await card(second).getByRole('button', { name: 'Refund' }).click();
  await dialog(page).locator('.sentence').waitFor();
  await dialog(page).getByRole('button', { name: 'Refund', exact: true }).click();
  await dialog(page).getByText('Refunded.').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await card(second).getByText('Refunded').first().waitFor();
  await page.getByText('Counts for the order').waitFor({ state: 'detached' });
  expect(await page.locator('button.primary').count()).toBe(0);
  expect(await stack.order('A-1')).toMatchObject({ status: 'paid', refunded: '29.90' });
});

it('undecided refunds are separate in the list', async () => {
  const stack = await startConsoleStack({ config });
  const orderNo = 'A-1-fault:refund.reset';
  await stack.pay(orderNo, '29.90');
  await stack.relay.post(`/v1/orders/${encodeURIComponent(orderNo)}/refund`, apiKey, { amount: '9.90', reason: 'cup' });
  const page = await stack.person('/console/orders');
  const cell = page.locator('tbody tr .returned');
  await cell.getByText('R$9.90 not known yet').waitFor();
  expect(await cell.innerText()).toContain('R$0.00');
});

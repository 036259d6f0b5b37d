import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { startConsoleStack } from '../../support/operators/console-stack.ts';
import { apiKey } from '../../support/relays/relay.ts';

/** Three orders: a declined, a paid, and a partly refunded one. */
async function start() {
  const stack = await startConsoleStack();
  await stack.pay('A-1', '10.00', { card: testCards.declined.number });
  await stack.pay('A-2', '20.00', { shopper_email: 'ada@shop.example' });
  await stack.pay('A-3', '129.90');
  const payments = (await stack.order('A-3')).payments;
  const [paid] = Array.isArray(payments) ? payments : [];
  const item = { ...{ order_no: 'A-3', currency: 'BRL', amount: '129.90' }, refund_amount: '29.90' };
  const refund = { refund_orders: [{ ...item, transaction_id: paid.transaction_id }] };
  expect((await stack.relay.post('/v1/refund', apiKey, refund)).status).toBe(200);
  const person = (path: string, width = 1280) => stack.person(path, { viewport: { width, height: 800 } });
  return { ...stack, person };
}

const shown = (page: Page) => expect.poll(() => page.locator('tbody .row-link').allInnerTexts());
const chip = (page: Page, text: string) => page.getByRole('button', { name: `Remove the filter: ${text}` });

describe('the orders of the console', () => {
  it('are filtered by fields that the address shows and people remove', async () => {
    const { relay, person } = await start();
    const { body } = await relay.get('/v1/stats', apiKey);
    const code = /"decline_codes":\[\{"code":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? '';
    const page = await person(`/console/orders?decline_code=${code}`);
    await shown(page).toEqual(['A-1']);
    await chip(page, `Declined with code ${code}`).click();
    await shown(page).toEqual(['A-3', 'A-2', 'A-1']);
    expect(await page.locator('tbody tr .returned').allInnerTexts()).toEqual(['R$29.90', '—', '—']);
    await page.getByLabel('Amount').fill('129.9');
    await page.getByLabel('Amount').press('Enter');
    await shown(page).toEqual(['A-3']);
    expect(page.url()).toMatch(/amount=129\.90$/);
    await chip(page, 'Amount 129.90').click();
    await shown(page).toEqual(['A-3', 'A-2', 'A-1']);
    await page.getByLabel('Amount').fill('much');
    await page.getByLabel('Amount').press('Enter');
    await page.getByRole('alert').getByText('Enter an amount such as 20.00.').waitFor();
    expect(await page.getByLabel('Amount').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Amount').fill('R$129,90');
    await page.getByLabel('Amount').press('Enter');
    await shown(page).toEqual(['A-3']);
    expect(page.url()).toMatch(/amount=129\.90&currency=BRL$/);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByLabel('Card ends with').fill('12');
    await page.getByLabel('Card ends with').press('Enter');
    expect(await page.getByLabel('Card ends with').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Card ends with').fill(testCards.approved.number.slice(-4));
    await page.getByLabel('Method').fill('card');
    await page.getByLabel('Method').press('Enter');
    await page.getByLabel('Status').selectOption('Partially refunded');
    await chip(page, 'Partially refunded').waitFor();
    await shown(page).toEqual(['A-3']);
    await chip(page, 'R$129.90').click();
    await page.getByLabel('Status').selectOption('Paid');
    await shown(page).toEqual(['A-2']);
    await page.getByLabel('Status').selectOption('Pending');
    await page.getByText('No order matches this filter.').waitFor();
    expect(page.url()).toMatch(/[?&]status=pending/);
    await page.getByRole('link', { name: 'Clear filter' }).click();
    await shown(page).toEqual(['A-3', 'A-2', 'A-1']);
    expect(new URL(page.url()).search).toBe('');
    for (const orderNo of ['A-3', 'A-2']) {
      await page.keyboard.press('j');
      await page.locator('.row-link:focus', { hasText: orderNo }).waitFor();
    }
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'A-2' }).waitFor();
  });

  it('are read page by page in both orders, each page once', async () => {
    const stack = await startConsoleStack();
    const { relay, front } = stack;
    const numbers = Array.from({ length: 70 }, (_, n) => `A-${n + 10}`);
    for (const order_no of numbers) await relay.session({ order: { order_no } });
    const page = await stack.person('/console/demo/orders', { viewport: { width: 1280, height: 700 } });
    await shown(page).toEqual(numbers.slice(20).toReversed());
    await page.getByLabel('Sort').selectOption('Oldest first');
    await shown(page).toEqual(numbers.slice(0, 50));
    const link = (name: string) => page.getByRole('link', { name });
    await link('Next page').click();
    await shown(page).toEqual(numbers.slice(50));
    await link('Previous page').click();
    await shown(page).toEqual(numbers.slice(0, 50));
    expect(await link('Previous page').count()).toBe(0);

    // Back leads to the row, at the earlier scroll position.
    await page.locator('.row-link', { hasText: 'A-45' }).scrollIntoViewIfNeeded();
    await page.evaluate(() => window.scrollBy(0, 200));
    const before = await page.evaluate(() => window.scrollY);
    expect(before).toBeGreaterThan(500);
    await page.locator('.row-link', { hasText: 'A-45' }).click();
    await page.locator('h1', { hasText: 'A-45' }).waitFor();
    await page.goBack();
    await page.locator('.row-link:focus', { hasText: 'A-45' }).waitFor();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);

    // The stream of changes starts early enough: an up-to-date list is not read again.
    const asked = (part: string) => front.seen.filter(({ address }) => address.includes(part)).length;
    const [lists, streams] = [asked('/v1/orders?'), asked('/live')];
    await page.reload();
    await shown(page).toEqual(numbers.slice(0, 50));
    await expect.poll(() => asked('/live')).toBeGreaterThan(streams);
    await page.waitForTimeout(1500);
    expect(asked('/v1/orders?')).toBe(lists + 1);
  });

  it('collapse their fields on a phone and show the active filters', async () => {
    const { person } = await start();
    const page = await person('/console/orders?status=partially_refunded', 390);
    await shown(page).toEqual(['A-3']);
    await page.getByText('Refunded R$29.90').waitFor();
    expect(await page.getByLabel('Status').isVisible()).toBe(false);
    await chip(page, 'Partially refunded').waitFor();
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await page.getByLabel('Status').selectOption('Any status');
    await shown(page).toEqual(['A-3', 'A-2', 'A-1']);
  });
});

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { startConsoleStack } from '../../support/operators/console-stack.ts';
import { apiKey } from '../../support/relays/relay.ts';

/** Three orders: one declined, one paid, one paid and partly refunded. */
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

const shown = (page: Page) => expect.poll(() => page.locator('tbody .row-link').allInnerTexts(), { timeout: 60_000 });
const chip = (page: Page, text: string) => page.getByRole('button', { name: `Remove the filter: ${text}` });

describe('the orders of the console', () => {
  it('are found by what is typed, a card number too', async () => {
    const { front, person } = await start();
    const page = await person('/console/orders');
    await shown(page).toEqual(['A-3', 'A-2', 'A-1']);
    expect(await page.locator('tbody tr .returned').allInnerTexts()).toEqual(['R$29.90', '—', '—']);
    await page.keyboard.press('/');
    await page.keyboard.type('ada@shop.example');
    expect(await page.getByLabel('Search in').inputValue()).toBe('email');
    await page.keyboard.press('Enter');
    await shown(page).toEqual(['A-2']);
    await page.keyboard.press('Escape');
    await shown(page).toEqual(['A-3', 'A-2', 'A-1']);
    await page.getByLabel('Search in').selectOption('transaction_id_prefix');
    await page.getByRole('searchbox').fill('nothing');
    await page.keyboard.press('Enter');
    await page.getByText('No order matches this filter.').waitFor();
    expect(page.url()).toContain('transaction_id_prefix=nothing');

    // The number stands in no address.
    await page.getByRole('searchbox').fill(testCards.declined.number);
    await page.keyboard.press('Enter');
    await shown(page).toEqual(['A-1']);
    expect(page.url()).toContain(`last4=${testCards.declined.number.slice(-4)}`);
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    expect([page.url(), ...front.seen.map(({ address }) => address)].join()).not.toContain(testCards.declined.number);
  });

  it('are filtered by fields that the address shows and people can remove', async () => {
    const { relay, person } = await start();
    const { body } = await relay.get('/v1/stats', apiKey);
    const code = /"decline_codes":\[\{"code":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? '';
    const page = await person(`/console/orders?decline_code=${code}`);
    await shown(page).toEqual(['A-1']);
    await chip(page, `Declined with code ${code}`).click();
    await shown(page).toEqual(['A-3', 'A-2', 'A-1']);
    await page.getByLabel('Amount').fill('129.9');
    await page.getByLabel('Amount').press('Enter');
    await shown(page).toEqual(['A-3']);
    expect(page.url()).toMatch(/amount=129\.90&currency=BRL$/);
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

  it('fold their fields on a phone, and show what narrows them', async () => {
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

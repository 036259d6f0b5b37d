import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { axeFindings } from '../../support/browsers/axe.ts';
import { dialog, fact, startConsoleStack } from '../../support/operators/console-stack.ts';

describe('the console', () => {
  it('finds an order and refunds a part, by keyboard alone', async () => {
    const { pay, person, order } = await startConsoleStack();
    await pay('A-1001', '129.90');
    await pay('B-2002', '20.00');
    const page = await person('/console/orders');
    await page.keyboard.press('/');
    await page.keyboard.type('A-');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(page.url()).toContain('order_no_prefix=A-');
    await page.getByRole('searchbox').blur();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Refund' }).press('Enter');
    await page.locator('dialog input:focus').waitFor();
    await page.keyboard.type('20');
    expect(await dialog(page).locator('.sentence').innerText()).toMatch(
      /^Refund R\$20\.00 of R\$129\.90 to order .A-1001.$/,
    );
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Refunded.').waitFor();
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    await expect.poll(() => fact(page, 'Refunded').innerText()).toBe('R$20.00');
    expect(await order('A-1001')).toMatchObject({ refunded: '20.00', refundable: '109.90' });
  });

  it('moves much money only after the amount is typed', async () => {
    const { pay, person, order } = await startConsoleStack();
    await pay('A-1001', '129.90');
    const page = await person('/console/orders/A-1001');
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByLabel('Amount').press('Enter');
    await page.getByText('This is not the amount above.').waitFor();
    expect(await order('A-1001')).toMatchObject({ refunded: '0.00' });
    await page.getByLabel('Type 129.90 to confirm').fill('129.90');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Refunded.').waitFor();
    expect(await order('A-1001')).toMatchObject({ refunded: '129.90' });
  });

  it('shows hostile texts as text, and breaks no rule of axe', async () => {
    const { pay, person } = await startConsoleStack();
    await pay('<b>\u202eA&1</b>', '10.00');
    const page = await person('/console/orders', { bypassCSP: true });
    await page.locator('tbody tr').waitFor();
    expect(await page.locator('tbody .what').innerText()).toBe('<b>\ufffdA&1</b>');
    expect(await axeFindings(page)).toEqual([]);
    await page.locator('.row-link').click();
    await page.locator('.timeline').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Refund' }).click();
    await dialog(page).locator('.sentence').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('saves the orders that a filter finds as CSV, once signed in', async () => {
    const { pay, person, expireSignIns } = await startConsoleStack();
    await pay('=A-1001', '10.00');
    await pay('B-2002', '20.00');
    const page = await person('/console/orders?order_no_prefix=%3DA');
    const saved = async (): Promise<string[]> => {
      const saving = await page.waitForEvent('download');
      expect(saving.suggestedFilename()).toMatch(/^orders-demo-[\d-]{10}\.csv$/);
      return (await readFile(await saving.path(), 'utf8')).trim().split('\r\n');
    };
    const first = saved();
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect(await first).toEqual([expect.any(String), expect.stringContaining("'=A-1001")]);
    expireSignIns();
    const second = saved();
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByLabel('Password').fill('ada’s');
    await page.keyboard.press('Enter');
    expect(await second).toEqual(await first);
  });

  it('leads to what needs a person, and to who did what', async () => {
    const { pay, person } = await startConsoleStack();
    await pay('A-1001', '10.00');
    const page = await person('/console/orders/A-1001', { bypassCSP: true });
    await page.getByRole('button', { name: 'Ask the gateway now' }).click();
    await page.getByRole('link', { name: 'Needs you' }).click();
    await page.getByText('Nothing needs you.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('link', { name: 'session.approved' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('cell', { name: 'Asked the gateway' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.goBack();
    await page.locator('h1', { hasText: 'Webhooks' }).waitFor();
  });
});

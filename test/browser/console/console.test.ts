import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { dialog, startConsoleStack } from '../../support/operators/console-stack.ts';

describe('the console', () => {
  it('queries the gateway; a large refund needs its amount typed', async () => {
    const { pay, person, order } = await startConsoleStack();
    await pay('A-1001', '129.90');
    const page = await person('/console/orders/A-1001');
    const asked = page.waitForResponse(/\/reconcile$/);
    await page.getByRole('button', { name: 'Ask the gateway now' }).click();
    expect((await asked).status()).toBe(200);
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('cell', { name: 'Asked the gateway' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByLabel('Amount').press('Enter');
    await page.getByText('This is not the amount above.').waitFor();
    expect(await dialog(page).locator('.sentence').innerText()).toMatch(
      /^Refund R\$129\.90 of R\$129\.90 to order .A-1001.$/,
    );
    expect(await order('A-1001')).toMatchObject({ refunded: '0.00' });
    await page.getByLabel('Type 129.90 to confirm').fill('129.90');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Refunded.').waitFor();
    expect(await order('A-1001')).toMatchObject({ refunded: '129.90' });
  });

  it('shows the status of a payment and offers only permitted actions', async () => {
    const { pay, person, front } = await startConsoleStack();
    for (const orderNo of ['A-1001', 'B-2002', 'C-3003']) await pay(orderNo, '20.00');
    const page = await person('/console');
    const status = () => page.locator('.facts .badge').innerText();
    const offered = () => page.locator('.actions button', { hasNotText: 'Ask' }).allInnerTexts();
    const act = async (orderNo: string, action: string, done: string, amount?: string) => {
      await page.goto(`${front.url}/console/orders/${orderNo}`);
      await page.getByRole('button', { name: action }).click();
      if (amount !== undefined) await page.getByLabel('Amount').fill(amount);
      await dialog(page).getByRole('button', { name: action }).click();
      await dialog(page).getByText(done).waitFor();
      await dialog(page).getByRole('button', { name: 'Close' }).click();
    };
    await act('A-1001', 'Capture', 'Captured.', '5.00');
    await expect.poll(status).toBe('Partially captured');
    expect(await offered()).toEqual(['Refund', 'Capture', 'Cancel payment', 'Review']);
    await act('B-2002', 'Capture', 'Captured.');
    await expect.poll(offered).toEqual(['Refund', 'Cancel payment', 'Review']);
    expect(await status()).toBe('Paid');
    await act('C-3003', 'Cancel payment', 'Cancelled.');
    await expect.poll(status).toBe('Cancelled');
    expect(await offered()).toEqual([]);
  });

  it('proposes the configured reasons for a refund', async () => {
    const { pay, person, order } = await startConsoleStack({ console: { refund_reasons: ['Returned', 'Damaged'] } });
    await pay('A-1001', '20.00');
    const page = await person('/console/demo/orders/A-1001');
    await page.getByRole('button', { name: 'Refund' }).click();
    await dialog(page).getByLabel('Reason').fill('Damaged');
    const reasons = await dialog(page)
      .locator('datalist option')
      .evaluateAll((all) => all.map((one) => 'value' in one && one.value));
    expect(reasons).toEqual(['Returned', 'Damaged']);
    await dialog(page).getByRole('button', { name: 'Refund' }).click();
    await dialog(page).getByText('Refunded.').waitFor();
    expect(JSON.stringify(await order('A-1001'))).toContain('"refund_reason":"Damaged"');
  });

  it('saves the filtered orders as CSV, once signed in', async () => {
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
    // The page may detect the expired sign-in by itself, and then its dialog covers the button from the mouse.
    await page.getByRole('button', { name: 'Download CSV' }).dispatchEvent('click');
    await page.getByLabel('Password').fill('ada’s');
    await page.keyboard.press('Enter');
    expect(await second).toEqual(await first);
  });
});

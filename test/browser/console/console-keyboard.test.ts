import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { dialog, fact, startConsoleStack } from '../../support/operators/console-stack.ts';
import { tabTo, waitForFocus } from '../../support/operators/keyboard.ts';

/** Checks that the focused element has a visible focus ring. */
async function showsFocus(page: Page): Promise<void> {
  const outline = await page.evaluate(() => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement ?? document.body);
    return { outlineStyle, outlineWidth, boxShadow };
  });
  expect(outline).not.toMatchObject({ outlineStyle: 'none', boxShadow: 'none' });
}

it('signs in, refunds, settles and signs out without a mouse', async () => {
  const stack = await startConsoleStack({ config: { resolve: { first_ms: 600_000, max_ms: 600_000 } } });
  await stack.pay('A-1001', '29.90');
  await stack.pay('A-2-fault:refund.reset', '29.90');
  const { page } = await stack.open('/console/orders');
  await page.locator('input[name=name]:focus').waitFor();
  await page.keyboard.type('Ada');
  await page.keyboard.press('Tab');
  await page.keyboard.type('ada’s');
  await page.keyboard.press('Enter');
  await page.locator('.shell').waitFor();

  await tabTo(page, page.locator('.skip'));
  await page.keyboard.press('Enter');
  await page.locator('tbody tr').nth(1).waitFor();
  await page.keyboard.press('/');
  await page.locator('input[type=search]:focus').waitFor();
  await page.keyboard.type('a-1001');
  await page.keyboard.press('Enter');
  await page.locator('.hits tbody tr').waitFor();
  await tabTo(page, page.getByRole('link', { name: 'A-1001' }));
  await page.keyboard.press('Enter');

  const refund = page.getByRole('button', { name: 'Refund' });
  await tabTo(page, refund);
  await showsFocus(page);
  await page.keyboard.press('Space');
  await page.locator('dialog input:focus').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await waitForFocus(refund);
  await page.keyboard.press('Enter');
  await page.locator('dialog input:focus').waitFor();
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Refunded.').waitFor();
  await tabTo(page, dialog(page).getByRole('button', { name: 'Close' }));
  await page.keyboard.press('Enter');
  await expect.poll(() => fact(page, 'Refunded').innerText()).toBe('R$5.00');
  await waitForFocus(refund);

  await page.goto(`${stack.front.url}/console/orders/${encodeURIComponent('A-2-fault:refund.reset')}`);
  await tabTo(page, page.getByRole('button', { name: 'Refund' }));
  await page.keyboard.press('Enter');
  await page.locator('dialog input:focus').waitFor();
  await page.keyboard.press('Enter');
  await tabTo(page, dialog(page).getByRole('link', { name: 'Open the operation' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Settle by hand' }));
  await page.keyboard.press('Enter');
  await tabTo(page, dialog(page).getByLabel('It was done'));
  await page.keyboard.press('Space');
  await tabTo(page, dialog(page).getByLabel('Note'));
  await page.keyboard.type('seen in the portal');
  await tabTo(page, dialog(page).getByRole('button', { name: 'Settle', exact: true }));
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Settled.').waitFor();
  await tabTo(page, dialog(page).getByRole('button', { name: 'Close' }));
  await page.keyboard.press('Enter');
  await page.getByText('seen in the portal').waitFor();

  await tabTo(page, page.getByRole('button', { name: 'Sign out' }));
  await page.keyboard.press('Enter');
  await page.locator('input[name=name]:focus').waitFor();
});

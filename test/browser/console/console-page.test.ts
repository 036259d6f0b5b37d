import { expect, it } from 'vitest';
import { dialog, startConsoleStack } from '../../support/operators/console-stack.ts';
import { waitForRoutes } from '../../support/relays/stack.ts';

it('names each screen in the title, and keeps focus in a dialog', async () => {
  const stack = await startConsoleStack();
  await stack.pay('A-1001', '29.90');
  const page = await stack.person('/console/orders');
  await expect.poll(() => page.title()).toBe('Orders · Turnpike');
  await page.getByRole('link', { name: 'A-1001' }).click();
  await expect.poll(() => page.title()).toBe('Order A-1001 · Turnpike');
  await page.getByRole('button', { name: 'Refund' }).click();
  await dialog(page).getByRole('button', { name: 'Refund' }).click();
  await dialog(page).getByText('Refunded.').waitFor();
  await page.locator('dialog button:focus', { hasText: 'Close' }).waitFor();
});

it('reports that a browser did not keep the sign-in', async () => {
  const stack = await startConsoleStack();
  const { page } = await stack.open('/console');
  await page.route('**/console/api/sign-in', async (route) => {
    await route.fulfill({ response: await route.fetch() });
    await page.context().clearCookies();
  });
  const headers = { 'Turnpike-Version': '0.1.0' };
  await page.route('**/console/api/me', (route) =>
    route.fulfill({ status: 401, headers, json: { code: 'unauthorized' } }),
  );
  await waitForRoutes(page);
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill('ada’s');
  await page.keyboard.press('Enter');
  await page.getByText('did not keep the sign-in').waitFor();
});

it('asks for a reload after the skip link, and in dialogs', async () => {
  const stack = await startConsoleStack();
  await stack.pay('A-1001', '29.90');
  const page = await stack.person('/console/orders/A-1001');
  await page.getByRole('button', { name: 'Refund' }).waitFor();
  await page.route('**/v1/orders/A-1001', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'turnpike-version': '0.0.0' } });
  });
  await waitForRoutes(page);
  await page.getByRole('button', { name: 'Refund' }).click();
  // This click waits until nothing covers the button.
  await dialog(page).getByRole('button', { name: 'Reload' }).click({ trial: true });
  await dialog(page).getByRole('button', { name: 'Back' }).click();
  await page.locator('.skip ~ main').getByRole('button', { name: 'Reload' }).click({ trial: true });
});

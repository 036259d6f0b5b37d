import { expect, it } from 'vitest';
import { axeFindings } from '../../support/browsers/axe.ts';
import { startConsoleStack } from '../../support/operators/console-stack.ts';

it('keeps a named filter for its person alone', async () => {
  const stack = await startConsoleStack();
  await stack.pay('A-1', '10.00', { shopper_email: 'ada@shopper.example' });
  const page = await stack.person('/console/demo/orders?status=refunded&email=ada@shopper.example');
  const views = page.locator('summary', { hasText: 'Views' });
  await views.press('Enter');
  await page.getByLabel('Name of this view').fill('Refunds');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Refunds' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('shopper.example');

  await page.goto(`${stack.front.url}/console/demo/orders`);
  await page.getByRole('link', { name: 'A-1' }).waitFor();
  await views.press('Enter');
  expect(await page.getByLabel('Name of this view').count()).toBe(0);
  await page.getByRole('link', { name: 'Refunds' }).press('Enter');
  await page.waitForURL('**/console/demo/orders?status=refunded');
  await views.and(page.locator(':focus')).waitFor();
  expect(await page.getByRole('link', { name: 'Refunds' }).isVisible()).toBe(false);

  await page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await page.getByLabel('Name').fill('Bob');
  await page.getByLabel('Password').fill('bob’s');
  await page.keyboard.press('Enter');
  await page.locator('.shell').waitFor();
  await page.goto(`${stack.front.url}/console/demo/orders`);
  await views.press('Enter');
  await page.getByText('Save a filter under a name').waitFor();
});

it('removes a view and closes with Escape', async () => {
  const stack = await startConsoleStack();
  const page = await stack.person('/console/demo/orders?status=held');
  const views = page.locator('summary', { hasText: 'Views' });
  await views.press('Enter');
  await page.getByLabel('Name of this view').fill('Held');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Remove the view/ }).press('Enter');
  await page.getByText('Save a filter under a name').waitFor();
  await page.keyboard.press('Escape');
  await views.and(page.locator(':focus')).waitFor();
  expect(await page.getByText('Save a filter under a name').isVisible()).toBe(false);
});

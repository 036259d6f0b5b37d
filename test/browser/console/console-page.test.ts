import { expect, it } from 'vitest';
import { dialog, startConsoleStack } from '../../support/operators/console-stack.ts';

const screens = ['', '/orders', '/payouts', '/subscriptions', '/webhooks', '/figures', '/audit'];

it.each([320, 390, 768, 1024, 1280])('fits every screen of the console in %d px', async (width) => {
  const stack = await startConsoleStack();
  await stack.pay('A-1001', '129.90', { shopper_email: 'ada@example.com' });
  const page = await stack.person('/console', { viewport: { width, height: 800 } });
  for (const screen of screens) {
    await page.goto(`${stack.front.url}/console${screen}`);
    await page.locator('main h1').waitFor();
    await expect.poll(() => page.locator('.waiting').count()).toBe(0);
    const [pageWidth, hidden] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      [...document.querySelectorAll('nav a')].filter((link) => {
        const { left, right, bottom } = link.getBoundingClientRect();
        return left < 0 || right > window.innerWidth || bottom > window.innerHeight;
      }).length,
    ]);
    expect({ screen, pageWidth, hidden }).toEqual({ screen, pageWidth: width, hidden: 0 });
  }
});

it('names each screen in the title, and keeps the focus in a dialog', async () => {
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

it('tells that a browser did not keep the sign-in', async () => {
  const stack = await startConsoleStack();
  const { page } = await stack.open('/console');
  await page.route('**/console/api/sign-in', async (route) => {
    await route.fulfill({ response: await route.fetch() });
    await page.context().clearCookies();
  });
  await page.route('**/console/api/me', (route) => route.fulfill({ status: 401, json: { code: 'unauthorized' } }));
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill('ada’s');
  await page.keyboard.press('Enter');
  await page.getByText('did not keep the sign-in').waitFor();
});

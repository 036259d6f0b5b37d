import { expect, it } from 'vitest';
import { cheapHash } from '../../support/operators/console.ts';
import { startConsoleStack } from '../../support/operators/console-stack.ts';

it('reads the first screen during the sign-in, compressed', async () => {
  const stack = await startConsoleStack();
  await stack.pay('A-1001', '29.90');
  await stack.pay('A-1002', '39.90');
  const page = await stack.person('/console');
  const me = Promise.withResolvers<void>();
  await page.route('**/console/api/me', async (route) => {
    await me.promise;
    await route.continue();
  });
  for (const [path, row] of [
    ['/orders', 'A-1001'],
    ['/orders/A-1001', '29.90'],
  ]) {
    const read = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(`/v1${path}`));
    await page.goto(`${stack.front.url}/console/demo${path}`);
    const { 'content-encoding': encoding } = (await read).headers();
    if (path === '/orders/A-1001') expect(encoding).toMatch(/^(br|gzip)$/);
    me.resolve();
    await page
      .getByText(row ?? '')
      .first()
      .waitFor();
  }
});

it('hides what a person may not see and opens another screen', async () => {
  const zoe = { name: 'Zoe', password: cheapHash('zoe’s'), scopes: ['events'], accounts: ['demo'] };
  const stack = await startConsoleStack({ console: { people: [zoe] } });
  const page = await stack.person('/console', { name: 'Zoe' });
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual(['Webhooks']);
});

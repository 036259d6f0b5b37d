import { expect, it } from 'vitest';
import { startConsoleStack } from '../../support/operators/console-stack.ts';

it('shows the link of an open checkout and closes it', async () => {
  const { relay, person } = await startConsoleStack();
  const { id, orderNo, checkoutUrl } = await relay.session();
  const page = await person(`/console/demo/orders/${orderNo}`);
  await page.getByText('The checkout is open until').waitFor();
  await page.getByRole('button', { name: 'Show the link' }).press('Enter');
  await expect.poll(() => page.getByLabel('Link for the shopper').inputValue()).toBe(checkoutUrl);
  await page.getByRole('button', { name: 'Close the checkout' }).press('Enter');
  await page.getByText('can no longer pay').waitFor();
  expect(await relay.truth(id)).toMatchObject({ status: 'open' });
  await page.getByRole('button', { name: 'Close the checkout' }).press('Enter');
  await page.getByText('The checkout is open until').waitFor({ state: 'detached' });
  expect(await relay.truth(id)).toMatchObject({ status: 'expired' });
});

it('offers no link to people without the scope', async () => {
  const { relay, person } = await startConsoleStack();
  const { orderNo } = await relay.session();
  const page = await person(`/console/demo/orders/${orderNo}`, { name: 'Bob' });
  await page.getByRole('heading', { name: orderNo }).waitFor();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  expect(await page.getByRole('button', { name: 'Show the link' }).count()).toBe(0);
});

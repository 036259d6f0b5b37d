import { expect, it } from 'vitest';
import { keyAnswer } from '../../../shared/api/key.ts';
import { requestList } from '../../../shared/api/request.ts';
import { startConsoleStack } from '../../support/operators/console-stack.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

it('shows what API keys asked for, and finds refusals', async () => {
  const stack = await startConsoleStack({});
  await stack.relay.get('/v1/orders/none', apiKey);
  const { name } = keyAnswer.parse((await stack.relay.get('/v1/key', apiKey)).body);
  await until('the requests are written', async () => {
    const { body } = await stack.relay.get('/v1/requests', apiKey);
    return requestList.parse(body).requests.length === 2;
  });
  const page = await stack.person('/console/requests');
  const rows = page.locator('.requests tbody tr');
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('Refused');
  await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringMatching(/GET \/v1\/orders\/none[\s\S]+404/)]);
  expect(await rows.innerText()).toContain('not_found');
  expect(new URL(page.url()).search).toBe('?status=refused');
  await page.getByRole('searchbox', { name: 'Path begins with' }).fill('/v1/refund');
  await page.keyboard.press('Enter');
  await page.getByText('No request matches this filter.').waitFor();
  await page.getByRole('link', { name: 'Clear' }).click();
  await page.locator('.requests').getByRole('link', { name }).first().click();
  await expect.poll(() => rows.count()).toBe(2);
  expect(new URL(page.url()).search).toBe(`?key=${name}`);
});

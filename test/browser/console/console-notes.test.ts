import { expect, it } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { axeFindings } from '../../support/browsers/axe.ts';
import { startConsoleStack } from '../../support/operators/console-stack.ts';

it('a person adds a note to an order, without a card number', async () => {
  const stack = await startConsoleStack();
  await stack.pay('A-1', '29.90');
  const page = await stack.person('/console/orders/A-1', { bypassCSP: true });
  await page.locator('summary', { hasText: 'Add a note' }).click();
  const field = page.getByLabel('What should others know about this order?');
  const add = page.getByRole('button', { name: 'Add a note' });
  await field.fill(`paid with ${testCards.approved.number}`);
  await add.click();
  await page.getByText('This note was not kept').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await field.fill('Cup broken.\nSend another one.');
  await add.click();
  const entry = page.locator('.timeline li', { hasText: 'Cup broken.' });
  await entry.getByText('person:Ada').waitFor();
  await expect.poll(() => field.inputValue()).toBe('');
  await page.goto(`${stack.front.url}/console/audit`);
  await page.getByRole('cell', { name: 'Noted on an order' }).first().waitFor();
});

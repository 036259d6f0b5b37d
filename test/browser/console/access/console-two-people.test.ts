import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { cheapHash } from '../../../support/operators/console.ts';
import { type ConsoleStack, dialog, fact, startConsoleStack } from '../../../support/operators/console-stack.ts';

const REFUND = /\/v1\/refund$/;

const people = ['Ada', 'Eve'].map((name) => ({
  name,
  password: cheapHash(`${name.toLowerCase()}’s`),
  scopes: ['*'],
  accounts: ['demo'],
}));

/** Two people at the console, each in a browser of their own. */
async function start() {
  const stack = await startConsoleStack({ console: { people } });
  return { ...stack, ada: await stack.person('/console'), eve: await stack.person('/console', { name: 'Eve' }) };
}

/** Opens a new order of 80.00 for both. */
async function bothAt(stack: ConsoleStack, [ada, eve]: [Page, Page], orderNo: string): Promise<void> {
  await stack.pay(orderNo, '80.00');
  for (const page of [ada, eve]) await page.goto(`${stack.front.url}/console/orders/${orderNo}`);
}

async function openRefund(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Refund' }).click();
  await page.getByLabel('Amount').fill(amount);
}

it('two people see each other’s changes of an order', async () => {
  const { ada, eve, ...stack } = await start();
  await bothAt(stack, [ada, eve], 'A-1001');
  await openRefund(ada, '20');
  await ada.keyboard.press('Enter');
  await dialog(ada).getByText('Refunded.').waitFor();
  await expect.poll(() => fact(eve, 'Refunded').innerText()).toBe('R$20.00');
  await eve.locator('.timeline').getByText('person:Ada').waitFor();
  await ada.getByRole('button', { name: 'Close' }).click();

  await ada.getByRole('button', { name: 'Refund' }).click();
  expect(await ada.getByLabel('Amount').inputValue()).toBe('60.00');
  await openRefund(eve, '10');
  await eve.keyboard.press('Enter');
  await dialog(eve).getByText('Refunded.').waitFor();
  await dialog(ada).getByText('Another person refunded R$10.00 meanwhile.').waitFor();
  await dialog(ada).getByText('All of it: R$50.00').waitFor();
  expect(await ada.getByLabel('Amount').inputValue()).toBe('50.00');
  await ada.getByLabel('Amount').press('Enter');
  await dialog(ada).getByText('Refunded.').waitFor();
  await ada.getByRole('button', { name: 'Close' }).click();
  await ada.locator('.timeline').getByText('person:Eve').waitFor();
  expect(await stack.order('A-1001')).toMatchObject({ refunded: '80.00', refundable: '0.00' });
});

it('two people never make the same refund twice', async () => {
  const { ada, eve, ...stack } = await start();
  const both = [ada, eve] as [Page, Page];
  const sent = (orderNo: string) =>
    stack.front.seen.filter(({ address, body }) => REFUND.test(address) && body.includes(orderNo));

  // Partial and full, at the same moment.
  for (const [orderNo, amount, refunded] of [
    ['A-1', '20', '20.00'],
    ['B-1', '80', '80.00'],
  ] as const) {
    await bothAt(stack, both, orderNo);
    const release = stack.front.hold(REFUND);
    for (const page of both) {
      await openRefund(page, amount);
      await page.keyboard.press('Enter');
    }
    await expect.poll(() => sent(orderNo).length).toBe(2);
    release();
    // Each text is read as soon as it appears: a dialog closes when it has no more to say.
    const alerts = await Promise.all(both.map((page) => dialog(page).locator('[role=alert]').innerText()));
    if (amount === '80') expect(alerts.filter((text) => text === 'Refunded.')).toHaveLength(1);
    expect(await stack.order(orderNo)).toMatchObject({ refunded });
    expect(new Set(sent(orderNo).map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  }

  // With the stream delayed, neither page receives updates any more.
  await bothAt(stack, both, 'C-1');
  stack.front.hold(/\/live/);
  stack.front.cut(/\/live/);
  await openRefund(eve, '20');
  await openRefund(ada, '20');
  await ada.keyboard.press('Enter');
  await dialog(ada).getByText('Refunded.').waitFor();
  await eve.keyboard.press('Enter');
  await dialog(eve).getByText('Another person refunded R$20.00 meanwhile.').waitFor();
  expect(sent('C-1')).toHaveLength(1);
  expect(await stack.order('C-1')).toMatchObject({ refunded: '20.00' });
});

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { cheapHash } from '../../../support/operators/console.ts';
import { type ConsoleStack, dialog, fact, startConsoleStack } from '../../../support/operators/console-stack.ts';

const REFUND = /\/v1\/refund$/;

const people = ['Ada', 'Eve'].map((name) => ({
  name,
  password: cheapHash(`${name.toLowerCase()}’s`),
  scopes: ['*'],
  accounts: ['demo'],
}));

/** Two people who look at the same order. */
async function both(stack: ConsoleStack): Promise<[Page, Page]> {
  await stack.pay('A-1001', '80.00');
  return [await stack.person('/console/orders/A-1001'), await stack.person('/console/orders/A-1001', { name: 'Eve' })];
}

const start = () => startConsoleStack({ console: { people } });

async function openRefund(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Refund' }).click();
  await page.getByLabel('Amount').fill(amount);
}

describe('two people on one order', () => {
  it('see each other’s refunds, and who made them', async () => {
    const stack = await start();
    const [ada, eve] = await both(stack);
    await openRefund(ada, '20');
    await ada.keyboard.press('Enter');
    await dialog(ada).getByText('Refunded.').waitFor();
    await expect.poll(() => fact(eve, 'Refunded').innerText()).toBe('R$20.00');
    await eve.locator('.timeline').getByText('person:Ada').waitFor();
    await openRefund(eve, '10');
    await eve.keyboard.press('Enter');
    await dialog(eve).getByText('Refunded.').waitFor();
    await ada.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => fact(ada, 'Refunded').innerText()).toBe('R$30.00');
    await ada.locator('.timeline').getByText('person:Eve').waitFor();
  });

  it('are told in an open dialog what the other did', async () => {
    const stack = await start();
    const [ada, eve] = await both(stack);
    await eve.getByRole('button', { name: 'Refund' }).click();
    expect(await eve.getByLabel('Amount').inputValue()).toBe('80.00');
    await openRefund(ada, '20');
    await ada.keyboard.press('Enter');
    await dialog(ada).getByText('Refunded.').waitFor();
    await dialog(eve).getByText('Somebody else refunded R$20.00 meanwhile.').waitFor();
    await dialog(eve).getByText('All of it: R$60.00').waitFor();
    expect(await eve.getByLabel('Amount').inputValue()).toBe('60.00');
    await eve.getByLabel('Amount').press('Enter');
    await dialog(eve).getByText('Refunded.').waitFor();
    expect(await stack.order('A-1001')).toMatchObject({ refunded: '80.00', refundable: '0.00' });
  });

  it('do not refund the same twice where news are late', async () => {
    const stack = await start();
    const [ada, eve] = await both(stack);
    // Nothing is told to anybody any more.
    stack.front.hold(/\/live/);
    stack.front.cut(/\/live/);
    await openRefund(eve, '20');
    await openRefund(ada, '20');
    await ada.keyboard.press('Enter');
    await dialog(ada).getByText('Refunded.').waitFor();
    await eve.keyboard.press('Enter');
    await dialog(eve).getByText('Somebody else refunded R$20.00 meanwhile.').waitFor();
    expect(stack.keys(REFUND)).toHaveLength(1);
    expect(await stack.order('A-1001')).toMatchObject({ refunded: '20.00' });
  });

  it('cannot refund the same part at the same moment', async () => {
    const stack = await start();
    const [ada, eve] = await both(stack);
    const release = stack.front.hold(REFUND);
    for (const page of [ada, eve]) {
      await openRefund(page, '20');
      await page.keyboard.press('Enter');
    }
    await expect.poll(() => stack.keys(REFUND).length).toBe(2);
    release();
    await Promise.all([ada, eve].map((page) => dialog(page).locator('[role=alert]').waitFor()));
    expect(await stack.order('A-1001')).toMatchObject({ refunded: '20.00', refundable: '60.00' });
  });

  it('cannot refund it twice at the same moment', async () => {
    const stack = await start();
    const [ada, eve] = await both(stack);
    const release = stack.front.hold(REFUND);
    for (const page of [ada, eve]) {
      await openRefund(page, '80');
      await page.keyboard.press('Enter');
    }
    await expect.poll(() => stack.keys(REFUND).length).toBe(2);
    release();
    // Each as soon as it is there: a dialog that has nothing more to say goes away.
    const told = await Promise.all([ada, eve].map((page) => dialog(page).locator('[role=alert]').innerText()));
    expect(told.filter((text) => text === 'Refunded.')).toHaveLength(1);
    expect(await stack.order('A-1001')).toMatchObject({ refunded: '80.00', refundable: '0.00' });
    expect(new Set(stack.keys(REFUND)).size).toBe(2);
  });
});

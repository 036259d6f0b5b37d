import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeFindings } from '../../../support/browsers/axe.ts';
import { person } from '../../../support/operators/approvals.ts';
import { type ConsoleStack, dialog, startConsoleStack } from '../../../support/operators/console-stack.ts';
import { keyboardOf } from '../../../support/operators/keyboard.ts';

const console = {
  people: [person('Ada'), person('Bob'), person('Eve', { limits: { refund: { BRL: '50.00' }, payout: {} } })],
  ...{ approval: true, confirm_above: { BRL: '100.00' } },
};

/** Moves the focus to a button with Tab and presses it. */
const press = (page: Page, name: string, within: Page | Locator = page) =>
  keyboardOf(page).press('button', name, within);

const refunds = (stack: ConsoleStack): number => stack.gateway.books.refunds.list().length;

/** Requests a refund of 150.00 with the keyboard alone. */
async function askForRefund(page: Page): Promise<void> {
  await press(page, 'Refund');
  await page.locator('dialog input:focus').waitFor();
  await page.keyboard.type('150');
  await dialog(page).getByText('Above R$100.00 another person must approve this.').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('150');
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Waits for another person, until').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
}

it('two people move a large amount with the keyboard alone', async () => {
  const stack = await startConsoleStack({ console });
  await stack.pay('A-1', '200.00');
  const ada = await stack.person('/console/demo/orders/A-1');
  await askForRefund(ada);
  expect(refunds(stack)).toBe(0);
  await ada.getByText('Requests for approval').waitFor();
  expect(await ada.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  expect(await axeFindings(ada)).toEqual([]);

  const bob = await stack.person('/console', { name: 'Bob' });
  await bob.getByText('Waiting for approval').waitFor();
  expect(await axeFindings(bob)).toEqual([]);
  await bob.keyboard.press('j');
  await bob.keyboard.press('Enter');
  await press(bob, 'Approve');
  await dialog(bob).getByText('R$150.00').waitFor();
  expect(await axeFindings(bob)).toEqual([]);
  await press(bob, 'Approve', dialog(bob));
  await dialog(bob).getByText('Refunded.').waitFor();
  await bob.keyboard.press('Enter');
  await expect.poll(() => bob.locator('.approvals').count()).toBe(0);
  expect(refunds(stack)).toBe(1);
  // Ada’s page receives the refund over its stream.
  await expect.poll(() => ada.locator('.approvals').count()).toBe(0);
  expect(await stack.order('A-1')).toMatchObject({ refunded: '150.00' });
});

it('a request is declined with a note, and another is withdrawn', async () => {
  const stack = await startConsoleStack({ console });
  await stack.pay('A-1', '200.00');
  const ada = await stack.person('/console/demo/orders/A-1');
  await askForRefund(ada);
  const bob = await stack.person('/console/demo/orders/A-1', { name: 'Bob' });
  await press(bob, 'Decline');
  await bob.getByLabel('Note').fill('Not our fault');
  await press(bob, 'Decline', dialog(bob));
  await dialog(bob).getByText('Declined. Nothing was sent.').waitFor();
  await bob.keyboard.press('Enter');
  await bob.getByText(/Declined by .Bob.: .Not our fault/).waitFor();
  await ada.evaluate(() => window.dispatchEvent(new Event('focus')));
  await ada.getByText(/Declined by .Bob/).waitFor();
  await askForRefund(ada);
  await press(ada, 'Withdraw');
  await dialog(ada).getByText('R$150.00').waitFor();
  await press(ada, 'Withdraw', dialog(ada));
  await dialog(ada).getByText('Withdrawn. Nothing was sent.').waitFor();
  await ada.keyboard.press('Enter');
  await expect.poll(() => ada.getByRole('button', { name: 'Withdraw' }).count()).toBe(0);
  expect(refunds(stack)).toBe(0);
});

it('an approval whose answer is lost is executed once', async () => {
  const stack = await startConsoleStack({ console });
  await stack.pay('A-1', '200.00');
  await askForRefund(await stack.person('/console/demo/orders/A-1'));
  const bob = await stack.person('/console/demo/orders/A-1', { name: 'Bob' });
  const restore = stack.front.fail(/\/approve$/, 'lose_answer');
  await press(bob, 'Approve');
  await press(bob, 'Approve', dialog(bob));
  await dialog(bob).getByText('No answer came').waitFor();
  restore();
  await bob.reload();
  await dialog(bob).getByText('An earlier request for this has no answer yet.').waitFor();
  await press(bob, 'Ask again');
  await dialog(bob).getByText('Refunded.').waitFor();
  expect([refunds(stack), new Set(stack.keys(/\/approve$/)).size]).toEqual([1, 1]);
});

it('a payout shows its account to the approver', async () => {
  const stack = await startConsoleStack({ console });
  const ada = await stack.person('/console/payouts');
  await ada.getByRole('button', { name: 'Pay out' }).click();
  await ada.getByLabel('Amount', { exact: true }).fill('900');
  await ada.getByLabel('Currency', { exact: true }).fill('BRL');
  await ada.getByLabel('Company name').fill('Example Tea Gardens Ltd');
  await ada.getByLabel('Account number', { exact: true }).fill('000123456');
  await ada.getByLabel('Type 900').fill('900');
  await dialog(ada).getByRole('button', { name: 'Ask for approval' }).click();
  await dialog(ada).getByText('Waits for another person').waitFor();
  await ada.getByRole('button', { name: 'Close' }).click();
  await ada.getByRole('button', { name: 'Withdraw' }).waitFor();

  const bob = await stack.person('/console', { name: 'Bob' });
  await bob.getByRole('link', { name: 'Payout', exact: true }).click();
  await bob.getByRole('button', { name: 'Approve' }).click();
  await dialog(bob).getByText('"000123456"').waitFor();
  expect(await axeFindings(bob)).toEqual([]);
  await dialog(bob).getByRole('button', { name: 'Approve' }).click();
  await dialog(bob).getByText('Paid out.').waitFor();
  expect(stack.gateway.books.payouts.list()).toHaveLength(1);
});

it('a dialog says which amount is above the person’s limit', async () => {
  const stack = await startConsoleStack({ console });
  await stack.pay('A-1', '200.00');
  const eve = await stack.person('/console/demo/orders/A-1', { name: 'Eve' });
  await eve.getByRole('button', { name: 'Refund' }).click();
  await dialog(eve).getByText('Your limit is R$50.00.').waitFor();
  expect(await axeFindings(eve)).toEqual([]);
  await eve.locator('dialog input:focus').fill('50');
  await expect.poll(() => dialog(eve).getByText('Your limit').count()).toBe(0);
  await eve.keyboard.press('Enter');
  await dialog(eve).getByText('Refunded.').waitFor();
  await eve.goto(`${stack.front.url}/console/demo/payouts`);
  await eve.getByRole('button', { name: 'Pay out' }).click();
  await eve.getByLabel('Amount', { exact: true }).fill('1');
  await eve.getByLabel('Currency', { exact: true }).fill('BRL');
  await dialog(eve).getByText('Your limits allow nothing in BRL.').waitFor();
});

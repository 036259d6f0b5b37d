import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { dialog, startConsoleStack, subscribe } from '../../support/operators/console-stack.ts';

const PAYOUT = /\/v1\/payout$/;
const CANCEL = /\/v1\/subscription\/cancel$/;

/** Types a payout to a company into the dialog. */
async function writePayout(page: Page, amount: string): Promise<void> {
  await page.getByLabel('Amount', { exact: true }).fill(amount);
  await page.getByLabel('Currency', { exact: true }).fill('brl');
  await page.getByLabel('Company name').fill('Example Tea Gardens Ltd');
  await page.getByLabel('Account number', { exact: true }).fill('000123456');
}

const payOut = (page: Page) => dialog(page).getByRole('button', { name: 'Pay out' }).click();

it('payouts are checked, summarised as a sentence, confirmed, made and listed', async () => {
  const stack = await startConsoleStack();
  const page = await stack.person('/console/payouts');
  await page.getByText('No payouts yet').waitFor();
  await page.getByRole('button', { name: 'Pay out' }).click();
  await payOut(page);
  await page.getByText('Correct the fields that are marked.').waitFor();
  await page.locator('input[id$="-amount"]:focus').waitFor();
  await page.getByText('Enter an account number or an IBAN.').waitFor();
  await page.getByLabel('Amount', { exact: true }).fill('10.50');
  await page.getByLabel('Currency', { exact: true }).fill('JPY');
  await page.getByText('That is more precise than JPY is.').waitFor();
  await page.getByLabel('IBAN').fill('DE89370400440532013001');
  await page.getByText('This IBAN is not right.').waitFor();
  await page.getByLabel('IBAN').fill('de89 3704 0044 0532 0130 00');
  await expect.poll(() => page.getByText('This IBAN is not right.').count()).toBe(0);
  await page.getByLabel('IBAN').fill('');
  expect(stack.keys(PAYOUT)).toEqual([]);

  await writePayout(page, '1,000');
  await payOut(page);
  await page.getByText('This is not the amount above.').waitFor();
  expect(stack.keys(PAYOUT)).toEqual([]);
  await page.getByLabel('Type 1000 to confirm').fill('1000');
  expect(await dialog(page).locator('.sentence').innerText()).toMatch(
    /^Pay R\$1,000\.00 to .Example Tea Gardens Ltd., account .•••• 3456.$/,
  );
  await payOut(page);
  await dialog(page).getByText('Paid out.').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  const row = page.locator('tbody tr');
  await expect.poll(() => row.innerText()).toMatch(/Example Tea Gardens Ltd.*•••• 3456.*R\$1,000\.00.*Paid out/s);
  await row.getByRole('link').click();
  await page.getByRole('heading', { name: 'Payout' }).waitFor();
  await page.locator('.items').getByText('R$1,000.00').waitFor();
});

it('payouts are made once when the answer is lost or unknown', async () => {
  const stack = await startConsoleStack();
  const page = await stack.person('/console/payouts');
  await page.getByRole('button', { name: 'Pay out' }).click();
  await writePayout(page, '90');
  const restore = stack.front.fail(PAYOUT, 'lose_answer');
  await payOut(page);
  await dialog(page).getByText('No answer came').waitFor();
  await page.reload();
  await dialog(page).getByText('An earlier request for this has no answer yet').waitFor();
  expect(await dialog(page).locator('.sentence').innerText()).toContain('Pay R$90.00 to');
  expect(await page.getByLabel('Amount', { exact: true }).count()).toBe(0);
  restore();
  await page.getByRole('button', { name: 'Ask again' }).click();
  await dialog(page).getByText('Paid out.').waitFor();
  expect(new Set(stack.keys(PAYOUT)).size).toBe(1);
  expect(stack.gateway.books.payouts.list()).toHaveLength(1);
  await page.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Pay out' }).click();
  await writePayout(page, '90');
  await page.getByLabel('Reference for the payee').fill('fault:payout.error_before');
  await payOut(page);
  await dialog(page).getByText('has not reported the outcome of this payout').waitFor();
  await page.getByRole('link', { name: 'Open the operation' }).click();
  await page.getByRole('button', { name: 'Settle by hand' }).waitFor();
  await page.goBack();
  await expect.poll(() => page.locator('tbody tr').first().innerText()).toMatch(/Not known yet/);
  await page.getByLabel('Not known yet').check();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  expect(page.url()).toContain('status=unknown');
});

it('subscriptions are listed with terms, searched and ended once', async () => {
  const stack = await startConsoleStack();
  const name = 'fault:subscription_cancel.reset';
  await subscribe(stack, `S-2-${name}`, { contract_name: name });
  await subscribe(stack, 'S-1');
  const page = await stack.person('/console/subscriptions');
  const row = page.locator('tbody tr', { hasText: 'Tea club' });
  await expect
    .poll(() => row.innerText())
    .toMatch(/S-1.*Tea club.*a•••@example\.com.*R\$49\.90 per month.*first R\$9\.90.*R\$49\.90 · expected.*Active/s);
  await row.getByRole('button', { name: 'End' }).click();
  expect(await dialog(page).locator('.sentence').innerText()).toMatch(
    /^End the contract .Tea club. \(.+\) of order .S-1./,
  );
  stack.front.loseAnswer(CANCEL);
  await dialog(page).getByRole('button', { name: 'End' }).click();
  await dialog(page).getByText('The subscription is ended.').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => row.locator('.state').innerText()).toBe('Ended');
  expect(await row.getByRole('button', { name: 'End' }).count()).toBe(0);
  expect(new Set(stack.keys(CANCEL)).size).toBe(1);

  // A subscription with an unknown end shows it and is not ended again.
  const other = page.locator('tbody tr', { hasText: 'S-2' });
  await other.getByRole('button', { name: 'End' }).click();
  await dialog(page).getByRole('button', { name: 'End' }).click();
  await dialog(page).getByText('has not reported whether the subscription is ended').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => other.locator('.state').innerText()).toBe('End not known yet');
  expect(await page.getByRole('button', { name: 'End' }).count()).toBe(0);

  await page.locator('main').getByRole('searchbox').fill('bob@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('No subscription matches this search.').waitFor();
  expect(page.url()).toContain('email=bob%40example.com');
});

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFindings } from '../../support/browsers/axe.ts';
import { ada } from '../../support/operators/console.ts';
import { type ConsoleStack, dialog, startConsoleStack } from '../../support/operators/console-stack.ts';
import { card, order } from '../../support/relays/relay.ts';

const PAYOUT = /\/v1\/payout$/;
const CANCEL = /\/v1\/subscription\/cancel$/;

/** Opens the dialog, and writes a payout to a company. */
async function writePayout(page: Page, amount = '90', company = 'Example Tea Gardens Ltd'): Promise<void> {
  await page.getByRole('button', { name: 'Pay out' }).click();
  await page.getByLabel('Amount', { exact: true }).fill(amount);
  await page.getByLabel('Currency', { exact: true }).fill('brl');
  await page.getByLabel('Company name').fill(company);
  await page.getByLabel('Account number', { exact: true }).fill('000123456');
}

const payOut = (page: Page) => dialog(page).getByRole('button', { name: 'Pay out' }).click();

/** Begins a contract with an order's payment. */
async function subscribe({ relay }: ConsoleStack, order_no: string, terms: object = {}): Promise<void> {
  const subscription = { contract_name: 'Tea club', interval: 'month', contract_amount: '49.90', ...terms };
  const session = await relay.session({
    ...{ payment_methods: [{ type: 'card' }] },
    order: { ...order(), order_no, amount: '9.90', shopper_email: 'ada@example.com', subscription },
  });
  expect(await relay.pay(session.secret, card)).toMatchObject({ body: { status: 'approved' } });
}

describe('payouts in the console', () => {
  it('are made after a sentence is read, and listed with whom they pay', async () => {
    const stack = await startConsoleStack();
    const page = await stack.person('/console/payouts');
    await page.getByText('No payouts yet').waitFor();
    await writePayout(page);
    expect(await dialog(page).locator('.sentence').innerText()).toMatch(
      /^Pay R\$90\.00 to .Example Tea Gardens Ltd., account .•••• 3456.$/,
    );
    await payOut(page);
    await dialog(page).getByText('Paid out.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    const row = page.locator('tbody tr');
    await expect.poll(() => row.innerText()).toMatch(/Example Tea Gardens Ltd.*•••• 3456.*R\$90\.00.*Paid out/s);
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Payout' }).waitFor();
    await page.locator('.items').getByText('R$90.00').waitFor();
  });

  it('are made once where the answer is lost', async () => {
    const stack = await startConsoleStack();
    const page = await stack.person('/console/payouts');
    await writePayout(page);
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
  });

  it('move much money only after the amount is typed', async () => {
    const stack = await startConsoleStack();
    const page = await stack.person('/console/payouts');
    await writePayout(page, '1,000');
    await payOut(page);
    await page.getByText('This is not the amount above.').waitFor();
    expect(stack.keys(PAYOUT)).toEqual([]);
    await page.getByLabel('Type 1000 to confirm').fill('1000');
    await payOut(page);
    await dialog(page).getByText('Paid out.').waitFor();
  });

  it('say what is wrong before anything is sent', async () => {
    const stack = await startConsoleStack();
    const page = await stack.person('/console/payouts');
    await page.getByRole('button', { name: 'Pay out' }).click();
    await payOut(page);
    await page.getByText('Correct the fields that are marked.').waitFor();
    expect(await page.locator(':focus').getAttribute('id')).toMatch(/-amount$/);
    await page.getByText('Enter an account number or an IBAN.').waitFor();
    await page.getByLabel('Amount', { exact: true }).fill('10.50');
    await page.getByLabel('Currency', { exact: true }).fill('JPY');
    await page.getByText('That is more precise than JPY is.').waitFor();
    await page.getByLabel('IBAN').fill('DE89370400440532013001');
    await page.getByText('This IBAN is not right.').waitFor();
    await page.getByLabel('IBAN').fill('de89 3704 0044 0532 0130 00');
    await expect.poll(() => page.getByText('This IBAN is not right.').count()).toBe(0);
    expect(stack.keys(PAYOUT)).toEqual([]);
  });

  it('whose outcome is unknown say so, and are settled by hand', async () => {
    const stack = await startConsoleStack();
    const page = await stack.person('/console/payouts');
    await writePayout(page);
    await page.getByLabel('Reference for the payee').fill('fault:payout.error_before');
    await payOut(page);
    await dialog(page).getByText('has not told what became of this payout').waitFor();
    await page.getByRole('link', { name: 'Open the operation' }).click();
    await page.getByRole('button', { name: 'Settle by hand' }).waitFor();
    await page.goBack();
    await expect.poll(() => page.locator('tbody tr').innerText()).toMatch(/Not known yet/);
    await page.getByLabel('Not known yet').check();
    await expect.poll(() => page.url()).toContain('status=unknown');
  });

  it('cannot be made without the scope', async () => {
    const stack = await startConsoleStack();
    const page = await stack.person('/console/payouts', { name: 'Bob' });
    await page.getByText('No payouts yet').waitFor();
    expect(await page.getByRole('button', { name: 'Pay out' }).count()).toBe(0);
  });

  it('can be read and made by everybody', async () => {
    const stack = await startConsoleStack();
    const page = await stack.person('/console/payouts');
    await writePayout(page);
    await page.locator('summary').first().click();
    expect(await axeFindings(page)).toEqual([]);
    await payOut(page);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('tbody tr').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});

describe('subscriptions in the console', () => {
  it('are listed with their terms and the next charge', async () => {
    const stack = await startConsoleStack();
    await subscribe(stack, 'S-1');
    const page = await stack.person('/console/subscriptions');
    const row = page.locator('tbody tr');
    await expect
      .poll(() => row.innerText())
      .toMatch(/S-1.*Tea club.*a•••@example\.com.*R\$49\.90 per month.*first R\$9\.90.*R\$49\.90 · expected.*Active/s);
    await page.getByRole('searchbox').fill('bob@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('No subscription matches this search.').waitFor();
    expect(page.url()).toContain('email=bob%40example.com');
    expect(await axeFindings(page)).toEqual([]);
  });

  it('are ended after a sentence, once, with the state that follows', async () => {
    const stack = await startConsoleStack();
    await subscribe(stack, 'S-1');
    const page = await stack.person('/console/subscriptions');
    await page.getByRole('button', { name: 'End' }).click();
    expect(await dialog(page).locator('.sentence').innerText()).toMatch(
      /^End the contract .Tea club. \(.+\) of order .S-1./,
    );
    stack.front.loseAnswer(CANCEL);
    await dialog(page).getByRole('button', { name: 'End' }).click();
    await dialog(page).getByText('The subscription is ended.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.locator('tbody .state').innerText()).toBe('Ended');
    expect(await page.getByRole('button', { name: 'End' }).count()).toBe(0);
    expect(new Set(stack.keys(CANCEL)).size).toBe(1);
  });

  it('whose end is unknown say so, and are not ended again', async () => {
    const stack = await startConsoleStack();
    await subscribe(stack, 'S-1-fault:subscription_cancel.reset', { contract_name: 'fault:subscription_cancel.reset' });
    const page = await stack.person('/console/subscriptions');
    await page.getByRole('button', { name: 'End' }).click();
    await dialog(page).getByRole('button', { name: 'End' }).click();
    await dialog(page).getByText('has not told whether the subscription is ended').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.locator('tbody .state').innerText()).toBe('End not known yet');
    expect(await page.getByRole('button', { name: 'End' }).count()).toBe(0);
  });

  it('cannot be ended without the scope', async () => {
    const people = [{ ...ada, scopes: ['console'] }];
    const stack = await startConsoleStack({ console: { people } });
    await subscribe(stack, 'S-1');
    const page = await stack.person('/console/subscriptions');
    await page.locator('tbody tr').waitFor();
    expect(await page.getByRole('button', { name: 'End' }).count()).toBe(0);
  });
});

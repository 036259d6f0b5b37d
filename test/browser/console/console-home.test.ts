import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../../support/http/http-server.ts';
import { type ConsoleStack, dialog, startConsoleStack } from '../../support/operators/console-stack.ts';
import { giveUp, refuse } from '../../support/relays/given-up.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const HOUR_MS = 3_600_000;

const there = { status: 'approved', amount: '129.90', currency: 'BRL' };
const differences = [
  { class: 'missing_here', order_no: 'D-1', transaction_id: 'T1', known: false, there },
  { class: 'status', order_no: '<b>D</b>-2', transaction_id: 'T2', there },
];

/** Reports the differences of a reconciliation to the relay. */
async function report({ relay }: ConsoleStack, found: readonly object[] = differences): Promise<void> {
  const period = { from: '2027-03-30T00:00:00Z', to: '2027-03-31T00:00:00Z', orders: 412, total: found.length };
  const { status } = await relay.post('/v1/reconciliations', apiKey, { ...period, differences: found });
  expect(status).toBe(201);
}

/** Captures this many orders; the gateway answers none of the captures. */
async function capture({ relay }: ConsoleStack, ...orders: string[]): Promise<void> {
  const capture_orders = orders.map((order_no, at) => ({
    ...{ order_no: `${order_no}-fault:capture.reset`, transaction_id: `T-${at}`, amount: '59.00', currency: 'BRL' },
  }));
  await relay.post('/v1/capture', apiKey, { capture_orders });
}

const needsYou = (page: Page) => page.getByRole('navigation').getByRole('link', { name: /^Needs you/ });
const group = (page: Page, name: RegExp) => page.getByRole('region', { name });
const focused = (page: Page) => page.locator('.row-link:focus');

describe('the console’s first screen', () => {
  it('says that nothing waits only when true, and counts new cases', async () => {
    const stack = await startConsoleStack();
    const page = await stack.person('/console');
    await page.getByText('Nothing needs you.').waitFor();
    await page.getByText(/^Updated \d\d:\d\d$/).waitFor();
    await page.getByText('No reconciliation yet').waitFor();
    expect(await needsYou(page).innerText()).toBe('Needs you');
    await page.getByRole('link', { name: 'Orders' }).click();
    // Updates arrive on every screen without a reload.
    await capture(stack, 'A-1');
    await expect.poll(() => needsYou(page).innerText()).toMatch(/^Needs you\s+1$/);
    await needsYou(page).click();
    await group(page, /^Operations to settle/).waitFor();
    expect(await page.getByText('Nothing needs you.').count()).toBe(0);
  });

  it('opens a case by keyboard, settles it, and removes it', async () => {
    const stack = await startConsoleStack();
    await report(stack);
    await capture(stack, 'A-1', 'A-2');
    const page = await stack.person('/console');
    const operations = group(page, /^Operations to settle/);
    await operations.getByText('2 items').waitFor();
    expect(await page.locator('.cases h2').allInnerTexts()).toEqual([
      expect.stringMatching(/^Operations to settle\s+1$/),
      expect.stringMatching(/^Differences of the last reconciliation\s+2$/),
    ]);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused(page).innerText()).toBe('<b>D</b>-2');
    await page.keyboard.press('k');
    expect(await focused(page).innerText()).toBe('Capture');
    await page.keyboard.press('Enter');
    await page.getByText('The connection was lost before the gateway answered. Since').waitFor();
    // No answer arrived, so the page shows the request alone.
    expect(await page.locator('summary').allInnerTexts()).toEqual(['Request']);
    await page.getByRole('button', { name: 'Settle by hand' }).press('Enter');
    const sheet = dialog(page);
    await sheet.getByRole('group').first().getByLabel('It was done').check();
    await sheet.getByRole('group').nth(1).getByLabel('It was not done').check();
    await sheet.getByRole('button', { name: 'Settle' }).press('Enter');
    await sheet.getByText('Choose the outcome of each item').waitFor();
    await sheet.getByLabel('Note').fill('Seen in the portal');
    await sheet.getByRole('button', { name: 'Settle' }).press('Enter');
    await sheet.getByText('Settled.').waitFor();
    await sheet.getByRole('button', { name: 'Close' }).press('Enter');
    await page.getByText('Seen in the portal').waitFor();
    expect(await page.locator('.items .badge').allInnerTexts()).toEqual(['done', 'declined']);
    await expect.poll(() => needsYou(page).innerText()).toMatch(/^Needs you\s+2$/);
    await needsYou(page).click();
    await group(page, /^Differences/).waitFor();
    await expect.poll(() => operations.count()).toBe(0);
  });

  it('says what to do for each case; shows long lists in parts', async () => {
    const stack = await startConsoleStack();
    await report(stack);
    const page = await stack.person('/console');
    const found = group(page, /^Differences/);
    const rows = found.locator('tbody tr');
    await rows.first().waitFor();
    const texts = await rows.allInnerTexts();
    expect(texts[0]).toMatch(/D-1[\s\S]+R\$129\.90[\s\S]+The relay has no such order/);
    expect(texts[1]).toMatch(/<b>D<\/b>-2[\s\S]+One of the two says paid/);
    expect(await rows.getByRole('link').allInnerTexts()).toEqual(['<b>D</b>-2']);
    await page.getByText('412 orders compared, 2 differences.').waitFor();
    // The next report replaces the earlier differences. No webhook reports it.
    await report(stack, []);
    await page.reload();
    await page.getByText('Nothing needs you.').waitFor();
    await page.getByText('412 orders compared, no differences.').waitFor();
    const [, known] = differences;
    await report(
      stack,
      Array.from({ length: 30 }, (_, n) => ({ ...known, order_no: `D-${n}` })),
    );
    await page.reload();
    await found.getByText('The first 8 of 30.').waitFor();
    expect(await rows.count()).toBe(8);
    await found.getByRole('button', { name: 'Show 12 more' }).click();
    await found.getByText('The first 20 of 30.').waitFor();
    expect(await rows.count()).toBe(20);
  });

  it('opens a webhook that was given up', async () => {
    const receiver = await serve((_req, res) => void refuse(res));
    onTestFinished(receiver.close);
    const stack = await startConsoleStack({ webhookUrl: receiver.url });
    await stack.pay('A-1', '20.00');
    await giveUp(stack.relay.context.store, 1);
    const page = await stack.person('/console');
    const row = group(page, /^Webhooks given up/).locator('tbody tr');
    expect(await row.innerText()).toMatch(/A-1[\s\S]+R\$20\.00[\s\S]+session\.approved · HTTP 410/);
    await row.getByRole('link').click();
    await page.waitForURL(/\/console\/demo\/webhooks\/msg_/);
    await page.locator('h1', { hasText: 'session.approved' }).waitFor();
  });

  it('lists what the relay still queries separately', async () => {
    const stack = await startConsoleStack({ config: { resolve: { first_ms: HOUR_MS, max_ms: HOUR_MS } } });
    const { relay, pay } = stack;
    await pay('A-1-fault:direct_payment.reset-fault:query.error_before', '20.00');
    const page = await stack.person('/console');
    await page.getByText('The relay is finding out by itself: 1').waitFor();
    await page.getByText('Nothing needs you.').waitFor();
    const asked = group(page, /^Not known yet/);
    expect(await asked.locator('tbody').innerText()).toMatch(/A-1-fault[\s\S]+R\$20\.00[\s\S]+Next query at/);
    expect(await needsYou(page).innerText()).toBe('Needs you');
    // After a day it needs a person.
    relay.pass(25 * HOUR_MS);
    const order = encodeURIComponent('A-1-fault:direct_payment.reset-fault:query.error_before');
    await until('the relay gave up', async () => {
      await relay.post(`/v1/orders/${order}/reconcile`, apiKey, {});
      relay.pass(3000);
      return (await relay.get(`/v1/orders/${order}`, apiKey)).body.needs_attention === true;
    });
    await page.goto(page.url());
    const name = page.getByLabel('Name');
    await name.waitFor();
    await name.fill('Ada');
    await page.getByLabel('Password').fill('ada’s');
    await page.keyboard.press('Enter');
    await group(page, /^Not known for too long/).waitFor();
    await expect.poll(() => needsYou(page).innerText()).toMatch(/^Needs you\s+1$/);
  });
});

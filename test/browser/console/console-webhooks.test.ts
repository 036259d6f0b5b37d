import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventList } from '../../../shared/api/event.ts';
import { startReceiver, webhookSecret } from '../../support/http/receiver.ts';
import { dialog, fact, startConsoleStack } from '../../support/operators/console-stack.ts';
import { giveUp, refuse } from '../../support/relays/given-up.ts';
import { apiKey } from '../../support/relays/relay.ts';

/** A shop that refuses webhooks until it works, and a relay that sends it the webhooks of payments. */
async function start() {
  const shop = { isWorking: false };
  const receiver = await startReceiver((_webhook, res) => (shop.isWorking ? res.end() : refuse(res)));
  const webhook = { url: receiver.url, secrets: [webhookSecret], events: ['session.*'] };
  const stack = await startConsoleStack({ webhookUrl: 'none', account: { webhook } });
  const events = async (query = '') =>
    eventList.parse((await stack.relay.get(`/v1/events?limit=100${query}`, apiKey)).body).events;
  return {
    ...stack,
    receiver,
    works: () => {
      shop.isWorking = true;
    },
    fails: () => {
      shop.isWorking = false;
    },
    events,
    giveUp: (count: number) => giveUp(stack.relay.context.store, count),
  };
}

const rows = (page: Page) => page.locator('.webhooks tbody tr');
const REDELIVER = /\/events\/redeliver$/;

describe('the webhooks', () => {
  it('appear as they are delivered, are found, and are resolved', async () => {
    const stack = await start();
    stack.works();
    const page = await stack.person('/console/webhooks');
    await page.getByText('No webhooks yet.').waitFor();
    await stack.pay('B-2', '20.00', { card: '4000000000000002' });
    await rows(page).getByText('Delivered').waitFor();
    stack.fails();
    await stack.pay('A-1<b>', '10.00');
    await stack.giveUp(1);
    // The webhook of the payment itself is kept.
    await expect.poll(() => rows(page).count()).toBe(3);
    await page.getByLabel('Status').selectOption('failed');
    await page.getByLabel('Type').selectOption('session.approved');
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(page.url()).toContain('?status=failed&type=session.approved');
    expect(await rows(page).innerText()).toMatch(/session\.approved\s+A-1<b>\s+Failed\s+HTTP 410\s+1/);
    await page.getByLabel('Type').selectOption('payout.updated');
    await page.getByText('No webhook matches this filter.').waitFor();
    await page.getByRole('link', { name: 'Clear filter' }).click();
    await rows(page).getByRole('link', { name: 'A-1<b>' }).first().click();
    await page.getByRole('heading', { name: 'A-1<b>' }).waitFor();

    await page.goBack();
    await page.getByLabel('Status').selectOption('failed');
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByLabel('Status').blur();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText('Last try: HTTP 410').waitFor();
    expect(await page.locator('pre').innerText()).toContain('"order_no": "A-1<b>"');
    expect(await fact(page, 'Tries').innerText()).toBe('1');
    await page.getByRole('button', { name: 'Mark as resolved' }).click();
    await page.locator('.heading').getByText('Resolved').waitFor();
    expect(await fact(page, 'By').innerText()).toBe('person:Ada');
    stack.works();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.locator('.heading').getByText('Delivered').waitFor();
  });

  it('are resent once, all that match', async () => {
    const stack = await start();
    for (let order = 1; order <= 3; order++) await stack.pay(`A-${order}`, '10.00');
    await stack.pay('B-1', '10.00', { card: '4000000000000002' });
    await stack.giveUp(4);
    const page = await stack.person('/console/webhooks?status=failed&type=session.approved');
    await page.getByRole('button', { name: 'Send all again' }).click();
    const sentence = dialog(page).locator('.sentence');
    await expect.poll(() => sentence.innerText()).toBe('Send 3 failed webhooks of type session.approved again');
    stack.works();
    stack.front.loseAnswer(REDELIVER);
    await dialog(page).getByRole('button', { name: 'Send again' }).click();
    await dialog(page).getByText('3 webhooks are sent again.').waitFor();
    const [first, second] = stack.keys(REDELIVER);
    expect(first).toMatch(/^[\w-]+-0$/);
    expect(second).toBe(first);
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await page.getByText('No webhook matches this filter.').waitFor();
    await expect.poll(async () => (await stack.events('&status=delivered&type=session.approved')).length).toBe(3);
    expect(await stack.events('&status=failed')).toHaveLength(1);
  });

  it('are resent page by page, continuing after a lost answer', async () => {
    const stack = await start();
    const created_at = new Date().toISOString();
    const common = { account: 'demo', type: 'session.approved', created_at, endpoints: ['default'] } as const;
    const events = Array.from({ length: 103 }, (_, at) => {
      const data = JSON.stringify({ type: 'session.approved', timestamp: created_at, data: { order_no: `A-${at}` } });
      return { ...common, id: `msg_${at}`, subject: `cs_${at}`, body: data };
    });
    await stack.relay.context.store.outbox.add(events);
    await stack.giveUp(103);
    stack.works();
    const page = await stack.person('/console/webhooks?status=failed');
    await page.getByRole('button', { name: 'Send all again' }).click();
    await dialog(page).getByText('Send more than 100 failed webhooks again').waitFor();
    const heal = stack.front.fail(
      ({ address, body }) => REDELIVER.test(address) && body.includes('after'),
      'lose_answer',
    );
    await dialog(page).getByRole('button', { name: 'Send again' }).click();
    await dialog(page).getByText('No answer came.').waitFor({ timeout: 60_000 });
    await dialog(page).getByText('100 so far.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    heal();
    await dialog(page).getByRole('button', { name: 'Continue' }).click();
    await dialog(page).getByText('103 webhooks are sent again.').waitFor();
    const keys = new Set(stack.keys(REDELIVER));
    expect([...keys].map((key) => String(key).slice(-2))).toEqual(['-0', '-1']);
    await expect.poll(() => new Set(stack.receiver.received.map(({ data }) => data.order_no)).size).toBe(103);
  });

  it('show the delivery to each endpoint and what is not sent', async () => {
    const [shop, books] = [await startReceiver((_webhook, res) => refuse(res)), await startReceiver()];
    const secrets = [webhookSecret];
    const webhooks = [
      { id: 'shop', url: shop.url, secrets, events: ['session.approved'] },
      { id: 'books', url: books.url, secrets, events: ['session.approved'] },
    ];
    const stack = await startConsoleStack({ webhookUrl: 'none', account: { webhooks } });
    await stack.pay('A-1', '10.00');
    const page = await stack.person('/console/webhooks');
    await rows(page).getByRole('link', { name: 'session.approved' }).click();
    await expect.poll(() => fact(page, 'books').innerText()).toBe('Delivered');
    expect(await fact(page, 'shop').innerText()).toMatch(/^Waiting\s*HTTP 410$/);
    await stack.pay('B-2', '20.00', { card: '4000000000000002' });
    await page.goto(new URL('/console/webhooks?status=kept', page.url()).href);
    await expect
      .poll(() => rows(page).filter({ hasText: 'B-2' }).innerText())
      .toMatch(/session\.failed\s+B-2\s+Not sent\s+0\s*$/);
  });
});

describe('the audit log', () => {
  it('shows an operation’s request and its outcome', async () => {
    const stack = await start();
    await stack.pay('A-1', '10.00');
    await stack.relay.post('/v1/orders/A-1/refund', apiKey, { amount: '4.00', reason: 'Broken' });
    const page = await stack.person('/console/audit');
    const row = page.locator('.audit tbody tr').filter({ hasText: 'Refunded' });
    await expect.poll(() => row.innerText()).toContain('R$4.00 done');
  });

  it('describes who did what, and filters by person and order', async () => {
    const stack = await start();
    await stack.pay('A-1', '10.00');
    await stack.relay.post('/v1/orders/A-1/reconcile', apiKey, {});
    const page = await stack.person('/console/audit');
    const action = page.getByText('Asked the gateway');
    await action.waitFor();
    expect(await action.getAttribute('title')).toBe('order.reconcile');
    await page.getByRole('link', { name: 'person:Ada' }).first().click();
    await action.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('by')).toBe('person:Ada');
    await page.getByRole('searchbox', { name: 'Order number' }).fill('A-1');
    await page.keyboard.press('Enter');
    await page.getByText('No entry matches this filter.').waitFor();
    await page.getByRole('combobox', { name: 'Who' }).fill('');
    await page.keyboard.press('Enter');
    await action.waitFor();
    expect(new URL(page.url()).search).toBe('?order_no=A-1');
    await page.getByText('Made a payment').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(2);
    await page.getByRole('link', { name: 'A-1' }).first().click();
    await page.getByRole('heading', { name: 'A-1' }).waitFor();
  });
});

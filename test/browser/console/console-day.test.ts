import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { relayProfile } from '../../../sandbox/relay-config.ts';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { startReceiver } from '../../support/http/receiver.ts';
import { dialog, fact, startConsoleStack } from '../../support/operators/console-stack.ts';
import { giveUp, refuse } from '../../support/relays/given-up.ts';
import { apiKey, card } from '../../support/relays/relay.ts';

/** The poller finds nothing by itself during the test. */
const config = { resolve: { first_ms: 600_000, max_ms: 600_000 } };

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Opens a dialog of the order, submits it unchanged, waits for a text, and closes it. */
async function act(page: Page, name: string, done: string, fill: Record<string, string> = {}): Promise<void> {
  await press(page, name);
  await dialog(page).locator('.sentence').waitFor();
  for (const [label, text] of Object.entries(fill)) await dialog(page).getByLabel(label).fill(text);
  await dialog(page).getByRole('button', { name, exact: true }).click();
  await dialog(page).getByText(done).waitFor();
  await press(page, 'Close');
}

describe('the day of a support person', () => {
  it('refunds an order found by e-mail; captures, reviews and cancels others', async () => {
    const stack = await startConsoleStack();
    await stack.pay('A-1001', '129.90', { shopper_email: 'ada@shopper.example' });
    await stack.pay('B-2002', '29.90', { shopper_email: 'bob@shopper.example' });
    await stack.pay('C-3003', '29.90');
    const page = await stack.person('/console/orders');
    await page.locator('tbody tr').nth(2).waitFor();
    await page.getByRole('searchbox').fill('ada@shopper.example');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?/);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('link', { name: 'A-1001' }).click();
    await act(page, 'Refund', 'Refunded.', { Amount: '20', Reason: 'broken cup' });
    await expect.poll(() => fact(page, 'Refunded').innerText()).toBe('R$20.00');
    expect(await fact(page, 'Refundable').innerText()).toBe('R$109.90');
    await page.locator('.timeline').getByText('broken cup').waitFor();
    await page.goBack();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(await stack.order('A-1001')).toMatchObject({ refunded: '20.00', refundable: '109.90' });

    await page.goto(`${stack.front.url}/console/orders/B-2002`);
    await act(page, 'Capture', 'Captured.', { Amount: '20' });
    await act(page, 'Review', 'Review sent.', { 'Review flag': 'accept' });
    const timelineEntry = (name: string) => page.locator('.timeline strong', { hasText: new RegExp(`^${name}$`) });
    await timelineEntry('Capture').waitFor();
    await timelineEntry('Review').waitFor();
    await act(page, 'Review', 'No money moved. The payment was already reviewed', { 'Review flag': 'accept' });
    await page.locator('.timeline').getByText('The payment was already reviewed').waitFor();
    await act(page, 'Cancel payment', 'Cancelled.');
    await timelineEntry('Cancel').waitFor();
    await page.goto(`${stack.front.url}/console/orders/C-3003`);
    await act(page, 'Cancel payment', 'Cancelled.');
    await timelineEntry('Cancel').waitFor();
  });

  it('settles a refund and a payment of unknown outcome', async () => {
    const stack = await startConsoleStack({ config });
    await stack.pay('A-1-fault:refund.reset', '29.90');
    const page = await stack.person(`/console/orders/${encodeURIComponent('A-1-fault:refund.reset')}`);
    await press(page, 'Refund');
    await page.getByLabel('Amount').press('Enter');
    await dialog(page).getByText('The gateway has not reported the outcome').waitFor();
    await page.getByRole('link', { name: 'Open the operation' }).click();
    const unknown = await page.context().newPage();
    await unknown.goto(`${stack.front.url}/console/orders/${encodeURIComponent('A-1-fault:refund.reset')}`);
    await unknown.locator('.facts').getByText('R$29.90 not known yet').waitFor();
    expect(await fact(unknown, 'Refunded').innerText()).toBe('R$0.00');
    await unknown.close();
    await press(page, 'Settle by hand');
    await page.getByLabel('It was done').check();
    await page.getByLabel('Note').fill('seen in the portal');
    await press(page, 'Settle');
    await dialog(page).getByText('Settled.').waitFor();
    await press(page, 'Close');
    await page.getByText('seen in the portal').waitFor();
    await page.getByRole('link', { name: 'A-1-fault:refund.reset' }).click();
    await expect.poll(() => fact(page, 'Refunded').innerText()).toBe('R$29.90');

    const orderNo = 'A-1-fault:reset-fault:query.server_error';
    await stack.pay(orderNo, '29.90');
    await page.goto(`${stack.front.url}/console/orders/${encodeURIComponent(orderNo)}`);
    await press(page, 'Settle by hand');
    await page.getByLabel('It was paid').check();
    await page.getByLabel('Transaction ID at the gateway').fill('4711');
    await page.getByLabel('Note').fill('the bank says so');
    await dialog(page).getByText('Record R$29.90 as paid').waitFor();
    await press(page, 'Settle');
    await dialog(page).getByText('Settled.').waitFor();
    await press(page, 'Close');
    await page.getByText('Settled by hand: paid').waitFor();
    expect(await fact(page, 'Transaction').innerText()).toBe('4711');
    expect(await stack.order(orderNo)).toMatchObject({ status: 'paid', refundable: '29.90' });
  });

  it('settles an order by the gateway’s record of another amount', async () => {
    const stack = await startConsoleStack({ config });
    const orderNo = 'A-3-fault:reset';
    await stack.pay(orderNo, '130.00');
    const [payment] = stack.gateway.payments.list();
    if (!payment) throw new Error('the gateway has no payment');
    payment.order = { ...payment.order, amount: '13.00' };
    await stack.relay.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {});
    expect(await stack.order(orderNo)).toMatchObject({
      undecided: { reason: 'amount_differs', records: [{ amount: '13.00', transaction_id: payment.transaction_id }] },
    });
    const page = await stack.person(`/console/orders/${encodeURIComponent(orderNo)}`);
    await page.getByText('show a payment of another amount').waitFor();
    const records = page.getByRole('region', { name: 'Records of the gateway' });
    expect(await records.innerText()).toMatch(new RegExp(`R\\$13\\.00[^]*${payment.transaction_id}`));
    await press(page, 'Settle by hand');
    await page.getByLabel('It was paid by another payment').check();
    await page.getByLabel('Transaction ID at the gateway').fill('99999999999');
    await dialog(page).getByText('does not show this payment').waitFor();
    await page.getByLabel('It was paid by this payment').check();
    await page.getByLabel('Note').fill('the shopper paid a part');
    await dialog(page).getByText('Record R$13.00 as paid').waitFor();
    await press(page, 'Settle');
    await dialog(page).getByText('Settled.').waitFor();
    await press(page, 'Close');
    await expect.poll(() => fact(page, 'Amount').first().innerText()).toBe('R$13.00');
    expect(await stack.order(orderNo)).toMatchObject({
      status: 'paid',
      payments: [{ amount: '13.00', transaction_id: payment.transaction_id }],
    });
  });

  it('shows the shopper and the goods of an order', async () => {
    const stack = await startConsoleStack();
    const items = [{ name: 'Green tea', code: 'T-1', price: '14.95', quantity: 2 }];
    const given = { currency: 'BRL', amount: '29.90', shopper_email: 'ada@shopper.example' };
    for (const order_no of ['A-1', 'A-2', 'B-1']) {
      const shopper_email = order_no === 'B-1' ? 'bob@shopper.example' : given.shopper_email;
      const { secret } = await stack.relay.session({ order: { ...given, order_no, items, shopper_email } });
      await stack.relay.pay(secret, card);
    }
    await stack.relay.post('/v1/orders/A-1/reconcile', apiKey, {});
    const page = await stack.person('/console/orders/A-1');
    expect(await fact(page, '2 ×').innerText()).toBe('Green tea');
    expect(await fact(page, 'Shopper').innerText()).toBe('a•••@shopper.example');
    await page.getByText('Record of the gateway:').click();
    expect(await fact(page, 'Status at the gateway').innerText()).toBe('3000');
    await page.getByRole('link', { name: 'Orders of this shopper' }).click();
    await page.getByRole('link', { name: 'A-2' }).waitFor();
    expect(await page.getByRole('link', { name: 'B-1' }).count()).toBe(0);
  });

  it('settles a payment on hold', async () => {
    const stack = await startConsoleStack({ config, profile: relayProfile });
    stack.gateway.styles.current.payment_codes = 'each_state';
    await stack.pay('A-1', '29.90', { card: testCards.held.number });
    await stack.pay('A-2', '29.90');
    await stack.relay.post('/v1/orders/A-1/reconcile', apiKey, {});
    const payment = async () => (await stack.order('A-1')).payments;
    await expect.poll(payment).toMatchObject([{ status: 'held' }]);
    const page = await stack.person('/console/orders/A-1');
    await press(page, 'Settle by hand');
    await page.getByLabel('The money is there').check();
    await press(page, 'Settle');
    await dialog(page).getByText('fill in every field').waitFor();
    await page.getByLabel('Note').fill('accepted in the portal');
    await dialog(page).getByText('Confirm the payment of R$29.90').waitFor();
    await press(page, 'Settle');
    await dialog(page).getByText('Settled.').waitFor();
    await press(page, 'Close');
    await page.getByText('Payment confirmed by hand').waitFor();
    expect(await payment()).toMatchObject([{ status: 'paid', settled: { note: 'accepted in the portal' } }]);
    await page.goto(`${stack.front.url}/console/orders/A-2`);
    await page.getByRole('button', { name: 'Refund' }).waitFor();
    expect(await page.getByRole('button', { name: 'Settle by hand' }).count()).toBe(0);
  });

  it('sends a webhook again, and marks one as resolved', async () => {
    const refused = new Set(['A-1001', 'B-2002']);
    const receiver = await startReceiver(({ data }, res) => {
      if (refused.has(String(data.order_no))) refuse(res);
      else res.end();
    });
    const stack = await startConsoleStack({ webhookUrl: receiver.url });
    await stack.pay('A-1001', '29.90');
    await stack.pay('B-2002', '29.90');
    await giveUp(stack.relay.context.store, 2);
    const page = await stack.person('/console/orders/A-1001');
    const webhook = page.locator('.timeline li', { hasText: 'Webhook session.approved' });
    await webhook.getByText('failed').waitFor();
    refused.delete('A-1001');
    await webhook.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => receiver.received.filter(({ data }) => data.order_no === 'A-1001').length).toBe(2);
    await page.goto(`${stack.front.url}/console/webhooks?status=failed`);
    await page.getByRole('link', { name: 'B-2002' }).waitFor();
    await press(page, 'Mark as resolved');
    await page.getByText('No webhook matches this filter.').waitFor();
    const audited = page.getByRole('cell', { name: 'Marked a webhook as resolved' });
    await page.getByRole('link', { name: 'Audit' }).click();
    await audited.waitFor();
  });
});

import { describe, expect, it } from 'vitest';
import type { Seen } from '../../support/http/front.ts';
import { dialog, fact, signInAt, startConsoleStack } from '../../support/operators/console-stack.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { stopClock } from '../../support/relays/stack.ts';

/** The requests of a browser's stream, without the polls. */
const isStream = ({ address, headers }: Seen): boolean =>
  /\/live/.test(address) && headers.accept === 'text/event-stream';

describe('an open page', () => {
  it('shows a new order and its changes by the shop’s server', async () => {
    const stack = await startConsoleStack();
    const page = await stack.person('/console/orders');
    await page.getByText('No orders yet.').waitFor();
    await stack.pay('A-1001', '29.90');
    await page.getByRole('link', { name: 'A-1001' }).click();
    const transaction_id = await fact(page, 'Transaction').innerText();
    const item = { transaction_id, order_no: 'A-1001', currency: 'BRL', amount: '29.90', refund_amount: '4.00' };
    const { status } = await stack.relay.post('/v1/refund', apiKey, { refund_orders: [item] });
    expect(status).toBe(200);
    await expect.poll(() => fact(page, 'Refunded').innerText()).toBe('R$4.00');
  });

  it('polls while a proxy buffers the stream, then streams again', async () => {
    const stack = await startConsoleStack();
    const release = stack.front.hold(isStream);
    const { page } = await stack.open('/console/orders');
    await page.clock.install();
    await page.reload();
    await signInAt(page, 'Ada');
    await page.getByText('No orders yet.').waitFor();
    const polls = () => stack.front.seen.filter((one) => /\/live/.test(one.address) && !isStream(one)).length;
    await stopClock(page);
    await expect.poll(polls).toBe(1);
    await stack.pay('A-1001', '10.00');
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000);
        return page.getByRole('link', { name: 'A-1001' }).count();
      })
      .toBe(1);
    release();
    const streams = () => stack.front.seen.filter(isStream).length;
    const before = streams();
    await expect
      .poll(async () => {
        await page.clock.runFor(20_000);
        return streams();
      })
      .toBeGreaterThan(before);
    // Once the stream works, polling stops.
    await expect
      .poll(async () => {
        const asked = polls();
        await page.clock.runFor(20_000);
        return polls() - asked;
      })
      .toBe(0);
    await stack.pay('B-2002', '10.00');
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return page.getByRole('link', { name: 'B-2002' }).count();
      })
      .toBe(1);
  });

  it('receives updates of an account without webhooks, and reads after actions', async () => {
    const stack = await startConsoleStack({ webhookUrl: 'none' });
    const page = await stack.person('/console/orders');
    await page.getByText('No orders yet.').waitFor();
    await stack.pay('A-1001', '10.00');
    await page.getByRole('link', { name: 'A-1001' }).waitFor();
    await page.getByRole('link', { name: 'A-1001' }).click();
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByLabel('Amount').fill('5');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Refunded.').waitFor();
    await expect.poll(() => fact(page, 'Refunded').innerText()).toBe('R$5.00');
  });
});

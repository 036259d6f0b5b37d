import { expect, it } from 'vitest';
import { relayProfile } from '../../../sandbox/relay-config.ts';
import { axeFindings } from '../../support/browsers/axe.ts';
import { startConsoleStack } from '../../support/operators/console-stack.ts';
import { apiKey } from '../../support/relays/relay.ts';

it('chargebacks have their own list and a share in the figures', async () => {
  const config = { resolve: { first_ms: 600_000, max_ms: 600_000 } };
  const stack = await startConsoleStack({ config, profile: relayProfile });
  stack.gateway.styles.current.payment_codes = 'each_state';
  for (const orderNo of ['A-1', 'B-2']) await stack.pay(orderNo, '29.90');
  const [payment] = stack.gateway.payments.list();
  if (payment?.state.status !== 'approved') throw new Error('the gateway has no payment');
  stack.gateway.payments.change(payment, { state: { status: 'charged_back', before: payment.state } });
  await stack.relay.post('/v1/orders/A-1/reconcile', apiKey, {});
  await stack.relay.post('/v1/orders/A-1/notes', apiKey, { note: 'The bank has the receipt' });
  const page = await stack.person('/console', { bypassCSP: true });
  await page.getByRole('link', { name: 'Disputes' }).click();
  const row = page.locator('tbody tr', { hasText: 'A-1' });
  await row.getByText('The bank has the receipt').waitFor();
  expect(await row.innerText()).toContain(payment.transaction_id);
  expect(await page.locator('tbody tr').count()).toBe(1);
  for (const width of [320, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await axeFindings(page)).toEqual([]);
  }
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^payments-demo-/);
  await page.getByRole('link', { name: 'Figures' }).click();
  await page.getByRole('heading', { name: 'Chargebacks (50%)' }).waitFor();
  await page.locator('.card', { hasText: 'Chargebacks' }).getByRole('link').click();
  await page.getByRole('link', { name: 'A-1' }).waitFor();
});

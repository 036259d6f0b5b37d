import { expect, test } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { operationNames } from '../../../shared/gateway/operations.ts';
import { faultNames } from '../faults/faults.ts';
import { grouped } from '../faults/test-cards.ts';
import { payoutKeywords } from '../operations/payout.ts';
import { cardPayment, pixPayment, startGateway, startListener } from '../testing.ts';

const look = async (url: string, query = '') => (await fetch(`${url}/${query}`)).text();

test('a notification is shown as sent with its tries, without its token', async () => {
  const listener = await startListener({ status: 200, body: 'noted <b>well</b>' });
  const { authorise, notifications, url } = await startGateway();
  await authorise(cardPayment({ notify_url: listener.url }));
  await expect.poll(() => notifications.list()[0]?.outcome).toEqual({ state: 'delivered' });
  const page = await look(url);
  expect(page.match(/class="direction \w+">\w+/g)).toEqual([
    'class="direction sent">sent',
    'class="direction received">received',
  ]);
  expect(page).toContain(`Sent as JSON to ${listener.origin}/notify/payment/cs_1/***`);
  expect(page).toContain('200 noted &lt;b&gt;well&lt;/b&gt;');
  expect(page).not.toContain('SECRET-TOKEN');
});

test('a payout’s answer and notification hide the token of its notify_url', async () => {
  const listener = await startListener();
  const { ask, notifications, url } = await startGateway();
  const payout = { payment_amount: '100', payment_currency: 'USD', beneficiary_id: 'b-1' };
  const request_id = '7f6f1c0e-3f2b-4d8a-9a53-0f3f1f4ee001';
  await ask('payout', { ...payout, request_id, notify_url: listener.url });
  await expect.poll(() => notifications.list()[0]?.outcome).toEqual({ state: 'delivered' });
  expect(listener.got[0]?.body).toContain('SECRET-TOKEN');
  expect(await look(url)).not.toContain('SECRET-TOKEN');
});

test.each(['json', 'form', 'xml'] as const)('no notification shows a card number, as %s', async (shape) => {
  const card = '5555555555554444';
  const listener = await startListener({ status: 500, body: `thanks for ${card}` });
  const { authorise, notifications, url } = await startGateway({ notifications: { shape, backOffMs: [] } });
  await authorise(cardPayment({ card, order_no: `for ${card}`, notify_url: `${listener.origin}/${card}/x` }));
  await expect.poll(() => notifications.list()[0]?.outcome).toEqual({ state: 'given_up' });
  const shown = `${JSON.stringify(notifications.list())}${await look(url)}`;
  expect(shown).not.toContain(card);
  expect(shown).toContain('thanks for 555555******4444');
});

test('the list can be filtered by operation and part of order number', async () => {
  const { authorise, query, url } = await startGateway();
  await authorise(cardPayment({ order_no: 'TEA-1' }));
  await authorise(pixPayment({ order_no: 'TEA-2' }));
  await query({ orders: 'TEA-1,TEA-2' });
  const shown = async (filter: string) =>
    [...(await look(url, filter)).matchAll(/class="operation">(\w+)/g)].map(([, operation]) => operation);
  expect(await shown('?operation=apm_payment')).toEqual(['apm_payment']);
  expect(await shown('?order_no=TEA-1')).toEqual(['query', 'direct_payment']);
  expect(await shown('?operation=query&order_no=TEA-3')).toEqual([]);
  expect(await shown('?operation=notification')).toEqual([]);
  expect(await shown('?operation=&order_no=')).toHaveLength(3);
});

test('the filter shows the asked values, and escapes them', async () => {
  const { url } = await startGateway();
  const page = await look(url, `?operation=refund&order_no=${encodeURIComponent('"><img src=x>')}`);
  expect(page).toContain('<option value="refund" selected>');
  expect(page).toContain('value="&quot;&gt;&lt;img src=x&gt;"');
  expect(page).toContain('No message fits.');
});

test('a batch is found by the order of any of its items', async () => {
  const { pay, ask, url } = await startGateway();
  const payments = [await pay({ order_no: 'B-1' }), await pay({ order_no: 'B-2' })];
  await ask('capture', { capture_orders: payments });
  const page = await look(url, '?operation=capture&order_no=B-2');
  expect(page).toContain('<span class="order">B-1, B-2</span>');
});

test('a fault that was triggered is named in its line', async () => {
  const { authorise, url } = await startGateway();
  await authorise(cardPayment({ order_no: 'A-1-fault:server_error' }));
  expect(await look(url)).toContain('<span class="fault">fault: server_error</span>');
});

test('the page lists each card, fault, payout keyword and filterable operation', async () => {
  const page = await look((await startGateway()).url);
  for (const { number, title } of Object.values(testCards))
    expect(page).toContain(`<code>${grouped(number)}</code></dt><dd>${title}`);
  for (const name of faultNames) expect(page).toContain(`<code>fault:${name}</code>`);
  for (const keyword of Object.keys(payoutKeywords)) expect(page).toContain(`<code>${keyword}</code>`);
  expect(page).toContain('<code>2005:Expired card</code>');
  expect(page).toContain('never charged by itself');
  for (const name of operationNames) expect(page).toContain(`<option value="${name}">`);
});

import { expect, test } from 'vitest';
import { type Message, sign } from '../../../shared/gateway/signature.ts';
import { demoMerchant } from '../../demo.ts';
import { cardPayment, elements, manualTimers, pixPayment, startGateway, startListener } from '../testing.ts';

const { merchant_id, account_id, signing_secret } = demoMerchant;
const names = ({ got }: Awaited<ReturnType<typeof startListener>>) => got.map(({ body }) => JSON.parse(body).order_no);

test('a payment is notified after its answer, signed as the spec says', async () => {
  const listener = await startListener();
  const { authorise } = await startGateway();
  const answer = await elements(await authorise(cardPayment({ notify_url: listener.url })));
  await expect.poll(() => listener.got).toHaveLength(1);
  const [{ path, type, body } = { path: '', type: '', body: '' }] = listener.got;
  expect({ path, type }).toEqual({ path: '/notify/payment/cs_1/SECRET-TOKEN', type: 'application/json' });
  const message: Message = JSON.parse(body);
  expect(message).toMatchObject({
    merchant_id,
    account_id,
    order_no: 'A-1',
    transaction_id: answer.transaction_id,
    amount: '129.90',
    currency: 'BRL',
    order_status: '1',
    payment_status: '3000',
    encryption_data: sign(message, signing_secret),
  });
});

test('notifications wait for a late answer and for the shopper’s decision', async () => {
  const timers = manualTimers();
  const listener = await startListener();
  const gateway = await startGateway({ after: timers.after, lateMs: 50 });
  const answering = gateway.authorise(cardPayment({ order_no: 'A-1-fault:late', notify_url: listener.url }));
  await expect.poll(timers.waiting).toEqual([50]);
  await gateway.authorise(pixPayment({ notify_url: listener.url }));
  expect(gateway.notifications.list()).toEqual([]);
  timers.pass(50);
  await answering;
  await expect.poll(() => names(listener)).toEqual(['A-1-fault:late']);
});

test.each([
  ['approve', '3000'],
  ['refuse', '4100'],
])("an issuer's page notifies %s as payment_status %s", async (choice, payment_status) => {
  const listener = await startListener();
  const { authorise } = await startGateway();
  const { issuer_url = '' } = await elements(await authorise(pixPayment({ notify_url: listener.url })));
  const page = (await fetch(issuer_url)).url;
  await fetch(page, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' });
  await expect.poll(() => listener.got).toHaveLength(1);
  expect(JSON.parse(listener.got[0]?.body ?? '{}')).toMatchObject({ order_no: 'P-1', payment_status });
});

test('a payment whose answer never comes is notified all the same', async () => {
  const listener = await startListener();
  const { authorise } = await startGateway();
  const given = new AbortController();
  const payment = cardPayment({ order_no: 'A-1-fault:never', notify_url: listener.url });
  const answering = authorise(payment, given.signal).catch(() => 'hung up');
  await expect.poll(() => names(listener)).toEqual(['A-1-fault:never']);
  given.abort();
  await answering;
});

test('a form carries the same fields, signed as texts', async () => {
  const listener = await startListener();
  const { authorise } = await startGateway({ notifications: { shape: 'form' } });
  await authorise(cardPayment({ order_no: 'A & B', notify_url: listener.url }));
  await expect.poll(() => listener.got).toHaveLength(1);
  expect(listener.got[0]?.type).toBe('application/x-www-form-urlencoded');
  const message = Object.fromEntries(new URLSearchParams(listener.got[0]?.body));
  expect(message).toMatchObject({ order_no: 'A & B', encryption_data: sign(message, signing_secret) });
});

test('XML carries them under the root respon', async () => {
  const listener = await startListener();
  const { authorise } = await startGateway({ notifications: { shape: 'xml' } });
  await authorise(cardPayment({ order_no: 'A & B', notify_url: listener.url }));
  await expect.poll(() => listener.got).toHaveLength(1);
  expect(listener.got[0]).toMatchObject({ type: 'application/xml', body: expect.stringContaining('<respon>') });
  const message = await elements(new Response(listener.got[0]?.body));
  expect(message).toMatchObject({ order_no: 'A & B', encryption_data: sign(message, signing_secret) });
});

test('GET carries them in the address, with no body', async () => {
  const listener = await startListener();
  const { authorise } = await startGateway({ notifications: { shape: 'get' } });
  await authorise(cardPayment({ order_no: 'A & B', notify_url: listener.url }));
  await expect.poll(() => listener.got).toHaveLength(1);
  const [{ path, body } = { path: '', body: '' }] = listener.got;
  const message = Object.fromEntries(new URL(path, listener.origin).searchParams);
  expect({ path: path.split('?')[0], body }).toEqual({ path: '/notify/payment/cs_1/SECRET-TOKEN', body: '' });
  expect(message).toMatchObject({ order_no: 'A & B', encryption_data: sign(message, signing_secret) });
});

test('in turn, each notification has the next shape', async () => {
  const listener = await startListener();
  const { authorise } = await startGateway({ notifications: { shape: 'rotate' } });
  for (const order_no of ['A-1', 'A-2', 'A-3', 'A-4', 'A-5']) {
    const before = listener.got.length;
    await authorise(cardPayment({ order_no, notify_url: listener.url }));
    await expect.poll(() => listener.got).toHaveLength(before + 1);
  }
  expect(listener.got.map(({ type }) => type.replace('application/', ''))).toEqual([
    'json',
    'x-www-form-urlencoded',
    'xml',
    '',
    'json',
  ]);
});

test('a payout is notified with its nested objects, in any shape', async () => {
  const listener = await startListener();
  const { ask } = await startGateway({ notifications: { shape: 'xml' } });
  const payout = { payment_amount: '100', payment_currency: 'USD', beneficiary: { first_name: 'Ada' } };
  const request_id = '7f6f1c0e-3f2b-4d8a-9a53-0f3f1f4ee001';
  await ask('payout', { ...payout, request_id, notify_url: listener.url });
  await expect.poll(() => listener.got).toHaveLength(1);
  const message = await elements(new Response(listener.got[0]?.body));
  expect(message).toMatchObject({ request_id, status: 'COMPLETED', encryption_data: sign(message, signing_secret) });
  expect(JSON.parse(message.beneficiary ?? '')).toEqual({ first_name: 'Ada' });
});

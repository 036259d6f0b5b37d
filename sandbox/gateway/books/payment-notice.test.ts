import { expect, test } from 'vitest';
import { cardPayment, pixPayment, startGateway, startListener } from '../testing.ts';

async function withReceiver() {
  const { url: notify_url, received } = await startListener();
  const gateway = await startGateway({ now: () => new Date('2026-11-21T10:20:30Z') });
  return { ...gateway, notify_url, received };
}

test('a card payment’s notification has its identity, amount and both codes', async () => {
  const { pay, notify_url, received } = await withReceiver();
  const item = await pay({ notify_url });
  await expect
    .poll(() => received)
    .toMatchObject([
      {
        merchant_id: '100001',
        account_id: '200001',
        ...item,
        order_status: '1',
        payment_status: '3000',
        decline_reason: '',
        transaction_date: '20261121102030',
      },
    ]);
});

test('a declined payment is notified with its reason', async () => {
  const { pay, notify_url, received } = await withReceiver();
  await pay({ notify_url, card: '4000000000000002' });
  await expect
    .poll(() => received)
    .toMatchObject([{ order_status: '0', payment_status: '4100', decline_reason: 'Do not honour' }]);
});

test('a payment at the issuer is notified once, after the shopper decides', async () => {
  const { authorise, payments, notifications, url, notify_url, received } = await withReceiver();
  await authorise(pixPayment({ notify_url, return_url: undefined }));
  const [payment] = payments.list();
  const page = `${url}/issuer/${payment && 'issuer_token' in payment ? payment.issuer_token : ''}`;
  for (const choice of ['refuse', 'approve']) {
    await fetch(page, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' });
  }
  await expect.poll(() => received.length).toBe(1);
  // No further notification follows: the next one in the gateway's list is of a later payment.
  await authorise(cardPayment({ notify_url }));
  expect(notifications.list()).toHaveLength(2);
  await expect
    .poll(() => received)
    .toMatchObject([
      { order_no: 'P-1', payment_status: '4100', decline_reason: 'Refused by the shopper' },
      { order_no: 'A-1', payment_status: '3000' },
    ]);
});

test('successful captures and refunds are sent to notify_url, refused ones are not', async () => {
  const { pay, ask, notify_url, received } = await withReceiver();
  const item = await pay({ notify_url });
  await ask('refund', { refund_orders: [{ ...item, refund_amount: '500.00' }] });
  await ask('capture', { capture_orders: [item] });
  await expect.poll(() => received.length).toBe(2);
  await ask('refund', { refund_orders: [{ ...item, refund_amount: '29.90' }] });
  await expect.poll(() => received.length).toBe(3);
  expect(received).toMatchObject([
    { payment_status: '3000' },
    { payment_status: '3000' },
    { refund_amount: '29.90', refund_reference_id: `${item.transaction_id}-01`, refund_status: '1' },
  ]);
});

test('a payment that is cancelled or rejected is notified as not paid', async () => {
  const { pay, ask, notify_url, received } = await withReceiver();
  const first = await pay({ notify_url });
  await ask('cancel', { cancel_orders: [first] });
  const second = await pay({ notify_url, order_no: 'A-2', card: '4000000000009235' });
  await ask('review', { review_orders: [{ ...second, review_flag: 'REJECT' }] });
  const statuses = () => received.map(({ order_no, payment_status }) => `${order_no} ${payment_status}`).sort();
  await expect.poll(statuses).toEqual(['A-1 3000', 'A-1 4100', 'A-2 3000', 'A-2 4100']);
});

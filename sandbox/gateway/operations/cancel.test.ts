import { expect, test } from 'vitest';
import { DAY, startGateway } from '../testing.ts';

async function withPayment() {
  const gateway = await startGateway();
  const item = await gateway.pay();
  const cancelled = async (fields = {}) => {
    const { cancel_orders } = await gateway.ask('cancel', { cancel_orders: [{ ...item, ...fields }] });
    return cancel_orders;
  };
  return { ...gateway, item, cancelled };
}

test('an authorised payment is cancelled once, and a query reports it unpaid', async () => {
  const { item, cancelled, query } = await withPayment();
  expect(await cancelled()).toEqual([{ ...item, cancel_status: '1', error_message: '' }]);
  expect(await query({ orders: 'A-1' })).toMatchObject({
    orders_list: [{ payment_status: '4100', decline_reason: 'Cancelled by the merchant' }],
  });
  expect(await cancelled()).toEqual([{ ...item, cancel_status: '0', error_message: 'The payment was cancelled' }]);
});

test('a captured payment cannot be cancelled', async () => {
  const { item, ask, cancelled } = await withPayment();
  await ask('capture', { capture_orders: [item] });
  expect(await cancelled()).toMatchObject([{ cancel_status: '0', error_message: 'The payment is already captured' }]);
});

test('after a partial capture a cancel ends the rest', async () => {
  const { item, ask, cancelled, query } = await withPayment();
  const captured = async (amount: string) =>
    (await ask('capture', { capture_orders: [{ ...item, amount }] })).capture_orders;
  await captured('100.00');
  await ask('refund', { refund_orders: [{ ...item, refund_amount: '10.00' }] });
  expect(await cancelled()).toMatchObject([{ cancel_status: '1', error_message: '' }]);
  const error_message = 'The rest of the authorisation was cancelled';
  expect(await captured('29.90')).toMatchObject([{ capture_status: '0', error_message }]);
  expect(await cancelled()).toMatchObject([{ cancel_status: '0', error_message }]);
  expect(await query({ orders: 'A-1' })).toMatchObject({ orders_list: [{ payment_status: '3000' }] });
  const refund = { refund_orders: [{ ...item, refund_amount: '90.00' }] };
  expect(await ask('refund', refund)).toMatchObject({ refund_orders: [{ refund_status: '1' }] });
});

test('a refunded payment cannot be cancelled', async () => {
  const { item, ask, cancelled, query } = await withPayment();
  await ask('refund', { refund_orders: [{ ...item, refund_amount: '1.00' }] });
  expect(await cancelled()).toMatchObject([{ cancel_status: '0', error_message: 'The payment was refunded' }]);
  expect(await query({ orders: 'A-1' })).toMatchObject({ orders_list: [{ payment_status: '3000' }] });
});

test('a cancelled payment cannot be captured', async () => {
  const { item, ask, cancelled } = await withPayment();
  await cancelled();
  expect(await ask('capture', { capture_orders: [item] })).toMatchObject({
    capture_orders: [{ capture_status: '0', error_message: 'The payment was cancelled' }],
  });
});

test('cancelling a first payment ends its subscription, cancelling a charge does not', async () => {
  const { pay, ask, clock, payments } = await startGateway();
  const subscription = { contract_name: 'Tea club', interval: 'day' };
  const first = await pay({ order_no: 'S-1', subscription });
  await pay({ order_no: 'S-2', subscription });
  await ask('cancel', { cancel_orders: [first] });
  clock.advance(DAY);
  const [, , charge] = payments.list();
  const { transaction_id = '' } = charge ?? {};
  await ask('cancel', { cancel_orders: [{ transaction_id, currency: 'BRL', amount: '129.90' }] });
  clock.advance(DAY);
  expect(payments.list().map(({ order }) => order.order_no)).toEqual(['S-1', 'S-2', 'S-2-R2', 'S-2-R3']);
});

test('a cancel that names another amount does nothing', async () => {
  const { cancelled, query } = await withPayment();
  expect(await cancelled({ amount: '129.00' })).toMatchObject([
    { cancel_status: '0', error_message: 'The amount is not the original amount' },
  ]);
  expect(await query({ orders: 'A-1' })).toMatchObject({ orders_list: [{ payment_status: '3000' }] });
});

import { expect, test } from 'vitest';
import { DAY, pixPayment, startGateway } from '../testing.ts';

const byHand = { card: '4000000000006199' };

async function withAuthorisation() {
  const gateway = await startGateway({ now: () => new Date('2026-11-21T10:00:00Z') });
  const item = await gateway.pay(byHand);
  const captured = async (amount: string) =>
    (await gateway.ask('capture', { capture_orders: [{ ...item, amount }] })).capture_orders;
  const refunded = async (refund_amount: string) =>
    (await gateway.ask('refund', { refund_orders: [{ ...item, refund_amount }] })).refund_orders;
  const record = async () => (await gateway.query({ orders: 'A-1' })).orders_list[0];
  return { ...gateway, item, captured, refunded, record };
}

test('only what was captured by hand can be refunded', async () => {
  const { captured, refunded } = await withAuthorisation();
  const tooMuch = [{ refund_status: '0', refund_message: expect.stringContaining('V0009') }];
  expect(await refunded('0.01')).toMatchObject(tooMuch);
  await captured('30.00');
  await captured('20.00');
  expect(await refunded('50.01')).toMatchObject(tooMuch);
  expect(await refunded('50.00')).toMatchObject([{ refund_status: '1' }]);
});

test('an authorisation expires after a week, and cannot be captured then', async () => {
  const { clock, captured, record, ask, item } = await withAuthorisation();
  clock.advance(7 * DAY - 1);
  expect(await record()).toMatchObject({ payment_status: '3000', decline_reason: '' });
  clock.advance(1);
  expect(await record()).toMatchObject({ payment_status: '4100', decline_reason: 'The authorisation expired' });
  const error_message = 'The authorisation has expired';
  expect(await captured('1.00')).toMatchObject([{ capture_status: '0', error_message }]);
  expect(await ask('cancel', { cancel_orders: [item] })).toMatchObject({ cancel_orders: [{ error_message }] });
});

test('of an authorisation captured in part the rest expires', async () => {
  const { clock, captured, record, refunded } = await withAuthorisation();
  await captured('100.00');
  clock.advance(8 * DAY);
  expect(await record()).toMatchObject({ payment_status: '3000', decline_reason: 'The authorisation expired' });
  expect(await captured('29.90')).toMatchObject([{ error_message: 'The authorisation has expired' }]);
  expect(await refunded('100.00')).toMatchObject([{ refund_status: '1' }]);
});

test('what was captured in full or cancelled does not expire', async () => {
  const { clock, captured, record, pay, ask, query } = await withAuthorisation();
  await captured('129.90');
  const other = await pay({ ...byHand, order_no: 'A-2' });
  await ask('cancel', { cancel_orders: [other] });
  clock.advance(30 * DAY);
  expect(await record()).toMatchObject({ payment_status: '3000', decline_reason: '' });
  expect((await query({ orders: 'A-2' })).orders_list).toMatchObject([{ decline_reason: 'Cancelled by the merchant' }]);
});

test('payments of any other card never expire', async () => {
  const { clock, pay, ask } = await startGateway();
  const item = await pay();
  clock.advance(300 * DAY);
  expect(await ask('capture', { capture_orders: [item] })).toMatchObject({ capture_orders: [{ capture_status: '1' }] });
});

test('an invoice that its issuer approves is authorised only', async () => {
  const { authorise, payments, ask } = await startGateway();
  await authorise(pixPayment({ payment_method: 'INVOICE' }));
  const [payment] = payments.list();
  if (!payment) throw new Error('there is no payment');
  payments.decide(payment, 'approve');
  const item = { transaction_id: payment.transaction_id, currency: 'BRL', amount: '50.00' };
  const capture_orders = [item, item, { ...item, amount: '29.91' }];
  expect(await ask('capture', { capture_orders })).toMatchObject({
    capture_orders: [{ capture_status: '1' }, { capture_status: '1' }, { capture_status: '0' }],
  });
});

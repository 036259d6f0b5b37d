import { expect, test } from 'vitest';
import { cardPayment, elements, pixPayment, startGateway, startListener } from '../testing.ts';
import type { PaymentActionName } from './payment-actions.ts';

/** A gateway that has a code for each state of a payment, with one payment. Records and notifications contain its code. */
async function withPayment(fields = {}) {
  const listener = await startListener();
  const gateway = await startGateway({ answers: { payment_codes: 'each_state' } });
  const given = { notify_url: listener.url, ...fields };
  await gateway.authorise('payment_method' in given ? pixPayment({ order_no: 'A-1', ...given }) : cardPayment(given));
  const [payment] = gateway.payments.list();
  if (!payment) throw new Error('there is no payment');
  const { transaction_id } = payment;
  const item = { transaction_id, currency: 'BRL', amount: '129.90' };
  const act = (action: PaymentActionName) => gateway.admin('POST', `payments/${transaction_id}/${action}`);
  const record = async () => (await gateway.query({ orders: 'A-1' })).orders_list[0];
  /** The codes of the notifications, once there are as many as expected. */
  const expectNotifications = (...codes: string[]) =>
    expect.poll(() => listener.received.map(({ payment_status }) => payment_status)).toEqual(codes);
  return { ...gateway, item, act, record, expectNotifications };
}

const card = (number: string) => ({ card: number });
const byHand = card('4000000000006199');
const held = card('4000000000009235');
const pix = { payment_method: 'PIX' };

const ways: [string, object, PaymentActionName[], string[], string][] = [
  ['a payment is approved', {}, [], ['3000'], ''],
  ['a payment is held until it is accepted', held, ['accept'], ['2000', '3000'], ''],
  ['a payment is held until it is rejected', held, ['reject'], ['2000', '4100'], 'Rejected in review'],
  ['a payment is voided', {}, ['void'], ['3000', '4200'], 'Cancelled by the merchant'],
  ['a payment is refunded in part', {}, ['capture', 'refund_half'], ['3000', '3000', '5000'], ''],
  ['a payment is refunded', {}, ['capture', 'refund_half', 'refund'], ['3000', '3000', '5000', '5100'], ''],
  ['a payment is charged back', {}, ['charge_back'], ['3000', '6000'], 'Charged back by the card holder'],
  ['a chargeback is reversed', {}, ['capture', 'charge_back', 'reverse'], ['3000', '3000', '6000', '3000'], ''],
  ['an authorisation expires', byHand, ['expire'], ['3000', '4200'], 'The authorisation expired'],
  ['a voucher is paid later', pix, ['pay_later', 'pay'], ['1000', '3000'], ''],
  ['a voucher expires', pix, ['pay_later', 'lapse'], ['1000', '4100'], 'Not paid in time'],
];
test.each(ways)('%s, and each step is notified', async (_way, fields, actions, codes, decline_reason) => {
  const { act, record, expectNotifications } = await withPayment(fields);
  for (const action of actions) expect(await act(action)).toMatchObject({ status: 200 });
  expect(await record()).toMatchObject({ payment_status: codes.at(-1), decline_reason });
  await expectNotifications(...codes);
});

test('a reversed chargeback leaves captured and refunded amounts', async () => {
  const { act, ask, admin, item } = await withPayment();
  await ask('capture', { capture_orders: [{ ...item, amount: '100.00' }] });
  await act('charge_back');
  expect(await ask('refund', { refund_orders: [{ ...item, refund_amount: '1.00' }] })).toMatchObject({
    refund_orders: [{ refund_message: 'V0006:The payment was cancelled' }],
  });
  await act('reverse');
  const { body } = await admin('GET', 'books');
  expect(body.payments).toMatchObject([{ captured: '100.00', left_to_refund: '100.00', left_to_capture: '29.90' }]);
});

test.each<[PaymentActionName, object]>([
  ['void', pix],
  ['refund', held],
  ['expire', {}],
  ['reverse', {}],
  ['pay', {}],
  ['approve', {}],
  ['accept', card('4000000000000002')],
])('%s is refused where it is not possible', async (action, fields) => {
  const { act, payments } = await withPayment(fields);
  const before = structuredClone(payments.list());
  expect(await act(action)).toMatchObject({ status: 409, body: { error: expect.any(String) } });
  expect(payments.list()).toEqual(before);
});

test('unknown actions and payments are not found', async () => {
  const { admin, item } = await withPayment();
  expect(await admin('POST', `payments/${item.transaction_id}/forget`)).toMatchObject({ status: 404 });
  expect(await admin('POST', 'payments/1/refund')).toMatchObject({ status: 404 });
});

test('with two codes alone only a pending payment has another', async () => {
  const { act, record, admin } = await withPayment(pix);
  await admin('PUT', 'answers', { payment_codes: 'two' });
  const codes: (string | undefined | null)[] = [];
  for (const action of ['pay_later', 'pay', 'refund_half', 'charge_back', 'reverse', 'refund'] as const) {
    await act(action);
    codes.push((await record())?.payment_status);
  }
  expect(codes).toEqual(['1000', '3000', '3000', '4100', '3000', '3000']);
});

test('the pending card is answered as pending, and decided later', async () => {
  const gateway = await startGateway();
  const answer = await elements(await gateway.authorise(cardPayment({ card: '4000000000006215' })));
  expect(answer).toMatchObject({ order_status: '2', result_info: '0001:Pending' });
  const { orders_list } = await gateway.query({ orders: 'A-1', order_status: '2' });
  expect(orders_list).toMatchObject([{ payment_status: '1000' }]);
  const item = { transaction_id: answer.transaction_id, currency: 'BRL', amount: '129.90' };
  expect(await gateway.ask('capture', { capture_orders: [item] })).toMatchObject({
    capture_orders: [{ capture_status: '0', error_message: 'The payment is pending' }],
  });
  await gateway.admin('POST', `payments/${answer.transaction_id}/pay`);
  expect((await gateway.query({ orders: 'A-1' })).orders_list).toMatchObject([{ payment_status: '3000' }]);
});

test('a pending subscription that is not paid is charged no more', async () => {
  const subscription = { contract_name: 'Tea club', interval: 'day' };
  const { act, clock, payments } = await withPayment({ ...card('4000000000006215'), subscription });
  await act('lapse');
  clock.advance(3 * 86_400_000);
  expect(payments.list()).toHaveLength(1);
});

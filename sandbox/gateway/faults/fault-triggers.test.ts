import { expect, test } from 'vitest';
import { type OperationName, operationNames, operations } from '../../../shared/gateway/operations.ts';
import { type Message, sign } from '../../../shared/gateway/signature.ts';
import { demoMerchant } from '../../demo.ts';
import { cardPayment, elements, pixPayment, startGateway } from '../testing.ts';

const request_id = '7f6f1c0e-3f2b-4d8a-9a53-0f3f1f4ee001';
const payout = { request_id, payment_amount: '100', payment_currency: 'USD', beneficiary_id: 'b-1' };
const item = { transaction_id: '1', order_no: 'A-1-fault:html', currency: 'BRL', amount: '1.00' };

/** A message of each operation that asks for the fault `html`, each in the way that it can. */
const asking: Record<OperationName, Message> = {
  direct_payment: cardPayment({ order_no: 'A-1-fault:html' }),
  apm_payment: pixPayment({ order_no: 'A-1-fault:html' }),
  query: { orders: 'A-2,A-1-fault:query.html' },
  refund: { refund_orders: [{ ...item, order_no: 'A-2' }, item].map((one) => ({ ...one, refund_amount: '1.00' })) },
  refund_search: { refund_orders: 'A-1-fault:refund_search.html' },
  review: { review_orders: [{ ...item, review_flag: '1' }] },
  capture: { capture_orders: [item] },
  cancel: { cancel_orders: [item] },
  subscription_cancel: { recurring_id: 'R1', contract_name: 'Tea fault:html' },
  payout: { ...payout, reference: 'fault:html' },
};
const isPage = async (response: Response) => (await response.text()).startsWith('<!doctype html>');

test.each(operationNames)('%s has a fault that a field of its message triggers', async (name) => {
  const gateway = await startGateway();
  expect(await isPage(await gateway.send(name, asking[name]))).toBe(true);
});

test.each(operationNames)('%s gets an armed fault once, whatever its message says', async (name) => {
  const gateway = await startGateway();
  expect((await gateway.admin('POST', 'faults', { operation: name, fault: 'html' })).status).toBe(200);
  const harmless: Message = JSON.parse(JSON.stringify(asking[name]).replaceAll(/fault:[\w.]+/g, 'harmless'));
  expect(await isPage(await gateway.send(name, harmless))).toBe(true);
  expect(await isPage(await gateway.send(name, harmless))).toBe(false);
});

test('a fault in client_data also affects a payout', async () => {
  const { send } = await startGateway();
  expect(await isPage(await send('payout', { ...payout, client_data: 'x fault:html y' }))).toBe(true);
});

test('an order with lost answers can be queried unless it names query', async () => {
  const gateway = await startGateway();
  await expect(gateway.authorise(cardPayment({ order_no: 'A-1-fault:reset' }))).rejects.toThrow();
  expect((await gateway.query({ orders: 'A-1-fault:reset' })).orders_list).toHaveLength(1);
  expect(await isPage(await gateway.send('query', { orders: 'A-1-fault:query.html' }))).toBe(true);
});

test('a fault for refunds does not affect the payment', async () => {
  const gateway = await startGateway();
  const payment = await gateway.pay({ order_no: 'A-1-fault:refund.html' });
  const refund_orders = [{ ...payment, refund_amount: '10.00' }];
  expect(await isPage(await gateway.send('refund', { refund_orders }))).toBe(true);
  const search = await gateway.ask('refund_search', { refund_orders: payment.transaction_id });
  expect(search.refund_orders).toMatchObject([{ refund_amount: '10.00' }]);
});

test('a refund whose order says so is accepted but not processed', async () => {
  const gateway = await startGateway();
  const payment = await gateway.pay({ order_no: 'A-1-fault:refund_pending' });
  const answer = await gateway.ask('refund', { refund_orders: [{ ...payment, refund_amount: '10.00' }] });
  expect(answer.refund_orders).toMatchObject([{ refund_status: '1' }]);
  const search = await gateway.ask('refund_search', { refund_orders: payment.transaction_id });
  expect(search.refund_orders).toMatchObject([{ refund_processing_date: '' }]);
});

test.each([
  [
    'an item',
    'capture',
    (id: string) => ({ capture_orders: [{ transaction_id: id, currency: 'BRL', amount: '129.90' }] }),
  ],
  ['trades', 'query', (id: string) => ({ trades: `1,${id}` })],
  ['refund_orders', 'refund_search', (id: string) => ({ refund_orders: id })],
  ['refund_references', 'refund_search', (id: string) => ({ refund_references: `${id}-01` })],
  ['merchant_refunds', 'refund_search', (id: string) => ({ merchant_refunds: `1,${id}-01` })],
] as const)('a payment that %s names by transaction_id gets its own order_no’s fault', async (_, name, asked) => {
  const gateway = await startGateway();
  const { order_no: __, ...payment } = await gateway.pay({ order_no: `A-1-fault:${name}.html` });
  await gateway.ask('refund', { refund_orders: [{ ...payment, refund_amount: '1.00' }] });
  expect(await isPage(await gateway.send(name, asked(payment.transaction_id ?? '')))).toBe(true);
});

test('a subscription named by recurring_id gets its first order_no’s fault', async () => {
  const gateway = await startGateway();
  const subscription = { contract_name: 'Tea club' };
  const order_no = 'A-1-fault:subscription_cancel.html';
  const { recurring_id } = await elements(await gateway.authorise(cardPayment({ order_no, subscription })));
  expect(await isPage(await gateway.send('subscription_cancel', { recurring_id }))).toBe(true);
});

test("another account's payment strikes nothing", async () => {
  const other = { merchant_id: '7', account_id: '8' };
  const gateway = await startGateway({ merchants: [demoMerchant, { ...other, signing_secret: 'other' }] });
  const { transaction_id } = await gateway.pay({ order_no: 'A-1-fault:capture.html' });
  const message = { ...other, capture_orders: [{ transaction_id, currency: 'BRL', amount: '129.90' }] };
  const body = JSON.stringify({ ...message, encryption_data: sign(message, 'other') });
  const response = await gateway.post('/v1/capture', body);
  expect(await response.json()).toMatchObject({ capture_orders: [{ error_message: 'No such transaction' }] });
});

test.each([
  ['fault:query.refund_pending', 'refund_pending never strikes query'],
  ['fault:capture.notification_lost', 'notification_lost never strikes capture'],
])('%s is refused, for it could never strike', async (order_no, why) => {
  const { authorise } = await startGateway();
  const response = await authorise(cardPayment({ order_no }));
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(why);
});

test.each(['fault:nevr', 'fault:payment.never'])('a misspelled %s is refused, not overheard', async (order_no) => {
  const { authorise, payments } = await startGateway();
  const response = await authorise(cardPayment({ order_no }));
  expect(response.status).toBe(400);
  expect(await response.text()).toMatch(/^Invalid input: no (fault|operation) is called (nevr|payment)$/);
  expect(payments.list()).toEqual([]);
});

test('a message with a wrong signature uses up no armed fault', async () => {
  const { post, armed } = await startGateway();
  armed.arm({ operation: '*', fault: 'html', times: 1 });
  const { path } = operations.direct_payment;
  expect((await post(path, JSON.stringify({ ...cardPayment(), encryption_data: 'x' }))).status).toBe(400);
  expect(armed.list()).toHaveLength(1);
});

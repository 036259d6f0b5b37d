import { expect, test } from 'vitest';
import { type OperationName, operationNames, operations } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { cardPayment, pixPayment, startGateway } from './testing.ts';

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

test.each(operationNames)('%s can be struck by what its own message says', async (name) => {
  const gateway = await startGateway();
  expect(await isPage(await gateway.send(name, asking[name]))).toBe(true);
});

test.each(operationNames)(
  '%s can be struck by an armed fault, whatever its message says, and only once',
  async (name) => {
    const gateway = await startGateway();
    expect((await gateway.admin('POST', 'faults', { operation: name, fault: 'html' })).status).toBe(200);
    const harmless: Message = JSON.parse(JSON.stringify(asking[name]).replaceAll(/fault:[\w.]+/g, 'harmless'));
    expect(await isPage(await gateway.send(name, harmless))).toBe(true);
    expect(await isPage(await gateway.send(name, harmless))).toBe(false);
  },
);

test('a fault in client_data strikes a payout too', async () => {
  const { send } = await startGateway();
  expect(await isPage(await send('payout', { ...payout, client_data: 'x fault:html y' }))).toBe(true);
});

test('an order that loses its answers can be queried, unless the query is named', async () => {
  const gateway = await startGateway();
  await expect(gateway.authorise(cardPayment({ order_no: 'A-1-fault:reset' }))).rejects.toThrow();
  expect((await gateway.query({ orders: 'A-1-fault:reset' })).orders_list).toHaveLength(1);
  expect(await isPage(await gateway.send('query', { orders: 'A-1-fault:query.html' }))).toBe(true);
});

test('a fault for refunds alone leaves the payment in peace', async () => {
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

import { expect, test } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { demoMerchant } from '../../demo.ts';
import { cardPayment, pixPayment, startGateway } from '../testing.ts';

const otherMerchant = { merchant_id: '7', account_id: '8', signing_secret: 'other' };

test('an authorised payment is captured in full once', async () => {
  const { pay, ask } = await startGateway();
  const item = await pay();
  expect(await ask('capture', { capture_orders: [item] })).toEqual({
    merchant_id: '100001',
    account_id: '200001',
    return_status: '1',
    return_message: 'OK',
    encryption_data: expect.any(String),
    capture_orders: [
      {
        ...item,
        capture_status: '1',
        error_message: '',
      },
    ],
  });
  expect(await ask('capture', { capture_orders: [item] })).toMatchObject({
    return_status: '1',
    capture_orders: [{ capture_status: '0', error_message: 'The payment is already captured' }],
  });
});

test('captures add up to the authorised amount, and no further', async () => {
  const { pay, ask } = await startGateway();
  const item = await pay();
  const answer = await ask('capture', {
    capture_orders: [
      { ...item, amount: '129.91' },
      { ...item, amount: '0.00' },
      { ...item, amount: '100.00' },
      { ...item, amount: '29.91' },
      { ...item, amount: '29.90' },
      { ...item, amount: '0.01' },
    ],
  });
  expect(answer.capture_orders).toMatchObject([
    { amount: '129.91', capture_status: '0', error_message: 'The amount is more than what was authorised' },
    { amount: '0.00', capture_status: '0', error_message: 'The amount must be more than zero' },
    { amount: '100.00', capture_status: '1', error_message: '' },
    { amount: '29.91', capture_status: '0', error_message: 'The amount is more than what was authorised' },
    { amount: '29.90', capture_status: '1', error_message: '' },
    { amount: '0.01', capture_status: '0', error_message: 'The payment is already captured' },
  ]);
});

test('each item has its own result in place, whatever happens to others', async () => {
  const { pay, ask } = await startGateway();
  const good = await pay();
  const declined = await pay({ order_no: 'A-2', card: '4000000000000002' });
  const third = await pay({ order_no: 'A-3' });
  const { order_no: _, ...unnamed } = await pay({ order_no: 'A-4' });
  const answer = await ask('capture', {
    capture_orders: [
      { ...good, transaction_id: '1'.repeat(20), order_no: undefined },
      good,
      declined,
      { ...third, order_no: 'A-1' },
      { ...third, currency: 'USD' },
      unnamed,
    ],
  });
  expect(answer.capture_orders).toMatchObject([
    { capture_status: '0', error_message: 'No such transaction', order_no: '' },
    { capture_status: '1', error_message: '', order_no: 'A-1' },
    { capture_status: '0', error_message: 'The payment was declined', order_no: 'A-2' },
    { capture_status: '0', error_message: 'The transaction belongs to another order', order_no: 'A-1' },
    { capture_status: '0', error_message: 'The transaction is in another currency', currency: 'USD' },
    { capture_status: '1', error_message: '', order_no: 'A-4' },
  ]);
});

test('an approved issuer payment is already captured, an undecided one is unknown', async () => {
  const { authorise, payments, ask } = await startGateway();
  await authorise(pixPayment());
  const [payment] = payments.list();
  const item = { transaction_id: payment?.transaction_id, currency: 'BRL', amount: '129.90' };
  const refused = (error_message: string) => ({ capture_orders: [{ capture_status: '0', error_message }] });
  expect(await ask('capture', { capture_orders: [item] })).toMatchObject(refused('No such transaction'));
  const issuerPayment = payments.atIssuer(payment && 'issuer_token' in payment ? String(payment.issuer_token) : '');
  if (issuerPayment) payments.decide(issuerPayment, 'approve');
  expect(await ask('capture', { capture_orders: [item] })).toMatchObject(refused('The payment is already captured'));
});

test('another account cannot capture a payment', async () => {
  const { payments, authorise, post } = await startGateway({ merchants: [demoMerchant, otherMerchant] });
  await authorise(cardPayment());
  const { transaction_id } = payments.list()[0] ?? {};
  const capture_orders = [{ transaction_id, currency: 'BRL', amount: '129.90' }];
  const message = { merchant_id: '7', account_id: '8', capture_orders };
  const answer = await post('/v1/capture', JSON.stringify({ ...message, encryption_data: sign(message, 'other') }));
  expect(await answer.json()).toMatchObject({
    capture_orders: [{ capture_status: '0', error_message: 'No such transaction', order_no: '' }],
  });
});

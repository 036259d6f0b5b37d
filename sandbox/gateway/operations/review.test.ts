import { expect, test } from 'vitest';
import { startGateway } from '../testing.ts';

async function withHeldPayment(fields = {}) {
  const gateway = await startGateway();
  const item = await gateway.pay({ card: '4000000000009235', ...fields });
  const reviewed = async (review_flag: string) => {
    const { review_orders } = await gateway.ask('review', { review_orders: [{ ...item, review_flag }] });
    return review_orders;
  };
  const record = async () => (await gateway.query({ orders: 'A-1' })).orders_list[0];
  return { ...gateway, item, reviewed, record };
}

test('a held payment is approved with REJECT, without capture or refund', async () => {
  const { item, record, ask } = await withHeldPayment();
  expect(await record()).toMatchObject({ payment_status: '3000', fraud_check_result: [{ status: 'REJECT' }] });
  expect(await ask('capture', { capture_orders: [item] })).toMatchObject({
    capture_orders: [{ capture_status: '0', error_message: 'The payment is held for review' }],
  });
  expect(await ask('refund', { refund_orders: [{ ...item, refund_amount: '1.00' }] })).toMatchObject({
    refund_orders: [{ refund_status: '0', refund_message: 'V0007:The payment is held for review' }],
  });
});

test.each(['1', 'ACCEPT', 'approve'])(
  'the flag %s accepts a held payment, which can then be captured',
  async (flag) => {
    const { item, reviewed, record, ask } = await withHeldPayment();
    expect(await reviewed(flag)).toEqual([{ ...item, review_flag: flag, review_status: '1', error_message: '' }]);
    expect(await record()).toMatchObject({ payment_status: '3000', fraud_check_result: [{ status: 'ACCEPT' }] });
    expect(await ask('capture', { capture_orders: [item] })).toMatchObject({
      capture_orders: [{ capture_status: '1' }],
    });
  },
);

test.each(['0', 'Reject', 'DECLINE'])('the flag %s rejects a held payment, which is cancelled', async (flag) => {
  const { reviewed, record } = await withHeldPayment();
  expect(await reviewed(flag)).toMatchObject([{ review_flag: flag, review_status: '1', error_message: '' }]);
  expect(await record()).toMatchObject({
    payment_status: '4100',
    decline_reason: 'Rejected in review',
    fraud_check_result: [{ status: 'REJECT' }],
  });
  expect(await reviewed('1')).toMatchObject([{ review_status: '0', error_message: 'The payment was cancelled' }]);
});

test('any other flag is refused, and changes nothing', async () => {
  const { reviewed, record } = await withHeldPayment();
  expect(await reviewed('maybe')).toMatchObject([
    { review_status: '0', error_message: expect.stringContaining('review_flag') },
  ]);
  expect(await record()).toMatchObject({ payment_status: '3000', fraud_check_result: [{ status: 'REJECT' }] });
});

test('a payment is reviewed once', async () => {
  const { reviewed, record } = await withHeldPayment();
  await reviewed('1');
  expect(await reviewed('0')).toMatchObject([
    { review_status: '0', error_message: 'The payment was already reviewed' },
  ]);
  expect(await record()).toMatchObject({ payment_status: '3000' });
});

test('a payment never held can be rejected unless it is captured', async () => {
  const { reviewed, ask, item, record } = await withHeldPayment({ card: '4111111111111111' });
  await ask('capture', { capture_orders: [item] });
  expect(await reviewed('0')).toMatchObject([{ review_status: '0', error_message: 'The payment is already captured' }]);
  expect(await record()).toMatchObject({ payment_status: '3000' });
});

test('a rejected payment takes its subscription with it', async () => {
  const { reviewed, record, clock, payments } = await withHeldPayment({
    subscription: { contract_name: 'Tea club', interval: 'day' },
  });
  await reviewed('0');
  clock.advance(3 * 86_400_000);
  expect(payments.list()).toHaveLength(1);
  expect(await record()).toMatchObject({ subscription_result: { recurring_status: '0' } });
});

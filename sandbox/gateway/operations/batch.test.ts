import { expect, test } from 'vitest';
import { operations } from '../../../shared/gateway/operations.ts';
import { startGateway } from '../testing.ts';

test.each(['refund', 'review', 'capture', 'cancel'] as const)(
  'a %s at the limit has all results; over it is refused',
  async (name) => {
    const { pay, ask, payments } = await startGateway();
    const { transaction_id, currency, amount } = await pay();
    const { list } = operations[name].batch;
    const limit = Object.values<number>(operations[name].lists)[0] ?? 0;
    const extra = { refund: { refund_amount: '1.00' }, review: { review_flag: '1' }, capture: {}, cancel: {} };
    const batchOf = (length: number) => ({
      [list]: Array.from({ length }, (_, at) => ({
        transaction_id: at === length - 1 ? transaction_id : String(at),
        currency,
        amount,
        ...extra[name],
      })),
    });
    const before = structuredClone(payments.list());
    expect(await ask(name, batchOf(limit + 1))).toEqual({
      merchant_id: '100001',
      account_id: '200001',
      return_status: '0',
      return_message: `At most ${limit} orders in one request`,
      encryption_data: expect.any(String),
      [list]: [],
    });
    expect(payments.list()).toEqual(before);
    const answer = await ask(name, batchOf(limit));
    expect(answer).toMatchObject({ return_status: '1', return_message: 'OK' });
    const status = operations[name].batch.status;
    const codes = JSON.stringify(answer[list]).match(new RegExp(`"${status}":"."`, 'g'));
    expect(codes).toEqual([...Array(limit - 1).fill(`"${status}":"0"`), `"${status}":"1"`]);
  },
);

test('a batch without items is invalid input', async () => {
  const { send } = await startGateway();
  expect((await send('capture', { capture_orders: [] })).status).toBe(400);
});

import { expect, it } from 'vitest';
import { answerEncodings, answerStyle, declarations } from '../../../sandbox/gateway/faults/answer-style.ts';
import { apiKey, card } from '../../support/relays/relay.ts';
import { startStack } from '../../support/relays/stack.ts';

const styles = answerEncodings.flatMap((encoding) => declarations.map((declared) => ({ encoding, declared })));

it('reads answers in every encoding of the sandbox', async () => {
  const { gateway, relay } = await startStack();
  for (const [at, style] of styles.entries()) {
    gateway.styles.current = answerStyle.parse(style);
    const order_no = `Café-茶-${at}`;
    const { id, secret } = await relay.session({ order: { order_no } });
    expect((await relay.pay(secret, card)).body, JSON.stringify(style)).toMatchObject({ status: 'approved', order_no });
    const { transaction_id } = await relay.truth(id);
    const found = await relay.post('/v1/query', apiKey, { orders: [order_no] });
    expect(found.body, JSON.stringify(style)).toMatchObject({ orders_list: [{ order_no, transaction_id }] });
    const refund_orders = [{ transaction_id, order_no, currency: 'BRL', amount: '129.90', refund_amount: '1.00' }];
    const refunded = await relay.post('/v1/refund', apiKey, { refund_orders });
    expect(refunded.body, JSON.stringify(style)).toMatchObject({ refund_orders: [{ order_no, refund_status: '1' }] });
  }
});

it('returns 5000 payments of a period from the sandbox', async () => {
  const { gateway, relay } = await startStack({ timeoutMs: 60_000 });
  gateway.styles.current = answerStyle.parse({ period_records: 5000, encoding: 'GBK', number_codes: true });
  const period = { query_start: '2026-01-01 00:00:00', query_end: '2026-12-31 00:00:00' };
  const { status, body } = await relay.post('/v1/query', apiKey, period);
  expect(status).toBe(200);
  expect(body).toMatchObject({ return_status: '1' });
  expect(body.orders_list).toHaveLength(5000);
  expect(body.orders_list).toContainEqual(
    expect.objectContaining({
      order_no: 'PERIOD-5000',
      payment_status: '3000',
      delivery_information: expect.objectContaining({ delivery_city: 'São Paulo' }),
    }),
  );
});

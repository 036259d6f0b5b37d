import { describe, expect, it } from 'vitest';
import { identity } from '../../support/gateways/operation-cases.ts';
import { approving, scriptedGateway, sendSigned } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';

async function setUp() {
  const gateway = await scriptedGateway(approving);
  const relay = await startTestRelay({ gatewayUrl: gateway.url });
  const pay = async (change: object) => {
    const session = await relay.session({ order: change });
    expect((await relay.pay(session.secret, card)).body).toMatchObject({ status: 'approved' });
    return gateway.authorised().at(-1)?.message;
  };
  return { gateway, relay, pay };
}

describe('amounts of an order', () => {
  it.each([
    ['KWD', '10.5', '10.500'],
    ['KWD', '10.1250', '10.125'],
    ['JPY', '1000', '1000.00'],
    ['BRL', '129.900', '129.90'],
  ])('go out with the decimals of %s: %s', async (currency, amount, sent) => {
    const { pay } = await setUp();
    const items = [{ name: 'Tea', code: 'T', price: amount, quantity: 1 }];
    const subscription = { contract_amount: amount };
    expect(await pay({ currency, amount, shipping: amount, items, subscription })).toMatchObject({
      ...{ currency, amount: sent, shipping: sent },
      items: `Tea#,#T#,#${sent}#,#1`,
      subscription: { contract_amount: sent },
    });
  });

  it('are refused where they have more decimals than their currency', async () => {
    const { relay } = await setUp();
    const change = {
      currency: 'KWD',
      amount: '10.1255',
      items: [{ name: 'Tea', code: 'T', price: '0.0001', quantity: 1 }],
    };
    const errors = ['amount', 'items.0.price'].map((path) => ({
      path,
      message: 'has more than the 3 decimals of KWD',
    }));
    expect(await relay.post('/v1/payments', apiKey, { ...order(), ...card, ...change })).toMatchObject({
      status: 400,
      body: { errors },
    });
    expect(await relay.post('/v1/sessions', apiKey, { order: { ...order(), amount: '1.234' } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'order.amount', message: 'has more than the 2 decimals of BRL' }] },
    });
    const plans = { installment_options: [{ installments: '2', each: '64.955', total: '129.90' }] };
    const wrong = [{ path: 'installment_options.0.each', message: 'has more decimals than BRL' }];
    expect(await relay.post('/v1/sessions', apiKey, { order: order(), ...plans })).toMatchObject({
      status: 400,
      body: { errors: wrong },
    });
    const { id } = await relay.session();
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ order: {}, ...plans });
    expect(await relay.send(`/v1/sessions/${id}`, { method: 'PATCH', headers, body })).toMatchObject({
      status: 400,
      body: { errors: wrong },
    });
    const item = { transaction_id: 'T1', order_no: 'A', currency: 'JPY', amount: '1000', refund_amount: '0.5' };
    expect(await relay.post('/v1/refund', apiKey, { refund_orders: [item] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'refund_orders.0.refund_amount', message: 'has more than the 0 decimals of JPY' }] },
    });
  });

  it('may be nothing for a free trial and a card check alone', async () => {
    const { relay, pay } = await setUp();
    for (const more of [{ subscription: { contract_amount: '10' } }, { token_flag: '1' }]) {
      expect(await pay({ amount: '0.00', ...more })).toMatchObject({ amount: '0.00' });
      const body = { ...order(), ...card, amount: '0', ...more };
      expect((await relay.post('/v1/payments', apiKey, body)).body).toMatchObject({ status: 'approved' });
    }
    for (const more of [
      {},
      { token_flag: '' },
      { token_flag: '0' },
      { subscription: {} },
      { subscription: { contract: '' } },
    ]) {
      const refused = { status: 400, body: { errors: [{ path: 'order.amount' }] } };
      const body = { order: { ...order(), amount: '0.00', ...more } };
      expect(await relay.post('/v1/sessions', apiKey, body)).toMatchObject(refused);
    }
  });

  it('must be more than nothing for an alternative method', async () => {
    const { relay } = await setUp();
    const refused = { status: 400, body: { errors: [{ path: 'order.amount' }] } };
    const free = { amount: '0.00', subscription: { contract_amount: '10' } };
    const payment_methods = [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'PIX' }];
    const body = { order: { ...order(), ...free }, payment_methods };
    expect(await relay.post('/v1/sessions', apiKey, body)).toMatchObject(refused);
    const { id } = await relay.session({ payment_methods });
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const change = { method: 'PATCH', headers, body: JSON.stringify({ order: free }) };
    expect(await relay.send(`/v1/sessions/${id}`, change)).toMatchObject(refused);
  });

  it('may be zero for a cancellation, which ends a card check', async () => {
    const item = { transaction_id: 'T1', order_no: 'A', currency: 'BRL', amount: '0.00' };
    const gateway = await scriptedGateway((_received, res) => {
      const answer = {
        ...identity,
        return_status: '1',
        return_message: 'OK',
        cancel_orders: [{ ...item, cancel_status: '1', error_message: '' }],
      };
      sendSigned(res, answer);
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    expect(await relay.post('/v1/cancel', apiKey, { cancel_orders: [item] })).toMatchObject({ status: 200 });
    expect(gateway.received[0]?.message.cancel_orders).toEqual([item]);
    const refused = { status: 400, body: { errors: [{ path: 'capture_orders.0.amount' }] } };
    expect(await relay.post('/v1/capture', apiKey, { capture_orders: [item] })).toMatchObject(refused);
  });
});

import { describe, expect, it } from 'vitest';
import { identity } from '../../support/gateways/operation-cases.ts';
import { approving, scriptedGateway, sendSigned } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, order, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';

async function setUp(account: Record<string, unknown> = {}) {
  const gateway = await scriptedGateway(approving);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, account });
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
  ])('are sent with the decimals of %s: %s', async (currency, amount, sent) => {
    const { pay } = await setUp();
    const items = [{ name: 'Tea', code: 'T', price: amount, quantity: 1 }];
    const subscription = { contract_amount: amount };
    expect(await pay({ currency, amount, shipping: amount, items, subscription })).toMatchObject({
      ...{ currency, amount: sent, shipping: sent },
      items: `Tea#,#T#,#${sent}#,#1`,
      subscription: { contract_amount: sent },
    });
  });

  it('are refused with more decimals than their currency has', async () => {
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
    const wrong = [{ path: 'installment_options.0.each', message: 'has more than the 2 decimals of BRL' }];
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

  it('may be zero only for free trials and card checks', async () => {
    const { relay, pay } = await setUp();
    for (const more of [{ subscription: { contract_amount: '10.00' } }, { token_flag: '1' }]) {
      expect(await pay({ amount: '0.00', ...more })).toMatchObject({ amount: '0.00' });
      const body = { ...order(), ...card, amount: '0.00', ...more };
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

  it('must be positive for an alternative method', async () => {
    const { relay } = await setUp();
    const refused = { status: 400, body: { errors: [{ path: 'order.amount' }] } };
    const free = { amount: '0.00', subscription: { contract_amount: '10.00' } };
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

describe('an amount without a decimal point', () => {
  const plain = { amount: '1000', items: [{ name: 'Tea', code: 'T', price: '10', quantity: 1 }], shipping: '0' };
  const message = (amount: string): string => `must have a decimal point: write ${amount}.00 for ${amount} BRL`;

  it('is refused in every field, with the correct form', async () => {
    const { gateway, relay } = await setUp();
    const refused = async (path: string, body: object, errors: object) =>
      expect(await relay.post(path, apiKey, body)).toMatchObject({ status: 400, body: { errors } });
    const inOrder = (under: string) => [
      { path: `${under}amount`, message: message('1000') },
      { path: `${under}shipping`, message: message('0') },
      { path: `${under}items.0.price`, message: message('10') },
    ];
    await refused('/v1/sessions', { order: { ...order(), ...plain } }, inOrder('order.'));
    await refused('/v1/payments', { ...order(), ...card, ...plain }, inOrder(''));
    const contract = { ...order(), subscription: { contract_amount: '10' } };
    await refused('/v1/sessions', { order: contract }, [{ path: 'order.subscription.contract_amount' }]);
    const plans = { installment_options: [{ installments: '2', each: '65', total: '130.00' }] };
    const each = [{ path: 'installment_options.0.each', message: message('65') }];
    await refused('/v1/sessions', { order: order(), ...plans }, each);
    const { id, secret, orderNo } = await relay.session();
    const change = async (body: object) => (await relay.patch(`/v1/sessions/${id}`, apiKey, body)).body;
    expect(await change({ order: plain })).toMatchObject({ errors: inOrder('order.') });
    expect(await change({ order: {}, ...plans })).toMatchObject({ errors: each });
    const item = { transaction_id: 'T1', order_no: 'A', currency: 'BRL', amount: '10' };
    for (const name of ['capture', 'cancel', 'review']) {
      const list = [{ ...item, ...(name === 'review' ? { review_flag: 'ACCEPT' } : {}) }];
      const errors = [{ path: `${name}_orders.0.amount`, message: message('10') }];
      await refused(`/v1/${name}`, { [`${name}_orders`]: list }, errors);
    }
    await refused('/v1/refund', { refund_orders: [{ ...item, refund_amount: '5' }] }, [
      { path: 'refund_orders.0.amount' },
      { path: 'refund_orders.0.refund_amount', message: message('5') },
    ]);
    const verdict = { outcome: 'approved', transaction_id: 'T1', amount: '10', note: 'seen' };
    await refused(`/v1/sessions/${id}/settle`, verdict, [{ path: 'amount', message: message('10') }]);
    expect(gateway.received).toEqual([]);
    await relay.pay(secret, card);
    const refund = { amount: '10', reason: 'Broken' };
    await refused(`/v1/orders/${orderNo}/refund`, refund, [{ path: 'amount', message: message('10') }]);
  });

  it('is accepted in a currency without decimals, and in a payout', async () => {
    const { relay } = await setUp();
    const inYen = await relay.post('/v1/sessions', apiKey, { order: { ...order(), ...plain, currency: 'JPY' } });
    expect(inYen.status, inYen.text).toBe(201);
    const payout = { request_id: crypto.randomUUID(), beneficiary_id: 'b' };
    const sent = await relay.post('/v1/payout', apiKey, { ...payout, source_amount: '10', source_currency: 'BRL' });
    expect(sent.body.errors, sent.text).toBeUndefined();
  });

  it('is accepted if the account is lenient', async () => {
    const { relay, pay } = await setUp({ amounts: 'lenient' });
    const installment_options = [{ installments: '2', each: '500', total: '1000' }];
    expect(await pay(plain)).toMatchObject({ amount: '1000.00', shipping: '0.00', items: 'Tea#,#T#,#10.00#,#1' });
    const { id } = await relay.session({ installment_options });
    const changed = await relay.patch(`/v1/sessions/${id}`, apiKey, { order: { amount: '20' } });
    expect(changed.body).toMatchObject({ amount: '20.00', revision: 2 });
    const paid = await relay.post('/v1/payments', apiKey, { ...order(), ...card, amount: '30' });
    const { order_no } = paid.body;
    const refund = await relay.post(`/v1/orders/${order_no}/refund`, apiKey, { amount: '10', reason: 'Broken' });
    expect(refund.body.code, refund.text).not.toBe('invalid_request');
  });

  it('is accepted as the price in the gateway’s item format', async () => {
    const { gateway, relay } = await setUp();
    await relay.post('/v1/payments', apiKey, { ...order(), ...card, items: 'Tea#,#T#,#10#,#1' });
    expect(gateway.authorised()[0]?.message).toMatchObject({ items: 'Tea#,#T#,#10.00#,#1' });
  });
});

describe('the currency of an order', () => {
  const asked = async (relay: TestRelay, currency: string) => {
    const sum = { currency, amount: '129.00' };
    const created = await relay.post('/v1/sessions', apiKey, { order: { ...order(), ...sum } });
    const paid = await relay.post('/v1/payments', apiKey, { ...order(), ...card, ...sum });
    const { id } = await relay.session({ order: { currency: 'USD' } });
    const changed = await relay.patch(`/v1/sessions/${id}`, apiKey, { order: sum });
    return [created, paid, changed];
  };

  it('is a currently used code of ISO 4217', async () => {
    const { gateway, relay } = await setUp();
    for (const currency of ['ABC', 'XXX', 'XTS', 'HRK', 'BGN', 'BTC']) {
      const message = `must be a currency of ISO 4217 that is in use, which ${currency} is not`;
      const errors = ['order.currency', 'currency', 'order.currency'].map((path) => [{ path, message }]);
      expect((await asked(relay, currency)).map(({ body }) => body.errors)).toEqual(errors);
    }
    expect(gateway.received).toEqual([]);
    for (const currency of ['BRL', 'CLF', 'XAF', 'XCG', 'ZWG']) {
      expect((await asked(relay, currency)).map(({ status }) => status)).toEqual([201, 200, 200]);
    }
  });

  it('is in the account’s list, if it has one', async () => {
    const { relay } = await setUp({ currencies: ['BTC', 'USD'] });
    expect((await asked(relay, 'BTC')).map(({ status }) => status)).toEqual([201, 200, 200]);
    const [created] = await asked(relay, 'BRL');
    const errors = [{ path: 'order.currency', message: 'must be one of BTC, USD, which BRL is not' }];
    expect(created).toMatchObject({ status: 400, body: { errors } });
  });
});

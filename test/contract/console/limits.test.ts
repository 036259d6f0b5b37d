import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { auditList } from '../../../shared/api/audit.ts';
import { person, startMoney } from '../../support/operators/approvals.ts';
import { signIn } from '../../support/operators/console.ts';
import { apiKey } from '../../support/relays/relay.ts';

const limits = { refund: { BRL: '500.00' }, capture: { BRL: '500' }, cancel: { BRL: '999.99' }, payout: { USD: '10' } };

async function setUp() {
  const money = await startMoney({
    console: { people: [person('Ada', { limits }), person('Bob')] },
  });
  const ada = await signIn(money.relay);
  const at = (path: string) => `/console/api/demo/v1/${path}`;
  return { ...money, ada, post: (path: string, body: object) => ada.post(at(path), body), at };
}

const above = (detail: RegExp) => ({
  status: 403,
  body: { code: 'above_limit', detail: expect.stringMatching(detail) },
});

const payout = (more: object) => ({ beneficiary_id: 'b', request_id: randomUUID(), ...more });

describe('a person’s limits', () => {
  it('are sent to the page', async () => {
    const { ada } = await setUp();
    expect(ada.me.limits).toEqual({ ...limits, capture: { BRL: '500.00' }, payout: { USD: '10.00' } });
  });

  it('apply to each way to refund', async () => {
    const { post, pay, sent } = await setUp();
    const item = await pay();
    const says = above(/^Your limit for a refund in BRL is 500\.00, and this is /);
    const ways: [path: string, body: object][] = [
      ['refund', { refund_orders: [{ ...item, refund_amount: '500.01' }] }],
      ['refund', { refund_orders: [{ transaction_id: item.transaction_id }] }],
      [`orders/${item.order_no}/refund`, { amount: '500.01', reason: 'r' }],
      [`orders/${item.order_no}/refund`, { reason: 'r' }],
    ];
    for (const [path, body] of ways) expect(await post(path, body), path).toMatchObject(says);
    expect(sent('refund')).toEqual([]);
    expect(await post(`orders/${item.order_no}/refund`, { amount: '500', reason: 'r' })).toMatchObject({ status: 400 });
    expect(await post(`orders/${item.order_no}/refund`, { amount: '500.00', reason: 'r' })).toMatchObject({
      status: 200,
    });
  });

  it('apply to the sum of a batch', async () => {
    const { post, pay, sent } = await setUp();
    const items = [await pay(), await pay()];
    const parts = (...amounts: string[]) => ({
      refund_orders: amounts.map((refund_amount, at) => ({ ...items[at % 2], refund_amount })),
    });
    expect(await post('refund', parts('250.00', '250.01'))).toMatchObject(above(/this is 500\.01\. Nothing was sent/));
    expect(await post('refund', parts('200.00', '200.00', '200.00'))).toMatchObject(above(/this is 600\.00/));
    expect(await post('capture', { capture_orders: items.map((one) => ({ ...one, amount: '400.00' })) })).toMatchObject(
      above(/limit for a capture in BRL is 500\.00, and this is 800\.00/),
    );
    expect([...sent('refund'), ...sent('capture')]).toEqual([]);
    expect(await post('refund', parts('250.00', '250.00'))).toMatchObject({ status: 200 });
  });

  it('do not apply to currencies that they do not name', async () => {
    const { post, pay, sent } = await setUp();
    const item = await pay({ currency: 'EUR' });
    expect(await post('refund', { refund_orders: [{ ...item, refund_amount: '1.00' }] })).toMatchObject(
      above(/^Your limits allow no refund in EUR, only in BRL\./),
    );
    expect(sent('refund')).toEqual([]);
  });

  it('count a cancellation by its payment’s amount', async () => {
    const { post, pay, sent } = await setUp();
    const item = await pay();
    expect(await post(`orders/${item.order_no}/cancel`, {})).toMatchObject(above(/this is 1000\.00/));
    const said = { cancel_orders: [{ ...item, amount: '1.00' }] };
    expect(await post('cancel', said)).toMatchObject(above(/this is 1000\.00/));
    const unknown = { cancel_orders: [{ ...item, transaction_id: 'TX-0', amount: '1.00' }] };
    expect(await post('cancel', unknown)).toMatchObject(above(/does not know the amount/));
    expect(sent('cancel')).toEqual([]);
  });

  it('count both amounts of a payout', async () => {
    const { post, sent } = await setUp();
    const dollars = { payment_amount: '10', payment_currency: 'USD' };
    for (const more of [
      { payment_amount: '10.01', payment_currency: 'USD' },
      { ...dollars, source_amount: '11', source_currency: 'USD' },
      { ...dollars, source_amount: '1', source_currency: 'BRL' },
    ]) {
      expect(await post('payout', payout(more))).toMatchObject(above(/limit/));
    }
    expect(sent('payout')).toEqual([]);
    expect(await post('payout', payout(dollars))).toMatchObject({ status: 200 });
  });

  it('are in the audit log when they refuse', async () => {
    const { ada, post, pay, at } = await setUp();
    const { order_no } = await pay();
    await post(`orders/${order_no}/refund`, { reason: 'r' });
    await expect
      .poll(async () => auditList.parse((await ada.get(at('audit'))).body).entries[0])
      .toMatchObject({ by: 'person:Ada', action: 'refund', problem: 'above_limit', orders: [order_no] });
  });
});

it('limits no other person and no API key', async () => {
  const { relay, pay, at, sent } = await setUp();
  const [first, second] = [await pay(), await pay()];
  const bob = await signIn(relay, 'Bob');
  expect(await bob.post(at(`orders/${first.order_no}/refund`), { reason: 'r' })).toMatchObject({ status: 200 });
  expect(await relay.post(`/v1/orders/${second.order_no}/refund`, apiKey, { reason: 'r' })).toMatchObject({
    status: 200,
  });
  expect(sent('refund')).toHaveLength(2);
});

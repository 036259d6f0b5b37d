import { expect, test } from 'vitest';
import { MAX_MOVE_MS } from '../base/clock.ts';
import { cardPayment, startGateway } from '../testing.ts';

const at = '2026-11-21T10:20:30.000Z';
const withClock = () => startGateway({ now: () => new Date(at) });

test('the clock advances by a duration or to a later time', async () => {
  const { admin, pay, query } = await withClock();
  expect(await admin('GET', 'clock')).toEqual({ status: 200, body: { now: at } });
  const day = { now: '2026-11-22T10:20:30.000Z' };
  expect(await admin('POST', 'clock', { advance_ms: 86_400_000 })).toEqual({ status: 200, body: day });
  const later = { now: '2027-01-01T00:00:00.000Z' };
  expect(await admin('POST', 'clock', { now: '2027-01-01T01:00:00+01:00' })).toEqual({ status: 200, body: later });
  expect(await admin('GET', 'clock')).toEqual({ status: 200, body: later });
  await pay();
  expect(await query({ orders: 'A-1' })).toMatchObject({ orders_list: [{ transaction_date: '20270101000000' }] });
});

test.each([
  {},
  { advance_ms: -1 },
  { advance_ms: 'soon' },
  { advance_ms: MAX_MOVE_MS + 1 },
  { now: '2020-01-01T00:00:00Z' },
  { now: '9999-01-01T00:00:00Z' },
  { now: 'tomorrow' },
  { advance_ms: 1, now: at },
])('the clock does not move for %j', async (body) => {
  const { admin } = await withClock();
  expect(await admin('POST', 'clock', body)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  expect(await admin('GET', 'clock')).toEqual({ status: 200, body: { now: at } });
});

test('a query from an unregistered address gets nothing; other operations work', async () => {
  const { admin, pay, ask } = await withClock();
  const item = await pay();
  expect(await ask('query', { orders: 'A-1' })).toMatchObject({ return_status: '1' });
  expect(await admin('PUT', 'addresses', { addresses: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32'] })).toEqual({
    status: 200,
    body: { addresses: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32'] },
  });
  expect(await ask('query', { orders: 'A-1' })).toMatchObject({
    return_status: '0',
    return_message: 'IP address not registered',
    orders_list: [],
  });
  expect(await ask('capture', { capture_orders: [item] })).toMatchObject({ capture_orders: [{ capture_status: '1' }] });
  expect(await ask('refund_search', { refund_orders: 'A-1' })).toMatchObject({ return_status: '1' });
  await admin('PUT', 'addresses', { addresses: ['127.0.0.1'] });
  expect(await ask('query', { orders: 'A-1' })).toMatchObject({ return_status: '1' });
});

test('addresses that cannot be read leave the list as it was', async () => {
  const { admin } = await withClock();
  const before = await admin('GET', 'addresses');
  for (const addresses of [['example.com'], ['10.0.0.0/33'], ['10.0.0.0/8/8'], [''], 'all', [1]]) {
    expect(await admin('PUT', 'addresses', { addresses })).toMatchObject({ status: 400 });
  }
  expect(await admin('GET', 'addresses')).toEqual(before);
});

test('the books show payments, refunds, contracts and payouts, and no card', async () => {
  const { admin, pay, ask, authorise } = await withClock();
  const item = await pay();
  await ask('refund', { refund_orders: [{ ...item, refund_amount: '29.90' }] });
  await authorise(cardPayment({ order_no: 'S-1', subscription: { contract_name: 'Tea club', interval: 'month' } }));
  const request_id = '7b0c2d1e-0f7a-4c58-9d3e-5a1f6b2c3d4e';
  const payout = { request_id, payment_amount: '5', payment_currency: 'BRL', beneficiary_id: 'B-1' };
  await ask('payout', payout);
  const { body } = await admin('GET', 'books');
  expect(body).toMatchObject({
    payments: [
      { ...item, status: 'approved', captured: '129.90', left_to_refund: '100.00' },
      { order_no: 'S-1', captured: '', left_to_refund: '129.90', cycle: 1 },
    ],
    refunds: [{ refund_amount: '29.90', refund_reference_id: `${item.transaction_id}-01` }],
    contracts: [
      {
        contract_name: 'Tea club',
        status: 'active',
        interval: { unit: 'month', count: 1 },
        period: { number: 1, from: at, to: '2026-12-21T10:20:30.000Z', status: 'open' },
      },
    ],
    payouts: [{ request_id, payment_amount: '5', status: 'COMPLETED' }],
  });
  expect(JSON.stringify(body)).not.toMatch(/4111111111111111|security_code/);
});

test('another site open in the same browser changes nothing', async () => {
  const { url, admin } = await withClock();
  const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'cross-site' };
  const response = await fetch(`${url}/admin/clock`, { method: 'POST', headers, body: '{"advance_ms":1000}' });
  expect(response.status).toBe(403);
  expect(await admin('GET', 'clock')).toEqual({ status: 200, body: { now: at } });
});

test('a body that is no JSON is refused', async () => {
  const { url } = await withClock();
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/admin/clock`, { method: 'POST', headers, body: '{' });
  expect(response.status).toBe(400);
});

test('armed faults are listed with what is left of them, and cleared', async () => {
  const { admin, authorise } = await startGateway();
  await admin('POST', 'faults', { fault: 'server_error', times: 2 });
  await authorise(cardPayment());
  expect((await admin('GET', 'faults')).body).toEqual({
    faults: [{ operation: '*', fault: 'server_error', times: 1 }],
  });
  expect((await admin('DELETE', 'faults')).body).toEqual({ faults: [] });
  expect((await authorise(cardPayment({ order_no: 'A-2' }))).status).toBe(200);
});

test('a fault for refunds waits while others pay', async () => {
  const { admin, authorise, armed } = await startGateway();
  await admin('POST', 'faults', { operation: 'refund', fault: 'server_error' });
  await admin('POST', 'faults', { fault: 'refund_pending' });
  expect((await authorise(cardPayment())).status).toBe(200);
  expect(armed.list()).toHaveLength(2);
});

test.each([
  [{ fault: 'nevr' }],
  [{ fault: 'never', operation: 'payment' }],
  [{ fault: 'never', times: 0 }],
  [{ fault: 'refund_pending', operation: 'query' }],
  [{ fault: 'notification_lost', operation: 'review' }],
  [{ fault: 'wrong_amount', operation: 'subscription_cancel' }],
  [{ fault: 'never', more: 1 }],
  [[]],
])('%j arms nothing', async (body) => {
  const { admin, armed } = await startGateway();
  expect((await admin('POST', 'faults', body)).status).toBe(400);
  expect(armed.list()).toEqual([]);
});

test('a refusal repeats no name that could be anything', async () => {
  const { admin } = await startGateway();
  const { body } = await admin('POST', 'faults', { fault: 'never', 'cvv 97531': 1 });
  expect(body).toEqual({ error: 'no such field: (a name that is no field)' });
});

test('the shape of notifications can be read and set', async () => {
  const { admin } = await startGateway();
  expect((await admin('GET', 'notifications')).body).toEqual({ shape: 'json' });
  expect((await admin('PUT', 'notifications', { shape: 'xml' })).body).toEqual({ shape: 'xml' });
  expect((await admin('PUT', 'notifications', { shape: 'csv' })).status).toBe(400);
  expect((await admin('GET', 'notifications')).body).toEqual({ shape: 'xml' });
});

test('a body that is no JSON is refused in words', async () => {
  const { url } = await startGateway();
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/admin/faults`, { method: 'POST', headers, body: '{' });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: 'the body cannot be read' });
});

test('another site in the same browser can arm nothing', async () => {
  const { url, armed } = await startGateway();
  const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'cross-site' };
  const response = await fetch(`${url}/admin/faults`, { method: 'POST', headers, body: '{"fault":"never"}' });
  expect(response.status).toBe(403);
  expect(armed.list()).toEqual([]);
});

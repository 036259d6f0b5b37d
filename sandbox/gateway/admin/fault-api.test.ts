import { expect, test } from 'vitest';
import { cardPayment, startGateway } from '../testing.ts';

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

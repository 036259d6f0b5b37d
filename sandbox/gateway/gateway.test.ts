import { expect, test } from 'vitest';
import { sign } from '../../shared/gateway/signature.ts';
import { demoMerchant } from '../demo.ts';
import { cardPayment, elements, signed, startGateway } from './testing.ts';

test('a message without a signature is refused', async () => {
  const { post, payments } = await startGateway();
  const response = await post('/v1/authorise', JSON.stringify(cardPayment()));
  expect(response.status).toBe(400);
  expect(await response.text()).toBe('Invalid input: encryption_data is missing');
  expect(payments.list()).toEqual([]);
});

test('a message whose amount changed after signing is refused', async () => {
  const { post, payments } = await startGateway();
  const response = await post('/v1/authorise', JSON.stringify({ ...signed(cardPayment()), amount: '1.00' }));
  expect(response.status).toBe(400);
  expect(await response.text()).toBe('Invalid input: encryption_data is wrong');
  expect(payments.list()).toEqual([]);
});

test('a message signed with another secret is refused', async () => {
  const { post } = await startGateway();
  const message = { ...cardPayment(), encryption_data: sign(cardPayment(), 'another secret') };
  expect((await post('/v1/authorise', JSON.stringify(message))).status).toBe(400);
});

test('a field that the operation does not have is refused, and named', async () => {
  const { authorise } = await startGateway();
  const response = await authorise(cardPayment({ return_url: 'http://127.0.0.1/' }));
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('return_url');
});

test('an amount that is not a decimal string is refused by name', async () => {
  const { authorise } = await startGateway();
  const response = await authorise(cardPayment({ amount: '129,90' }));
  expect(response.status).toBe(400);
  expect(await response.text()).toBe('Invalid input: amount: must be a decimal string with two decimals');
});

test('a text that XML cannot carry is refused rather than echoed', async () => {
  const { authorise } = await startGateway();
  expect((await authorise(cardPayment({ order_no: 'A\uFFFF' }))).status).toBe(400);
});

test('an account that the gateway does not know is not found', async () => {
  const { authorise } = await startGateway();
  const response = await authorise(cardPayment({ account_id: '999999' }));
  expect(response.status).toBe(404);
  expect(await response.text()).toMatch(/^Record not found/);
});

test.each(['', 'not json', '[]', 'null', '"text"'])('the body %j is invalid input', async (body) => {
  const { post, messages } = await startGateway();
  const response = await post('/v1/authorise', body);
  expect(response.status).toBe(400);
  expect(await response.text()).toMatch(/^Invalid input/);
  expect(messages.list()[0]?.answer).toMatchObject({ state: 'sent', status: 400 });
});

test('a body of more than 8 MiB is invalid input', async () => {
  const { post } = await startGateway();
  const response = await post('/v1/authorise', JSON.stringify({ note: 'n'.repeat(8 * 1024 * 1024) }));
  expect(response.status).toBe(400);
  expect(await response.text()).toBe('Invalid input: the body is over 8388608 bytes');
});

test('a form with one parameter twice is invalid input', async () => {
  const { post } = await startGateway();
  const response = await post('/v1/retrievalTrans', 'orders=A-1&orders=A-2');
  expect(await response.text()).toBe('Invalid input: a parameter is given twice');
});

test('JSON is accepted under any content type, as in the spec’s samples', async () => {
  const { post } = await startGateway();
  const body = JSON.stringify(signed(cardPayment()));
  const response = await post('/v1/authorise', body, 'application/x-www-form-urlencoded');
  expect(await elements(response)).toMatchObject({ order_status: '1' });
});

test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])(
  '%s at an operation is not allowed, and says what is',
  async (method) => {
    const { url, messages } = await startGateway();
    const response = await fetch(`${url}/v1/authorise`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(messages.list()).toEqual([]);
  },
);

test.each([
  ['GET', '/issuer/%ff'],
  ['POST', '/issuer/%ff'],
  ['GET', '/%ff'],
  ['POST', '/admin/contracts/%E0%A4%A/periods/cancel'],
  ['POST', '/v1/none'],
])('%s %s is answered as no address', async (method, path) => {
  const { url } = await startGateway();
  const response = await fetch(`${url}${path}`, { method });
  expect([400, 404]).toContain(response.status);
  expect(response.headers.get('content-type')).toContain('text/plain');
  expect(await response.text()).toMatch(/^[\w ]+\.$/);
});

test('the merchant whose account it is signs the answer', async () => {
  const other = { merchant_id: '7', account_id: '8', signing_secret: 'other' };
  const { post } = await startGateway({ merchants: [demoMerchant, other] });
  const payment = cardPayment({ merchant_id: '7', account_id: '8' });
  const body = JSON.stringify({ ...payment, encryption_data: sign(payment, 'other') });
  const answer = await elements(await post('/v1/authorise', body));
  expect(answer.encryption_data).toBe(sign(answer, 'other'));
});

import { expect, test } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { demoMerchant } from '../../demo.ts';
import { elements, pixPayment, startGateway } from '../testing.ts';

type Running = Awaited<ReturnType<typeof startGateway>>;

async function openIssuer(gateway: Running, fields: Record<string, string> = {}) {
  const { issuer_url = '' } = await elements(await gateway.authorise(pixPayment(fields)));
  const page = await fetch(issuer_url);
  const choose = (choice: string) =>
    fetch(page.url, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' });
  return { issuer_url, page, choose };
}

test('the answer carries an issuer_url at the gateway, and is signed', async () => {
  const { authorise, url } = await startGateway();
  const answer = await elements(await authorise(pixPayment()));
  expect(answer).toEqual({
    merchant_id: '100001',
    account_id: '200001',
    order_no: 'P-1',
    amount: '129.90',
    currency: 'BRL',
    issuer_url: expect.stringMatching(new RegExp(`^${url}/issuer/start/[0-9a-f]{32}$`)),
    encryption_data: sign(answer, demoMerchant.signing_secret),
  });
});

test('issuer_url redirects to the page where the shopper decides', async () => {
  const gateway = await startGateway();
  const { issuer_url, page } = await openIssuer(gateway);
  expect((await fetch(issuer_url, { redirect: 'manual' })).status).toBe(302);
  const body = await page.text();
  expect(body).toContain('R$129.90');
  expect(body).toContain('P-1');
  expect(body).toMatch(/value="approve"[\s\S]+value="refuse"/);
});

test.each([
  ['approve', '3000', ''],
  ['refuse', '4100', 'Refused by the shopper'],
])('%s sends the shopper back and shows in the query as %s', async (choice, payment_status, decline_reason) => {
  const gateway = await startGateway();
  const { choose } = await openIssuer(gateway);
  expect((await gateway.query({ orders: 'P-1' })).orders_list).toEqual([]);
  const response = await choose(choice);
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe('http://127.0.0.1:9/return');
  expect((await gateway.query({ orders: 'P-1' })).orders_list).toMatchObject([{ payment_status, decline_reason }]);
});

test('the first choice stands, and a later one returns to the shop', async () => {
  const gateway = await startGateway();
  const { page, choose } = await openIssuer(gateway);
  await choose('approve');
  expect((await choose('refuse')).headers.get('location')).toBe('http://127.0.0.1:9/return');
  expect((await gateway.query({ orders: 'P-1' })).orders_list).toMatchObject([{ payment_status: '3000' }]);
  expect(await (await fetch(page.url)).text()).toContain('You approved this payment');
});

test('a choice that the page does not offer decides nothing', async () => {
  const gateway = await startGateway();
  const { choose } = await openIssuer(gateway);
  expect((await choose('steal')).status).toBe(400);
  expect((await gateway.query({ orders: 'P-1' })).orders_list).toEqual([]);
});

test('what the order says cannot become part of the page', async () => {
  const gateway = await startGateway();
  const { page } = await openIssuer(gateway, { order_no: '<script>alert(1)</script>', payment_method: '"><b>' });
  const body = await page.text();
  expect(body).not.toContain('<script>');
  expect(body).not.toContain('"><b>');
  expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('an address that no payment has is not found', async () => {
  const { url } = await startGateway();
  const response = await fetch(`${url}/issuer/${'0'.repeat(32)}`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('No such payment');
});

test.each(['thanks', 'javascript:alert(1)', 'data:text/html,x', 'JavaScript:alert(1)', 'demoapp://paid'])(
  'the return_url %s is no http or https address, and invalid input',
  async (return_url) => {
    const { authorise, payments } = await startGateway();
    const response = await authorise(pixPayment({ return_url }));
    expect(response.status).toBe(400);
    expect(await response.text()).toBe('Invalid input: return_url: must be an http or https address');
    expect(payments.list()).toEqual([]);
  },
);

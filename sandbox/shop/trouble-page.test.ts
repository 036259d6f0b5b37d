import { expect, test } from 'vitest';
import { session, startShop } from './testing.ts';

test('a relay that does not run is reported with what to do', async () => {
  const { open, relay } = await startShop({ body: session });
  await relay.close();
  const response = await open('/');
  expect(response.status).toBe(502);
  expect(await response.text()).toMatch(/does not answer[\s\S]+npm start/);
});

test('a problem of the relay is shown with its code and paths', async () => {
  const { open } = await startShop({
    status: 400,
    body: {
      title: 'The request does not have the form that it should',
      detail: 'See errors.',
      code: 'invalid_request',
      errors: [{ path: 'order.amount', message: 'must be <more>' }],
    },
  });
  const response = await open('/');
  expect(response.status).toBe(502);
  const page = await response.text();
  expect(page).toContain('400 invalid_request');
  expect(page).toContain('<code>order.amount</code> must be &lt;more&gt;');
});

test.each([
  { body: 'hello' },
  { body: { ...session, checkout_url: 'javascript:alert(1)' } },
  { status: 500, body: {} },
])('an answer not from the relay never enters the page: %j', async (answer) => {
  const { open } = await startShop(answer);
  const response = await open('/');
  expect(response.status).toBe(502);
  const page = await response.text();
  expect(page).toContain('This is not the relay');
  expect(page).not.toContain('javascript:');
});

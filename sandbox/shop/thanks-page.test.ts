import { expect, test } from 'vitest';
import { shown, startShop } from './testing.ts';

test('what the relay says cannot become part of the page', async () => {
  const { open } = await startShop({ body: { ...shown, status: 'approved', order_no: '"><script>alert(1)</script>' } });
  expect(await (await open('/thanks?session=cs_1')).text()).not.toContain('<script>');
});

test('an approved order gets thanks and the details from the relay', async () => {
  const paid = { ...shown, status: 'approved', card: '411111******1111', transaction_id: '00012345678901234567' };
  const { asked, open } = await startShop({ body: paid });
  const page = await (await open('/thanks?session=cs_1&status=failed')).text();
  expect(asked).toMatchObject([{ method: 'GET', path: '/v1/sessions/cs_1', authorization: 'Bearer key-1' }]);
  expect(page).toContain('Thank you');
  expect(page).toContain('TEA-1');
  expect(page).toContain('411111******1111');
  expect(page).toMatch(/R\$\s129,90/);
});

test.each(['open', 'failed', 'expired'])(
  'an address with approved is not believed when the order is %s',
  async (status) => {
    const { open } = await startShop({ body: { ...shown, status } });
    const page = await (await open('/thanks?session=cs_1&status=approved')).text();
    expect(page).toContain('<h1>Not paid</h1>');
    if (status === 'open') expect(page).not.toContain('No money');
    expect(page).not.toContain('Thank you');
  },
);

test.each(['processing', 'redirected', 'unknown'])(
  'while the order is %s the page looks again by itself',
  async (status) => {
    const { open } = await startShop({ body: { ...shown, status } });
    const page = await (await open('/thanks?session=cs_1&status=approved')).text();
    expect(page).toContain('We are confirming your payment');
    expect(page).toContain('http-equiv="refresh"');
    expect(page).not.toContain('Thank you');
  },
);

test('the page waits while the payment is pending, without saying the result', async () => {
  const { open } = await startShop({ body: { ...shown, status: 'pending' } });
  const page = await (await open('/thanks?session=cs_1&status=approved')).text();
  expect(page).toContain('We are waiting for your payment');
  expect(page).toContain('http-equiv="refresh"');
  expect(page).not.toMatch(/Thank you|Not paid|no payment/);
});

test.each(['/thanks', '/thanks?session=', '/thanks?session=../v1/orders', '/thanks?session=a&session=b'])(
  '%s names no order, and the relay is not asked',
  async (path) => {
    const { asked, open } = await startShop({ body: shown });
    expect((await open(path)).status).toBe(404);
    expect(asked).toEqual([]);
  },
);

test('an order that the relay does not know is not found', async () => {
  const { open } = await startShop({ status: 404, body: { title: 'There is nothing here', code: 'not_found' } });
  const response = await open('/thanks?session=cs_2');
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('We do not know this order');
});

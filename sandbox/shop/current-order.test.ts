import { expect, test } from 'vitest';
import { type Answer, session, shown, startShop } from './testing.ts';

/** A shop whose visitor has an order in the browser, and the relay's answer about that order. */
async function startWithOrder(look: Answer) {
  const answer = { status: 201, body: {} };
  const started = await startShop(answer, look);
  answer.body = { ...session, checkout_url: `${started.relay.url}/checkout/cs_1#cs_1.secret` };
  const response = await started.open('/');
  const [setCookie = ''] = response.headers.getSetCookie();
  const [cookie = ''] = setCookie.split(';');
  started.asked.length = 0;
  const methods = () => started.asked.map(({ method }) => method);
  return { ...started, setCookie, cookie, methods };
}

test.each(['open', 'processing', 'redirected', 'unknown'])(
  'a %s order is shown again in another language and theme',
  async (status) => {
    const { open, cookie, methods } = await startWithOrder({ body: { ...shown, status } });
    const response = await open('/?locale=en&theme=dark', cookie);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<turnpike-checkout session="cs_1.secret" locale="en" theme="dark">');
    expect(methods()).toEqual(['GET']);
  },
);

test.each(['approved', 'failed', 'expired'])('after an order that is %s the next one is new', async (status) => {
  const { open, cookie, methods } = await startWithOrder({ body: { ...shown, status } });
  expect((await open('/', cookie)).status).toBe(200);
  expect(methods()).toEqual(['GET', 'POST']);
});

test('the page reports a previous paid order beside the new one', async () => {
  const paid = await startWithOrder({ body: { ...shown, status: 'approved' } });
  expect(await (await paid.open('/', paid.cookie)).text()).toMatch(/Your order [\w-]+ is paid\./);
  const failed = await startWithOrder({ body: { ...shown, status: 'failed' } });
  expect(await (await failed.open('/', failed.cookie)).text()).not.toContain('is paid');
});

test('another amount, other methods and a subscription are other orders', async () => {
  const { open, cookie, methods } = await startWithOrder({ body: shown });
  await open('/?amount=10', cookie);
  await open('/?methods=card', cookie);
  await open('/?subscription=month', cookie);
  expect(methods()).toEqual(['POST', 'POST', 'POST']);
});

test('an order that the relay does not know is replaced', async () => {
  const { open, cookie, methods, asked } = await startWithOrder({
    status: 404,
    body: { title: 'There is nothing here', code: 'not_found' },
  });
  expect((await open('/', cookie)).status).toBe(200);
  expect(methods()).toEqual(['GET', 'POST']);
  asked.length = 0;
  const strange = { of: 'tea all', id: '"><script>', client_secret: 'x' };
  for (const text of ['x', Buffer.from(JSON.stringify(strange)).toString('base64url')]) {
    expect(await (await open('/', `order=${text}`)).text()).not.toContain('"><script>');
  }
  expect(methods()).toEqual(['POST', 'POST']);
});

test('no script can read the cookie that keeps the order', async () => {
  const { setCookie } = await startWithOrder({ body: shown });
  expect(setCookie).toMatch(/^order=[\w-]+; .*HttpOnly; SameSite=Lax$/);
});

import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../shared/checkout/session.ts';
import { parts } from '../demo.ts';
import { listen } from '../listen.ts';
import { createShop } from './shop.ts';

const session = {
  id: 'cs_1',
  client_secret: 'cs_1.secret',
  checkout_url: 'http://127.0.0.1:9/checkout/cs_1#cs_1.secret',
  status: 'open',
  expires_at: '2026-11-21T12:00:00Z',
  order_no: 'TEA-1',
};
const shown = { ...session, currency: 'BRL', amount: '129.90', revision: 1, attempts: [] };

type Answer = { status?: number; body: unknown };

/** A shop in front of a relay that answers every request with `answer`, or looks with `look`, and what that relay was asked. */
async function startShop(answer: Answer, look = answer) {
  const asked: { method: string; path: string; authorization?: string | undefined; body: unknown }[] = [];
  const relayApp = express().use(express.json(), (request, response) => {
    const { method, path, body } = request;
    asked.push({ method, path, authorization: request.headers.authorization, body });
    const { status = 200, body: told } = method === 'GET' ? look : answer;
    response.status(status).json(told);
  });
  const relay = await listen(relayApp, 0, parts.relay);
  const options = { relayUrl: () => relay.url, shopUrl: () => shop.url, apiKey: 'key-1' };
  const shop = await listen(createShop(options).app, 0, parts.shop);
  onTestFinished(async () => {
    await shop.close();
    await relay.close();
  });
  const open = (path: string, cookie = '') =>
    fetch(`${shop.url}${path}`, { headers: { 'Accept-Language': 'pt-BR,en;q=0.5', cookie } });
  return { asked, open, relay, shop };
}

test('opening the shop creates a session for the tea with the shop’s key', async () => {
  const { asked, open, shop } = await startShop({ status: 201, body: session });
  await open('/');
  expect(asked).toMatchObject([{ method: 'POST', path: '/v1/sessions', authorization: 'Bearer key-1' }]);
  expect(createSession.parse(asked[0]?.body)).toMatchObject({
    order: {
      order_no: expect.stringMatching(/^TEA-[0-9A-F]{10}$/),
      currency: 'BRL',
      amount: '129.90',
      items: [{ name: 'Serra Verde', code: 'TEA-SERRA-100', price: '64.95', quantity: 2 }],
      shopper_email: 'ada@example.com',
    },
    payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }],
    return_url: `${shop.url}/thanks`,
    locale: 'pt-BR',
  });
});

test('each visitor’s order is an order of its own', async () => {
  const { asked, open } = await startShop({ status: 201, body: session });
  await open('/');
  await open('/');
  const numbers = asked.map(({ body }) => createSession.parse(body).order.order_no);
  expect(new Set(numbers).size).toBe(2);
});

/** A shop whose visitor has an order in the browser, and what the relay tells of that order. */
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
  'an order that is %s is shown again when the page is loaded again, in any language and theme',
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

test('a paid order before a new one is told, so that nobody pays again without knowing', async () => {
  const paid = await startWithOrder({ body: { ...shown, status: 'approved' } });
  expect(await (await paid.open('/', paid.cookie)).text()).toMatch(/Your order [\w-]+ is paid\./);
  const failed = await startWithOrder({ body: { ...shown, status: 'failed' } });
  expect(await (await failed.open('/', failed.cookie)).text()).not.toContain('is paid');
});

test('another amount and other methods are other orders', async () => {
  const { open, cookie, methods } = await startWithOrder({ body: shown });
  await open('/?amount=10', cookie);
  await open('/?methods=card', cookie);
  expect(methods()).toEqual(['POST', 'POST']);
});

test('an order that the relay does not know, or that is not its own, is replaced by a new one', async () => {
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

test('the address can change amount, methods, locale and theme', async () => {
  const { asked, open } = await startShop({ status: 201, body: session });
  const page = await (await open('/?amount=10.5&methods=card&locale=es-419&theme=dark')).text();
  expect(createSession.parse(asked[0]?.body)).toMatchObject({
    order: { amount: '10.50', items: [{ price: '10.50', quantity: 1 }] },
    payment_methods: [{ type: 'card' }],
    locale: 'es-419',
  });
  expect(page).toContain('locale="es-419" theme="dark"');
  expect(page).toContain('<html lang="en" data-theme="dark">');
});

test.each(['/?amount=0', '/?amount=1,50', '/?locale=%3Cb%3E', '/?theme=pink', '/?amount=1&amount=2', '/?methods=x'])(
  'what %s asks for cannot be, and counts as not asked',
  async (path) => {
    const { asked, open } = await startShop({ status: 201, body: session });
    expect((await open(path)).status).toBe(200);
    const body = createSession.parse(asked[0]?.body);
    expect(body).toMatchObject({ order: { amount: '129.90' }, locale: 'pt-BR' });
    expect(body.payment_methods).toHaveLength(2);
  },
);

test('the page links to itself in other ways, and back', async () => {
  const { open } = await startShop({ status: 201, body: session });
  expect(await (await open('/?theme=dark')).text()).toContain('href="/?theme=dark&amp;locale=pt-BR&amp;methods=card"');
  expect(await (await open('/?theme=dark&methods=card')).text()).toContain('href="/?theme=dark&amp;locale=pt-BR"');
});

test('the page embeds the checkout with a link to fall back to', async () => {
  const { open, relay } = await startShop({ status: 201, body: session });
  const page = await (await open('/')).text();
  expect(page).toContain(`<script src="${relay.url}/turnpike.js" async></script>`);
  expect(page).toContain(
    '<turnpike-checkout session="cs_1.secret" locale="pt-BR" theme="auto">' +
      '<a href="http://127.0.0.1:9/checkout/cs_1#cs_1.secret">Pay here</a></turnpike-checkout>',
  );
  expect(page).toContain('href="/thanks?session=cs_1" hidden');
  expect(page).toMatch(/R\$\s129,90/);
});

test('the page runs nothing but the shop’s and the relay’s scripts, and holds no inline style', async () => {
  const { open, relay } = await startShop({ status: 201, body: session });
  const response = await open('/');
  const policy = response.headers.get('content-security-policy');
  expect(policy).toContain(`script-src 'self' ${relay.url};`);
  expect(policy).toContain(`frame-src ${relay.url};`);
  expect(policy).not.toContain('unsafe');
  expect(await response.text()).not.toMatch(/<style|\sstyle=|\son\w+=/);
});

test('what the relay says cannot become part of the page', async () => {
  const { open } = await startShop({ body: { ...shown, status: 'approved', order_no: '"><script>alert(1)</script>' } });
  expect(await (await open('/thanks?session=cs_1')).text()).not.toContain('<script>');
});

test('an approved order is thanked for, with what the relay tells of it', async () => {
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
  'an address that says approved is not believed when the order is %s',
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

test('a relay that does not run is told with what to do', async () => {
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
])('an answer that is not the relay’s is never put into the page: %j', async (answer) => {
  const { open } = await startShop(answer);
  const response = await open('/');
  expect(response.status).toBe(502);
  const page = await response.text();
  expect(page).toContain('This is not the relay');
  expect(page).not.toContain('javascript:');
});

import { expect, test } from 'vitest';
import { createSession } from '../../shared/checkout/session.ts';
import { session, startShop } from './testing.ts';

test('the shop creates a session for the tea with its own key', async () => {
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

test('the tea club page shows its terms, and accepts only cards', async () => {
  const { asked, open } = await startShop({ status: 201, body: session });
  const page = await (await open('/?subscription=month&amount=30')).text();
  const { order, payment_methods } = createSession.parse(asked[0]?.body);
  expect(order.subscription).toEqual({
    contract_name: 'Tea club',
    contract_amount: '30.00',
    interval: 'month',
    interval_count: '1',
    billing_cycle: 12,
  });
  expect(payment_methods?.map(({ type }) => type)).toEqual(['card']);
  expect(page).toContain('<dt>Tea club</dt><dd>12 times, once a month</dd>');
  expect(page).toContain('>Only once</a>');
});

test.each([
  '/?amount=0',
  '/?amount=1,50',
  '/?locale=%3Cb%3E',
  '/?theme=pink',
  '/?amount=1&amount=2',
  '/?methods=x',
  '/?subscription=week',
])('what %s asks for cannot be, and counts as not asked', async (path) => {
  const { asked, open } = await startShop({ status: 201, body: session });
  expect((await open(path)).status).toBe(200);
  const body = createSession.parse(asked[0]?.body);
  expect(body).toMatchObject({ order: { amount: '129.90' }, locale: 'pt-BR' });
  expect(body.order.subscription).toBeUndefined();
  expect(body.payment_methods).toHaveLength(2);
});

test('the page links to itself in other ways, and back', async () => {
  const { open } = await startShop({ status: 201, body: session });
  expect(await (await open('/?theme=dark')).text()).toContain('href="/?theme=dark&amp;locale=pt-BR&amp;methods=card"');
  expect(await (await open('/?theme=dark&methods=card')).text()).toContain('href="/?theme=dark&amp;locale=pt-BR"');
});

test('the page embeds the checkout with a link to fall back to', async () => {
  const { open, relay } = await startShop({ status: 201, body: session });
  const page = await (await open('/')).text();
  // The shop's script comes first: it listens before the checkout can be ready.
  expect(page).toContain(
    `<script src="/shop.js" defer></script>\n<script src="${relay.url}/turnpike.js" defer></script>`,
  );
  expect(page).toContain(
    '<turnpike-checkout session="cs_1.secret" locale="pt-BR" theme="auto">' +
      '<a href="http://127.0.0.1:9/checkout/cs_1#cs_1.secret">Pay here</a></turnpike-checkout>',
  );
  expect(page).toContain('href="/thanks?session=cs_1" hidden');
  expect(page).toMatch(/R\$\s129,90/);
});

test('the page runs only the shop’s and relay’s scripts, without inline styles', async () => {
  const { open, relay } = await startShop({ status: 201, body: session });
  const response = await open('/');
  const policy = response.headers.get('content-security-policy');
  expect(policy).toContain(`script-src 'self' ${relay.url};`);
  expect(policy).toContain(`frame-src ${relay.url};`);
  expect(policy).not.toContain('unsafe');
  expect(await response.text()).not.toMatch(/<style|\sstyle=|\son\w+=/);
});

import { join } from 'node:path';
import express, { type Express } from 'express';
import { createClient } from 'turnpike/client';
import { createOrders } from './orders.ts';
import { checkoutPage, productPage, thanksPage } from './pages.ts';
import { webhooks } from './webhooks.ts';

export type ShopOptions = {
  /** Where the relay and this shop are reached, without a slash at the end; asked for at each request. */
  relayUrl: () => string;
  ownUrl: () => string;
  apiKey: string;
  /** `whsec_…` */
  webhookSecret: string;
};

/** A small shop: a product, its checkout, the page after it, and the webhook that makes an order paid. */
export function createShop({ relayUrl, ownUrl, apiKey, webhookSecret }: ShopOptions): { app: Express } {
  const turnpike = () => createClient({ url: relayUrl(), apiKey });
  const orders = createOrders();
  const app = express();
  app.disable('x-powered-by');
  app.post('/webhooks', webhooks(webhookSecret, orders));

  app.use((_request, response, next) => {
    // The two addresses of the relay are all that the checkout needs.
    const policy = `default-src 'none'; script-src 'self' ${relayUrl()}; frame-src ${relayUrl()}; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
    response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' });
    next();
  });

  app.get('/', (_request, response) => void response.send(productPage()));

  app.post('/checkout', express.urlencoded({ extended: false, limit: '10kb' }), async (request, response) => {
    const tins = Number(request.body.tins);
    if (!Number.isInteger(tins) || tins < 1 || tins > 9) return void response.status(400).send('1 to 9 tins, please.');
    const { order_no, amount } = orders.add(tins);
    const session = await turnpike().sessions.create(
      {
        order: {
          order_no,
          currency: 'BRL',
          amount,
          items: [{ name: 'Serra Verde', code: 'TEA-SERRA-100', price: '65.00', quantity: tins }],
        },
        payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }],
        return_url: `${ownUrl()}/thanks`,
      },
      // Should this process die right here, the same order gets the same session.
      { idempotencyKey: order_no },
    );
    response.send(checkoutPage(relayUrl(), order_no, session));
  });

  // Shoppers come back here from an issuer's page, with `session` in the address; the checkout's page leads here too.
  app.get('/thanks', async (request, response) => {
    const id = String(request.query.session);
    if (!/^[\w-]{1,200}$/.test(id)) return void response.status(404).send('There is no such order.');
    // What an address says anybody can write: the relay knows.
    const { status, order_no } = await turnpike().sessions.get(id);
    response.send(thanksPage({ status, order_no, order: orders.find(order_no) }));
  });

  app.use(express.static(join(import.meta.dirname, 'public'), { index: false }));
  app.get('/shop.css', (_request, response) => response.sendFile(join(import.meta.dirname, '../shop.css')));
  return { app };
}

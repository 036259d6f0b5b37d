import { join } from 'node:path';
import express, { type Express } from 'express';
// In your shop all of this comes from the package: 'turnpike/client' and 'turnpike/webhooks'.
import { createClient, RelayRefused, type SessionCreated } from '../../client/index.ts';
import { createOrders, type Order } from './orders.ts';
import { checkoutPage, productPage, thanksPage } from './pages.ts';
import { webhooks } from './webhooks.ts';

type ShopOptions = {
  /** The addresses of the relay and of this shop, without a slash at the end. They are read at each request. */
  relayUrl: () => string;
  ownUrl: () => string;
  apiKey: string;
  /** `whsec_…` */
  webhookSecret: string;
};

/** A small shop: a product, its checkout, the page after it, and the webhook that marks an order as paid. */
export function createShop({ relayUrl, ownUrl, apiKey, webhookSecret }: ShopOptions): { app: Express } {
  const turnpike = () => createClient({ url: relayUrl(), apiKey });
  const orders = createOrders();
  const app = express();
  app.disable('x-powered-by');
  app.post('/webhooks', webhooks(webhookSecret, orders));

  app.use((_request, response, next) => {
    // The checkout needs only the two addresses of the relay.
    const policy = `default-src 'none'; script-src 'self' ${relayUrl()}; frame-src ${relayUrl()}; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
    response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' });
    next();
  });

  app.get('/', (_request, response) => void response.send(productPage()));

  app.post('/checkout', express.urlencoded({ extended: false, limit: '10kb' }), (request, response) => {
    const tins = Number(request.body.tins);
    if (!Number.isInteger(tins) || tins < 1 || tins > 9) return void response.status(400).send('1 to 9 tins, please.');
    response.redirect(303, `/checkout/${orders.add(tins).order_no}`);
  });

  // This page also works after a reload or a day later: it shows a payment in progress until its outcome is known.
  app.get('/checkout/:order_no', async (request, response) => {
    const order = orders.find(request.params.order_no);
    if (!order) return void response.status(404).send('There is no such order.');
    try {
      response.send(checkoutPage(relayUrl(), order.order_no, await checkoutOf(order)));
    } catch (error) {
      // An earlier session of the order may have paid it: its state is more important.
      if (!(error instanceof RelayRefused) || !error.sessionId) throw error;
      response.redirect(303, `/thanks?session=${error.sessionId}`);
    }
  });

  /** The order's session; a new one only if the last one ended unpaid. */
  async function checkoutOf({ order_no, amount, currency, tins, sessions }: Order): Promise<SessionCreated> {
    const last = sessions.at(-1);
    const status = last && (await turnpike().sessions.get(last.id)).status;
    if (last && status !== 'failed' && status !== 'expired') return last;
    const session = await turnpike().sessions.create(
      {
        order: {
          order_no,
          currency,
          amount,
          items: [{ name: 'Serra Verde', code: 'TEA-SERRA-100', price: '65.00', quantity: tins }],
        },
        payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }],
        return_url: `${ownUrl()}/thanks`,
      },
      // If this process crashes here, the same request gets the same session.
      { idempotencyKey: `${order_no}-${sessions.length + 1}` },
    );
    sessions.push(session);
    return session;
  }

  // Shoppers return here from an issuer's page, with `session` in the address. The checkout's page leads here, too.
  app.get('/thanks', async (request, response) => {
    const id = String(request.query.session);
    // An address proves nothing, so the shop reads the state from the relay.
    const session = /^cs_[\w-]{1,200}$/.test(id) && (await turnpike().sessions.get(id).catch(unlessNotFound));
    if (!session) return void response.status(404).send('There is no such order.');
    const { status, order_no } = session;
    response.send(thanksPage({ status, order_no, order: orders.find(order_no) }));
  });

  app.use(express.static(join(import.meta.dirname, 'public'), { index: false }));
  app.get('/shop.css', (_request, response) => response.sendFile(join(import.meta.dirname, '../shop.css')));
  return { app };
}

function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof RelayRefused) || error.code !== 'not_found') throw error;
}

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import express, { type Express } from 'express';
// In your shop: from 'turnpike/client'.
import { createClient } from '../../client/index.ts';

type WebviewOptions = {
  /** The address of the relay, without a slash at the end. It is read at each request. */
  relayUrl: () => string;
  apiKey: string;
};

/** The server of a shop with an app, and a page that acts as the app in a browser. */
export function createWebview({ relayUrl, apiKey }: WebviewOptions): { app: Express } {
  const turnpike = () => createClient({ url: relayUrl(), apiKey });
  const app = express();
  app.disable('x-powered-by');

  app.use((_request, response, next) => {
    const policy = `default-src 'none'; script-src 'self' ${relayUrl()}; frame-src 'self' ${relayUrl()}; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'self'`;
    response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' });
    next();
  });

  // The app buys. Its web view loads `checkout_url`, or a page of the shop with the checkout of `client_secret`.
  app.post('/orders', async (_request, response) => {
    const order = { order_no: `APP-${randomBytes(5).toString('hex').toUpperCase()}`, currency: 'BRL', amount: '65.00' };
    const { id, client_secret, checkout_url } = await turnpike().sessions.create({ order });
    response.status(201).json({ id, client_secret, checkout_url });
  });

  // After a result the app reads the state from its own server.
  app.get('/orders/:id', async (request, response) => {
    const { status, order_no } = await turnpike().sessions.get(request.params.id);
    response.json({ status, order_no });
  });

  // The shop's own page for the web view.
  app.get('/screen', (_request, response) => {
    response.send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pay</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/screen.css">
<script src="/screen.js"></script>
<script src="${relayUrl()}/turnpike.js" async></script>
</head>
<body><turnpike-checkout theme="auto"></turnpike-checkout><script src="/session.js"></script></body>
</html>
`);
  });

  app.use(express.static(join(import.meta.dirname, 'public')));
  app.get('/shop.css', (_request, response) => response.sendFile(join(import.meta.dirname, '../shop.css')));
  return { app };
}

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import express, { type Express } from 'express';
import { z } from 'zod';
import { createClient } from '../client/index.ts';
import { Html, html } from '../shared/pages/html.ts';
import type { Example, Order } from './build.ts';

type ExampleOptions = {
  example: Pick<Example, 'name' | 'folder' | 'render'>;
  /** The address of the relay, without a slash at the end. It is read at each request. */
  relayUrl: () => string;
  apiKey: string;
};

const embedding = z.object({ script: z.string() });
const change = z.object({ tins: z.int().min(1).max(9) });

/** The shop's server of an example: each visit has its own order, to which the visitor may add. */
export function createExample({ example, relayUrl, apiKey }: ExampleOptions): { app: Express } {
  const relay = () => createClient({ url: relayUrl(), apiKey, timeoutMs: 10_000 });
  // A real shop writes the tag, with its hash, into its pages when it updates the checkout.
  const scriptTag = async () => embedding.parse(await (await fetch(`${relayUrl()}/embed.json`)).json()).script;
  const app = express();
  app.disable('x-powered-by');

  app.use((_request, response, next) => {
    response.set({
      'Content-Security-Policy': [
        "default-src 'none'",
        `script-src 'self' ${relayUrl()}`,
        `frame-src ${relayUrl()}`,
        "style-src 'self'",
        "connect-src 'self'",
        'img-src data:',
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'Cache-Control': 'no-store',
    });
    next();
  });

  app.get('/', async (_request, response) => {
    const order_no = `EX-${randomBytes(5).toString('hex').toUpperCase()}`;
    const { id, client_secret, checkout_url } = await relay().sessions.create({ order: { order_no, ...orderOf(1) } });
    const order = { id, client_secret, checkout_url };
    const content = await example.render(order);
    response.send(page({ name: example.name, order, scriptTag: await scriptTag(), content }));
  });

  app.patch('/orders/:id', express.json(), async (request, response) => {
    const { tins } = change.parse(request.body);
    await relay().sessions.update(request.params.id, { order: orderOf(tins) });
    response.status(204).end();
  });

  app.use(express.static(example.folder, { index: false, cacheControl: false }));
  app.get('/shop.css', (_request, response) => response.sendFile(join(import.meta.dirname, 'shop.css')));
  return { app };
}

/** The price of this many tins, which the shop computes itself. */
function orderOf(tins: number) {
  const items = [{ name: 'Serra Verde', code: 'TEA-SERRA-100', price: '65.00', quantity: tins }];
  return { currency: 'BRL', amount: `${65 * tins}.00`, items };
}

type Shown = {
  name: string;
  order: Order;
  /** The element that loads the checkout, from `/embed.json`. */
  scriptTag: string;
  /** The example's own HTML. */
  content: string;
};

/** The document around an example. */
function page({ name, order, scriptTag, content }: Shown): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Turnpike in a ${name} page</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css">
${new Html(scriptTag)}
<script type="module" src="/client.js"></script>
</head>
<body>
<h1>Tea, by the tin</h1>
<div id="app">${new Html(content)}</div>
<script type="application/json" id="order">${new Html(scriptSafe(order))}</script>
</body>
</html>
`.toString();
}

/** JSON inside a script element must not be able to end the element. */
function scriptSafe(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

import { Html, html } from '../sandbox/html.ts';
import type { Order } from './build.ts';

type Shown = {
  name: string;
  order: Order;
  /** The element that loads the checkout, as `/embed.json` gives it. */
  scriptTag: string;
  /** The example's own HTML. */
  content: string;
};

/** The document around an example. */
export function page({ name, order, scriptTag, content }: Shown): string {
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

/** JSON inside a script element must not be able to end it. */
function scriptSafe(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

import type { SessionAnswer, SessionCreated } from '../../client/index.ts';
import type { Order } from './orders.ts';

/** The product, with a button that buys it. */
export function productPage(): string {
  return page(
    'Serra Verde',
    '',
    `<h1>Serra Verde, green tea</h1>
<p>Loose leaf, 100 g tin, R$ 65.00</p>
<form class="options" method="post" action="/checkout">
  <label>Tins <select name="tins"><option>1</option><option>2</option><option>3</option></select></label>
  <button>Buy</button>
</form>`,
  );
}

/** The checkout of one order. */
export function checkoutPage(relayUrl: string, order_no: string, session: SessionCreated): string {
  return page(
    'Checkout',
    `<script src="${escaped(relayUrl)}/turnpike.js" async></script>
<script src="/checkout.js" type="module"></script>`,
    `<h1>Order ${escaped(order_no)}</h1>
<turnpike-checkout session="${escaped(session.client_secret)}"><a href="${escaped(session.checkout_url)}">Pay here</a></turnpike-checkout>
<a id="thanks" href="/thanks?session=${escaped(session.id)}" hidden>See your order</a>`,
  );
}

type Shown = Pick<SessionAnswer, 'status' | 'order_no'> & { order: Order | undefined };

/** The state of the order at the relay, and whether the shop has received the webhook of its payment. */
export function thanksPage({ status, order_no, order }: Shown): string {
  return page(
    'Your order',
    '',
    `<h1>${status === 'approved' ? 'Thank you' : 'Your order is not paid yet'}</h1>
<dl>
  <dt>Order</dt><dd>${escaped(order_no)}</dd>
  <dt>Payment</dt><dd id="payment">${escaped(status)}</dd>
  <dt>In our books</dt><dd id="books">${order?.paid ? 'paid' : 'waiting for the payment'}</dd>
  <dt>Parcels</dt><dd id="parcels">${order?.parcels ?? 0}</dd>
</dl>
<p><a href="/">Back to the tea</a></p>`,
  );
}

function page(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? '');
}

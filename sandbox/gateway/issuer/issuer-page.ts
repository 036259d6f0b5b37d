import { formatMoney } from '../../../shared/checkout/money/money.ts';
import { type Html, html } from '../../../shared/pages/html.ts';
import type { IssuerPayment } from '../books/payments.ts';

/** The bank's page where the shopper approves or refuses a payment. */
export function issuerPage({ order, payment_method, issuer_token }: IssuerPayment): Html {
  return page(
    'Confirm this payment',
    html`<h1>Confirm this payment</h1>
      <p class="amount">${formatMoney('en', order.currency, order.amount)}</p>
      <dl>
        <div><dt>Paid with</dt><dd>${payment_method}</dd></div>
        <div><dt>Order</dt><dd>${order.order_no}</dd></div>
        <div><dt>From</dt><dd>Account •••• 2081</dd></div>
      </dl>
      <form method="post" action="/issuer/${issuer_token}">
        <button class="primary" name="choice" value="approve">Approve</button>
        <button name="choice" value="refuse">Refuse</button>
      </form>`,
  );
}

/** The bank's page once the payment is decided; the choice stands. */
export function decidedPage({ order, state, return_url }: IssuerPayment): Html {
  const title = state.status === 'approved' ? 'You approved this payment' : 'You refused this payment';
  return page(
    title,
    html`<h1>${title}</h1>
      <p class="amount">${formatMoney('en', order.currency, order.amount)}</p>
      <p class="quiet">Order ${order.order_no}. This choice stands; nothing more is needed here.</p>
      ${return_url === undefined ? undefined : html`<p><a class="button" href="${return_url}">Back to the shop</a></p>`}`,
  );
}

/** The bank's page for an address that opens once, and was opened before. */
export function closedPage(): Html {
  return page(
    'Opened before',
    html`<h1>This page was opened before</h1>
      <p class="quiet">This bank shows the page of a payment once. Go back to the shop and pay again, or set the relay’s
        <code>issuer.follow</code> to <code>first</code> or <code>none</code>.</p>`,
  );
}

/** The bank's page for an address that no payment has. */
export function unknownPaymentPage(): Html {
  return page(
    'No such payment',
    html`<h1>No such payment</h1>
      <p class="quiet">The sandbox forgets its payments when it stops. Go back to the shop and pay again.</p>`,
  );
}

function page(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sandbank</title>
<link rel="stylesheet" href="/issuer.css">
<link rel="icon" href="data:,">
</head>
<body>
<header><span class="mark" aria-hidden="true"></span>Sandbank</header>
<main>${content}</main>
<footer>Sandbank is part of the Turnpike sandbox. No money moves here.</footer>
</body>
</html>`;
}

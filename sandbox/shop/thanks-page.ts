import { formatMoney } from '../../shared/checkout/money.ts';
import { type Html, html } from '../html.ts';
import { layout } from './layout.ts';
import type { Session } from './relay-client.ts';

/** What became of an order, as the relay tells it; looks again by itself while nobody knows. */
export function thanksPage(session: Session, locale: string): string {
  switch (session.status) {
    case 'approved':
      return layout({ title: 'Thank you', content: approved(session, locale) });
    case 'open':
      return notPaid(session, 'We have no payment yet. You can go back and try again.');
    case 'failed':
      return notPaid(session, 'The payment was declined, and we have none for this order.');
    case 'expired':
      return notPaid(session, 'We have no payment for this order, and its time is over.');
    case 'processing':
    case 'redirected':
    case 'unknown':
      return layout({
        title: 'Confirming your payment',
        content: confirming(session),
        head: html`<meta http-equiv="refresh" content="2">`,
      });
  }
}

/** The page for an address that names no session. */
export function noOrderPage(): string {
  return layout({
    title: 'No such order',
    content: html`<div class="notice">
<h1>We do not know this order</h1>
<p>The link may be incomplete, or the sandbox was started anew.</p>
<p><a class="button" href="/">Back to the tea</a></p>
</div>`,
  });
}

function approved({ order_no, currency, amount, card, transaction_id }: Session, locale: string): Html {
  return html`<div class="notice good">
<h1>Thank you</h1>
<p>Your tea is paid and on its way to the kettle.</p>
<dl class="bill">
<div><dt>Order</dt><dd>${order_no}</dd></div>
${card && html`<div><dt>Card</dt><dd>${card}</dd></div>`}
${transaction_id && html`<div><dt>Transaction</dt><dd>${transaction_id}</dd></div>`}
<div class="total"><dt>Paid</dt><dd>${formatMoney(locale, currency, amount)} <small>${currency}</small></dd></div>
</dl>
<p><a class="button" href="/">Buy some more</a></p>
</div>`;
}

function notPaid({ order_no }: Session, reason: string): string {
  return layout({
    title: 'Not paid',
    content: html`<div class="notice bad">
<h1>Not paid</h1>
<p>${reason}</p>
<p class="quiet">Order ${order_no}</p>
<p><a class="button" href="/">Back to the tea</a></p>
</div>`,
  });
}

function confirming({ order_no }: Session): Html {
  return html`<div class="notice wait">
<h1>We are confirming your payment</h1>
<p>The bank has not answered yet. This page looks again by itself; please do not pay a second time.</p>
<p class="quiet">Order ${order_no}</p>
</div>`;
}

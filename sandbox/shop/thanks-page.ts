import type { SessionAnswer } from '../../client/index.ts';
import { formatMoney } from '../../shared/checkout/money/money.ts';
import { type Html, html } from '../../shared/pages/html.ts';
import { layout } from './layout.ts';
import type { ReceivedWebhook } from './received-webhooks.ts';

/** `received` are the webhooks about the order that the shop's server received. */
type Known = { locale: string; received: readonly ReceivedWebhook[] };

type Notice = { title: string; tone: 'good' | 'bad' | 'wait'; content: Html; head?: Html };

/** The state of an order at the relay. The page reloads itself while the state is open. */
export function thanksPage(session: SessionAnswer, { locale, received }: Known): string {
  const { tone, content, ...page } = noticeOf(session, { locale, received });
  return layout({
    ...page,
    content: html`<div class="notice ${tone}">
${content}
${receivedList(received)}
</div>`,
  });
}

function noticeOf(session: SessionAnswer, { locale, received }: Known): Notice {
  switch (session.status) {
    case 'approved':
      return approved(session, { locale, received });
    case 'open':
      return notPaid(session, 'We have no payment yet. You can go back and try again.');
    case 'failed':
      return notPaid(session, 'The payment was declined, and we have none for this order.');
    case 'expired':
      return notPaid(session, 'We have no payment for this order, and its time is over.');
    case 'pending':
      return pending(session);
    case 'processing':
    case 'redirected':
    case 'unknown':
      return confirming(session);
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

function approved(session: SessionAnswer, { locale, received }: Known): Notice {
  const { order_no, currency, amount, card, transaction_id } = session;
  const isReady = received.some(({ type }) => type === 'payment.ready');
  return {
    title: 'Thank you',
    tone: 'good',
    content: html`<h1>Thank you</h1>
<p>Your tea is paid${isReady ? ' and on its way to the kettle' : ''}.</p>
<dl class="bill">
<div><dt>Order</dt><dd>${order_no}</dd></div>
${card && html`<div><dt>Card</dt><dd>${card}</dd></div>`}
${transaction_id && html`<div><dt>Transaction</dt><dd>${transaction_id}</dd></div>`}
<div class="total"><dt>Paid</dt><dd>${formatMoney(locale, currency, amount)} <small>${currency}</small></dd></div>
</dl>
<p><a class="button" href="/">Buy some more</a></p>`,
  };
}

function notPaid({ order_no }: SessionAnswer, reason: string): Notice {
  return {
    title: 'Not paid',
    tone: 'bad',
    content: html`<h1>Not paid</h1>
<p>${reason}</p>
<p class="quiet">Order ${order_no}</p>
<p><a class="button" href="/">Back to the tea</a></p>`,
  };
}

function confirming({ order_no }: SessionAnswer): Notice {
  return {
    title: 'Confirming your payment',
    tone: 'wait',
    head: html`<meta http-equiv="refresh" content="2">`,
    content: html`<h1>We are confirming your payment</h1>
<p>The bank has not answered yet. This page looks again by itself; please do not pay a second time.</p>
<p class="quiet">Order ${order_no}</p>`,
  };
}

function pending({ order_no }: SessionAnswer): Notice {
  return {
    title: 'Waiting for your payment',
    tone: 'wait',
    head: html`<meta http-equiv="refresh" content="10">`,
    content: html`<h1>We are waiting for your payment</h1>
<p>It can take a while to arrive, and your tea is kept until then. Please do not pay a second time.</p>
<p class="quiet">Order ${order_no}</p>`,
  };
}

function receivedList(received: readonly ReceivedWebhook[]): Html | undefined {
  if (received.length === 0) return undefined;
  const entries = received.map(({ type, data: { recurring_id } }) => {
    const contract = recurring_id && html` with recurring_id <code>${recurring_id}</code>`;
    return html`<li><code>${type}</code>${contract}</li>`;
  });
  return html`<div class="received-webhooks">
<p>The shop’s server received:</p>
<ol>${entries}</ol>
</div>`;
}

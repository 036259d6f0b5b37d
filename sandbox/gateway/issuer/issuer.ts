import { type Request, type Response, Router, urlencoded } from 'express';
import { z } from 'zod';
import { formatMoney } from '../../../shared/checkout/money/money.ts';
import { type Html, html } from '../../../shared/pages/html.ts';
import type { IssuerPayment, Payments } from '../books/payments.ts';
import { type IssuerBehaviour, issuerBehaviours } from '../faults/issuer-behaviours.ts';

/** The issuer_url of a payment. As with many banks, it redirects to the actual page. */
export function issuerAddress(publicUrl: string, token: string): string {
  return `${publicUrl}/issuer/start/${token}`;
}

const decision = z.strictObject({ choice: z.enum(['approve', 'refuse', 'pay_later']) });

/** The bank's pages: the redirect, the page with the two buttons, and the way back to return_url. */
export function issuer(payments: Payments): Router {
  const router = Router();
  const visits = new Map<string, number>();
  const count = (path: string): number => {
    const visit = (visits.get(path) ?? 0) + 1;
    visits.set(path, visit);
    return visit;
  };
  const known = (handle: (payment: IssuerPayment, request: Request, response: Response) => void) => {
    return (request: Request, response: Response) => {
      const payment = payments.atIssuer(String(request.params.token));
      if (payment) handle(payment, request, response);
      else response.status(404).send(unknownPaymentPage().toString());
    };
  };

  router.get(
    '/issuer/start/:token',
    known((payment, request, response) => enter(payment, count(request.path), request, response)),
  );
  router.get(
    '/issuer/:token',
    known((payment, request, response) => {
      const isClosed = payment.manner === 'once' && count(request.path) > 1;
      if (isClosed) response.status(410).send(closedPage().toString());
      else response.send(pageOf(payment));
    }),
  );
  router.post(
    '/issuer/:token',
    urlencoded({ extended: false, limit: '1kb' }),
    known((payment, request, response) => {
      const parsed = decision.safeParse(request.body);
      if (!parsed.success) return void response.status(400).send(pageOf(payment));
      payments.decide(payment, parsed.data.choice);
      response.redirect(303, payment.return_url ?? `/issuer/${payment.issuer_token}`);
    }),
  );
  return router;
}

function pageOf(payment: IssuerPayment): string {
  return (payment.state.status === 'undecided' ? issuerPage(payment) : decidedPage(payment)).toString();
}

/**
 * Answers a visit of the issuer's address by the behaviour of the issuer. `visit` counts from one.
 */
function enter({ manner, issuer_token }: IssuerPayment, visit: number, request: Request, response: Response) {
  const lead = (to = `/issuer/${issuer_token}`) => response.redirect(302, to);
  const fail = (status: number) => void response.status(status).type('text/plain').send('Not now.');
  const { fails }: IssuerBehaviour = issuerBehaviours[manner];
  const status = fails?.[visit - 1];
  if (status !== undefined) return fail(status);
  switch (manner) {
    case 'browsers_only':
      return request.get('user-agent') ? lead() : fail(403);
    case 'cookie': {
      const { cookie = '' } = request.headers;
      if (cookie.split('; ').includes(`sandbank=${issuer_token}`)) return lead();
      if (request.query.again !== undefined) return fail(403);
      response.cookie('sandbank', issuer_token, { httpOnly: true, path: '/issuer' });
      return lead(`/issuer/start/${issuer_token}?again=1`);
    }
    case 'app':
      return lead(`sandbank://pay/${issuer_token}`);
    case 'reset':
      return visit > 1 ? lead() : void request.socket.resetAndDestroy();
    case 'silent':
      // The client that waits gives up, or ends with the gateway.
      return visit > 1 ? lead() : undefined;
    default:
      return lead();
  }
}

/** The bank's page where the shopper approves or refuses a payment, or takes a voucher to pay later. */
function issuerPage({ order, payment_method, issuer_token }: IssuerPayment): Html {
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
        <button name="choice" value="pay_later">Pay later</button>
      </form>`,
  );
}

/** The bank's page after the payment is decided. The choice is final. */
function decidedPage({ order, state, return_url }: IssuerPayment): Html {
  const title = titleOf(state);
  return page(
    title,
    html`<h1>${title}</h1>
      <p class="amount">${formatMoney('en', order.currency, order.amount)}</p>
      <p class="quiet">Order ${order.order_no}. ${state.status === 'pending' ? html`The <a href="/admin">admin page</a> pays it, or lets it expire.` : 'This choice stands; nothing more is needed here.'}</p>
      ${return_url === undefined ? undefined : html`<p><a class="button" href="${return_url}">Back to the shop</a></p>`}`,
  );
}

function titleOf({ status }: IssuerPayment['state']): string {
  switch (status) {
    case 'pending':
      return 'You pay this later';
    case 'undecided':
    case 'declined':
      return 'You refused this payment';
    default:
      return 'You approved this payment';
  }
}

/** The bank's page for an address that can be opened once, and was opened before. */
function closedPage(): Html {
  return page(
    'Opened before',
    html`<h1>This page was opened before</h1>
      <p class="quiet">This bank shows the page of a payment once. Go back to the shop and pay again, or set the relay’s
        <code>issuer.follow</code> to <code>first</code> or <code>none</code>.</p>`,
  );
}

/** The bank's page for an address without a payment. */
function unknownPaymentPage(): Html {
  return page(
    'No such payment',
    html`<h1>No such payment</h1>
      <p class="quiet">It may be of another sandbox, or of one that has begun anew. Go back to the shop and pay again.</p>`,
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

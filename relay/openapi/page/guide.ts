import { createSessionExamples } from '../examples/sessions.ts';
import { problemExample } from '../problem-responses.ts';
import type { RouteDoc } from '../route.ts';
import { curlCode, jsonCode } from './code.ts';
import { allErrors } from './errors.ts';
import { type Html, html } from './html.ts';

/** The chapters before the routes, by the id of their heading. */
export const chapters = [
  { id: 'start', title: 'Getting started' },
  { id: 'authentication', title: 'Authentication' },
  { id: 'idempotency', title: 'Idempotency' },
  { id: 'unknown-outcomes', title: 'Unknown outcomes' },
  { id: 'amounts', title: 'Amounts, dates and texts' },
  { id: 'errors', title: 'Errors' },
] as const;

/** What holds for every route. `create` is the route that makes a session. */
export function guide(create: RouteDoc, publicUrl: string): Html {
  return html`<section class="chapter" aria-labelledby="start">
<h2 id="start">Getting started</h2>
<p>Your server makes a session of an order. The answer holds a <code>client_secret</code> for the page that shows the form, and a <code>checkout_url</code> to send the shopper to instead.</p>
${curlCode(create, publicUrl, createSessionExamples[0]?.value)}
<p>When the shopper has paid, read <a href="#getSession"><code>GET /v1/sessions/{id}</code></a>. Trust that answer and the webhook, never what the browser brings back. Field names are the gateway’s own everywhere, on our wire as on its own.</p>
<p>The same description for programs is at <a href="/openapi.json"><code>/openapi.json</code></a> (OpenAPI 3.1).</p>
</section>

<section class="chapter" aria-labelledby="authentication">
<h2 id="authentication">Authentication</h2>
<p>Every route under <code>/v1</code> takes an API key: <code>Authorization: Bearer $API_KEY</code>. A key belongs to one account, so no request names the merchant, and the relay signs what it sends to the gateway. Keys have scopes; each route says which one it needs, and <code>*</code> is all of them. Keep keys on your server.</p>
<p>The form in the shopper’s browser uses the session’s <code>client_secret</code> instead, which opens that one session and nothing else.</p>
</section>

<section class="chapter" aria-labelledby="idempotency">
<h2 id="idempotency">Idempotency</h2>
<p>A connection can break after the gateway has done what you asked. So give every POST under <code>/v1</code> an <code>Idempotency-Key</code>, and send the request again, with the same key and the same body, until you have an answer:</p>
<ul>
<li>The same key and body give the first answer again, status and bytes, with <code>Idempotency-Replayed: true</code>.</li>
<li>The same key and another body give 422 <code>idempotency_key_reused</code>.</li>
<li>While the first request is running, the second gets 409 <code>in_progress</code> with <code>Retry-After</code>.</li>
<li>When nobody knows what became of the first, the second gets 409 <code>outcome_unknown</code>, and nothing is sent.</li>
</ul>
<p>A key belongs to your account and the route. What was refused before anything was sent leaves the key free.</p>
</section>

<section class="chapter" aria-labelledby="unknown-outcomes">
<h2 id="unknown-outcomes">Unknown outcomes</h2>
<p>An answer of the gateway that is late, broken or not signed tells nothing: the money may have moved. The relay then says <code>unknown</code> or <code>outcome_unknown</code>, never “failed”, and sends nothing twice.</p>
<p>Payments are looked up until they are known. Refunds are looked up by refund search, and settled where what is found can be nothing else. Captures, cancellations, reviews, payouts and ends of subscriptions cannot be looked up.</p>
<p><a href="#getSession">Read the session</a> or <a href="#getOperation">the operation</a>: <code>unknown</code> tells why, what was tried and when the gateway is asked next; <a href="#reconcileOrder">reconcile an order</a> to ask it now. With <code>needs_attention</code> a person has to look at the gateway’s own records, and can <a href="#settleSession">settle a session</a> or <a href="#settleOperation">an operation</a>; <a href="#refundSearch">search</a> shows which refunds the gateway knows.</p>
</section>

<section class="chapter" aria-labelledby="amounts">
<h2 id="amounts">Amounts, dates and texts</h2>
<ul>
<li>Amounts are decimal strings with at most the decimals of their currency (ISO 4217); zeros beyond them are taken, too: <code>"129.90"</code>, <code>"129.9"</code> and <code>"129"</code> are the same kind of thing. Never numbers. At least two decimals go to the gateway: <code>"1000.00"</code> JPY, <code>"10.500"</code> KWD.</li>
<li>Currencies are ISO 4217 codes (<code>BRL</code>), countries ISO 3166-1 alpha-2 codes (<code>BR</code>).</li>
<li>The relay’s own times are ISO 8601 in UTC: <code>2027-03-31T10:15:00.000Z</code>. Dates of the gateway’s fields have the forms that their descriptions say.</li>
<li>Texts hold no control characters but tabs and line ends, and no half surrogate pairs.</li>
<li>Bodies are JSON in UTF-8 of at most 1 MiB, a document’s file (<code>file_data</code>, at most 5 MB) not counted. A field that a route does not know is an error that names it; an optional one that is <code>""</code> or <code>null</code> counts as absent.</li>
<li>Answers may gain fields; ignore those that you do not know.</li>
</ul>
</section>

<section class="chapter" aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>Errors are <code>application/problem+json</code> (RFC 9457). Branch on <code>code</code>: it never changes its meaning. <code>detail</code> is for people. Every answer has an <code>X-Request-Id</code> to give to the operator: your own, where the request has one of 8 to 64 letters, digits, <code>.</code>, <code>_</code> or <code>-</code>.</p>
${jsonCode(problemExample('invalid_request'))}
${allErrors()}
</section>`;
}

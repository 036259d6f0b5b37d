import { allRoutes } from '../../routes/all.ts';
import { createSessionExamples } from '../../routes/examples/sessions.ts';
import { type NamedRoute, type Tag, tags } from '../../routes/route.ts';
import type { OpenApiDocument } from '../document-types.ts';
import { problemExample } from '../responses.ts';
import { nameIn } from '../schemas/json-schema.ts';
import { dataOf, type WebhookDoc, webhookDocs, webhookExample } from '../webhooks.ts';
import { fieldsOf } from './fields.ts';
import { curlCode, type Html, html, jsonCode, prose } from './html.ts';
import { allErrors, type PageFacts, routeSection } from './route-section.ts';

/** The id of a webhook's section: `webhook-session-paid-twice`. */
const webhookId = ({ type }: WebhookDoc): string => `webhook-${type.replaceAll(/[._]/g, '-')}`;

/** The chapters before the routes, by the id of their heading. */
const chapters = [
  { id: 'start', title: 'Getting started' },
  { id: 'authentication', title: 'Authentication' },
  { id: 'idempotency', title: 'Idempotency' },
  { id: 'unknown-outcomes', title: 'Unknown outcomes' },
  { id: 'amounts', title: 'Amounts, dates and texts' },
  { id: 'errors', title: 'Errors' },
] as const;

/** The page of the document for people: with one small script for the search, and nothing from another host. */
export function docsPage(document: OpenApiDocument): string {
  const { info, servers, components } = document;
  const publicUrl = servers[0]?.url ?? '';
  const facts: PageFacts = { publicUrl, schemas: components.schemas };
  const groups = tagNames.map((tag) => ({ tag, routes: allRoutes.filter((route) => route.tag === tag) }));
  const create = allRoutes.find(({ id }) => id === 'createSession');
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${info.summary}">
<title>${info.title} API ${info.version}</title>
<link rel="stylesheet" href="/docs.css">
<script src="/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<p class="brand"><a class="brand-link" href="#top">${info.title}</a> <span class="version">API ${info.version}</span></p>
${searchField}
<p class="server"><code>${publicUrl}</code></p>
</header>
<div class="columns">
${navigation(groups)}
<main id="content" tabindex="-1">
<div class="intro" id="top">
<h1>${info.title} API</h1>
<p class="lead">${info.description.replaceAll('`', '')}</p>
</div>
${create && guide(create, publicUrl)}
${groups.map(({ tag, routes }) => tagSection(tag, routes, facts))}
${webhooks(facts)}
</main>
</div>
</body>
</html>
`);
}

/** The search field, which is hidden without the script. */
const searchField = html`<div class="search" role="search">
<label class="unseen" for="search">Search routes and webhooks</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" autocapitalize="off" spellcheck="false" aria-keyshortcuts="/" enterkeyhint="go">
<kbd aria-hidden="true">/</kbd>
<output id="found" for="search" aria-live="polite"></output>
</div>`;

const tagNames = Object.keys(tags).filter((name): name is Tag => Object.hasOwn(tags, name));

type Group = { tag: Tag; routes: readonly NamedRoute[] };

/** The contents, beside the text if there is room, otherwise folded above it. */
function navigation(groups: readonly Group[]): Html {
  const links = html`<p class="group">Guide</p>
<ul>${chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
${groups.map(
  ({ tag, routes }) => html`<p class="group">${tag}</p>
<ul>${routes.map(
    ({ id, summary, method }) =>
      html`<li><a href="#${id}"><span>${summary}</span> <span class="method ${method}">${method.toUpperCase()}</span></a></li>`,
  )}</ul>`,
)}
<p class="group">Webhooks</p>
<ul>${webhookDocs().map((doc) => html`<li><a href="#${webhookId(doc)}"><span>${doc.summary}</span></a></li>`)}</ul>
<p class="none" hidden>Nothing found. Try a path, a field or an error code.</p>`;
  return html`<nav class="wide" aria-label="Contents">${links}</nav>
<details class="narrow"><summary>Contents</summary><nav aria-label="Contents">${links}</nav></details>`;
}

function tagSection(tag: Tag, routes: readonly NamedRoute[], facts: PageFacts): Html {
  const id = `tag-${tag.toLowerCase()}`;
  return html`<section class="tag" aria-labelledby="${id}">
<div class="chapter"><h2 id="${id}">${tag}</h2><p>${tags[tag]}</p></div>
${routes.map((route) => routeSection(route, facts))}
</section>`;
}

function webhooks(facts: PageFacts): Html {
  return html`<section class="tag" aria-labelledby="webhooks">
<div class="chapter"><h2 id="webhooks">Webhooks</h2><p>The relay sends webhooks to your receiver. They are signed by the Standard Webhooks specification, with the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>. Each webhook is delivered at least once. Webhooks of one session or operation are delivered in order. <a href="#listEvents">List webhooks</a> shows the ones that were not delivered.</p></div>
${webhookDocs().map((doc) => webhookSection(doc, facts))}
</section>`;
}

/** One webhook: its description on the left, its body on the right. */
function webhookSection(doc: WebhookDoc, facts: PageFacts): Html {
  const id = webhookId(doc);
  return html`<section class="route" id="${id}" aria-labelledby="${id}-title">
<div class="about">
<h3 id="${id}-title"><a class="title-link" href="#${id}">${doc.summary}</a></h3>
<p class="address"><code>${doc.type}</code></p>
${prose(doc.description)}
<h4>Data</h4>
${dataFields(doc, facts)}
</div>
<div class="samples">
<h4>Body</h4>
${jsonCode(webhookExample(doc.type))}
</div>
</section>`;
}

function dataFields(doc: WebhookDoc, { schemas }: PageFacts): Html {
  const { of, beside } = dataOf(doc);
  const more = beside && fieldsOf(beside, schemas);
  switch (nameIn(of)) {
    case 'Session':
      return html`<p>The session at the time of the event, in the form of <a href="#getSession"><code>GET /v1/sessions/{id}</code></a>.</p>${more}`;
    case 'Operation':
      return html`<p>The operation at the time of the event, in the form of <a href="#getOperation"><code>GET /v1/operations/{id}</code></a>.</p>${more}`;
    default:
      return fieldsOf(of, schemas);
  }
}

/** The rules of all routes. `create` is the route that creates a session. */
function guide(create: NamedRoute, publicUrl: string): Html {
  return html`<section class="chapter" aria-labelledby="start">
<h2 id="start">Getting started</h2>
<p>Your server creates a session for an order. The answer has a <code>client_secret</code> for a page that shows the form, and a <code>checkout_url</code> to which you can redirect the shopper instead.</p>
${curlCode(create, publicUrl, createSessionExamples[0]?.value)}
<p>When the shopper has paid, read <a href="#getSession"><code>GET /v1/sessions/{id}</code></a>. Trust only that answer and the webhook, not values from the browser. All field names are those of the gateway’s interface.</p>
<p>The OpenAPI 3.1 document is at <a href="/openapi.json"><code>/openapi.json</code></a>.</p>
</section>

<section class="chapter" aria-labelledby="authentication">
<h2 id="authentication">Authentication</h2>
<p>Every route under <code>/v1</code> needs an API key: <code>Authorization: Bearer $API_KEY</code>. A key belongs to one account, so requests do not name the merchant. The relay signs the requests to the gateway. Keys have scopes. Each route states its scope; <code>*</code> includes all scopes. Keep keys on your server.</p>
<p>The form in the shopper’s browser uses the session’s <code>client_secret</code> instead, which gives access to that session only.</p>
</section>

<section class="chapter" aria-labelledby="idempotency">
<h2 id="idempotency">Idempotency</h2>
<p>A connection can break after the gateway has processed your request. So give every POST under <code>/v1</code> an <code>Idempotency-Key</code>, and repeat the request with the same key and the same body until you have an answer:</p>
<ul>
<li>The same key and body give the first answer again, with the same status and bytes, and <code>Idempotency-Replayed: true</code>.</li>
<li>The same key and another body give 422 <code>idempotency_key_reused</code>.</li>
<li>While the first request is running, the second gets 409 <code>in_progress</code> with <code>Retry-After</code>.</li>
<li>When the outcome of the first request is unknown, the second gets 409 <code>outcome_unknown</code>, and nothing is sent.</li>
</ul>
<p>A key belongs to your account and the route. A refusal with 400 or 422 uses up the key, unless it depends on other payments or refunds: send the corrected request with a new key. After any other refusal you can use the key again.</p>
</section>

<section class="chapter" aria-labelledby="unknown-outcomes">
<h2 id="unknown-outcomes">Unknown outcomes</h2>
<p>If an answer of the gateway is late, damaged or not signed, the money may have moved. The relay then reports <code>unknown</code> or <code>outcome_unknown</code>, never “failed”, and sends nothing twice.</p>
<p>The relay queries the gateway about a payment until its outcome is known. It searches for refunds, and settles a refund if only one result can match it. The gateway has no query for captures, cancellations, reviews, payouts and ends of subscriptions.</p>
<p><a href="#getSession">Read the session</a> or <a href="#getOperation">the operation</a>: <code>unknown</code> has the reason, the queries so far and the time of the next one. <a href="#reconcileOrder">Reconcile an order</a> to query the gateway at once. <code>needs_attention</code> means that a person must check the gateway’s records. That person can <a href="#settleSession">settle the session</a> or <a href="#settleOperation">the operation</a>. <a href="#refundSearch">Search refunds</a> shows which refunds the gateway has.</p>
</section>

<section class="chapter" aria-labelledby="amounts">
<h2 id="amounts">Amounts, dates and texts</h2>
<ul>
<li>Amounts are decimal strings, not numbers. They have at most the decimals of their currency (ISO 4217), and may have further zeros. An amount of a currency with decimals needs a decimal point: <code>"129.90"</code> and <code>"129.9"</code> BRL are the same, <code>"129"</code> is refused unless the account’s <code>amounts</code> is <code>lenient</code>. The relay sends at least two decimals to the gateway: <code>"1000.00"</code> JPY, <code>"10.500"</code> KWD.</li>
<li>Fields have the types of the gateway’s interface. Most are strings, even <code>installments</code>, <code>interval_count</code> and <code>expiration_month</code>. Only <code>quantity</code>, <code>billing_cycle</code>, <code>promotion_cycle</code>, <code>expires_in</code>, <code>checkout_time</code>, the prices of <code>cart_items</code> and the counts of <code>account_owner</code> are numbers.</li>
<li>Currencies are ISO 4217 codes (<code>BRL</code>), countries ISO 3166-1 alpha-2 codes (<code>BR</code>).</li>
<li>Times of the relay are ISO 8601 in UTC: <code>2027-03-31T10:15:00.000Z</code>. The description of each field of the gateway states its date format.</li>
<li>Strings may not contain control characters, except tabs and line ends, or unpaired surrogates.</li>
<li>Bodies are JSON in UTF-8 of at most 1 MiB, without the file of a document (<code>file_data</code>, at most 5 MB). If an object has a name twice, the last value applies. An unknown field is an error, which names the field. An optional field that is <code>""</code> or <code>null</code> counts as absent.</li>
<li>New versions may add fields to answers. Ignore fields that you do not know.</li>
</ul>
</section>

<section class="chapter" aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>Errors are <code>application/problem+json</code> (RFC 9457). Branch on <code>code</code>: its meaning never changes. <code>detail</code> is for people. Every answer has an <code>X-Request-Id</code>, which the operator needs to find the request. You can set it in the request: 8 to 64 letters, digits, <code>.</code>, <code>_</code> or <code>-</code>. <code>Turnpike-Version</code> is the version of the relay.</p>
${jsonCode(problemExample('invalid_request'))}
${allErrors()}
</section>`;
}

import type { OpenApiDocument } from '../document-types.ts';
import { type RouteDoc, type Tag, tags } from '../route.ts';
import { allRoutes } from '../routes/all.ts';
import { webhookDocs } from '../webhooks.ts';
import { chapters, guide } from './guide.ts';
import { type Html, html } from './html.ts';
import { type PageFacts, routeSection } from './route-section.ts';
import { webhookId, webhookSection } from './webhook-section.ts';

/** The page that shows the document to people: one small script for the search, nothing from another host. */
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

/** Without its script it is not shown. */
const searchField = html`<div class="search" role="search">
<label class="unseen" for="search">Search routes and webhooks</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" autocapitalize="off" spellcheck="false" aria-keyshortcuts="/" enterkeyhint="go">
<kbd aria-hidden="true">/</kbd>
<output id="found" for="search" aria-live="polite"></output>
</div>`;

const tagNames = Object.keys(tags).filter((name): name is Tag => Object.hasOwn(tags, name));

type Group = { tag: Tag; routes: readonly RouteDoc[] };

/** Beside the text where there is room, folded away above it where there is not. */
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
<ul>${webhookDocs.map((doc) => html`<li><a href="#${webhookId(doc)}"><span>${doc.summary}</span></a></li>`)}</ul>
<p class="none" hidden>Nothing found. Try a path, a field or an error code.</p>`;
  return html`<nav class="wide" aria-label="Contents">${links}</nav>
<details class="narrow"><summary>Contents</summary><nav aria-label="Contents">${links}</nav></details>`;
}

function tagSection(tag: Tag, routes: readonly RouteDoc[], facts: PageFacts): Html {
  const id = `tag-${tag.toLowerCase()}`;
  return html`<section class="tag" aria-labelledby="${id}">
<div class="chapter"><h2 id="${id}">${tag}</h2><p>${tags[tag]}</p></div>
${routes.map((route) => routeSection(route, facts))}
</section>`;
}

function webhooks(facts: PageFacts): Html {
  return html`<section class="tag" aria-labelledby="webhooks">
<div class="chapter"><h2 id="webhooks">Webhooks</h2><p>What the relay tells your receiver, signed after Standard Webhooks by the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>. Each comes at least once; those of one session or operation come in order. <a href="#listEvents">List webhooks</a> tells what did not arrive.</p></div>
${webhookDocs.map((doc) => webhookSection(doc, facts))}
</section>`;
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response, Router } from 'express';
import type { Context } from '../context/context.ts';
import { serve } from '../http/serve.ts';
import { aboutRelay, aboutRoutes, documentRoutes } from '../routes/relay.ts';
import { openApiDocument } from './document.ts';
import { docsPage } from './page/docs-page.ts';
import { html } from './page/html.ts';
import { searchContents } from './page/search.ts';

/** The page's policy. It loads only its style sheet and its script. */
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** The text of the function is JavaScript for browsers, because Node strips the types from the file. */
const script = `(${searchContents})(document);\n`;

/** The style sheets, which are served as one in this order. */
const styleSheets = ['../../../shared/pages/base.css', 'base.css', 'frame.css', 'search.css', 'reference.css'];

const readStyles = (file: string): string => readFileSync(join(import.meta.dirname, 'page', file), 'utf8');

const { version, description, links } = aboutRelay;

const aboutPage = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Turnpike relay</title>
</head>
<body>
<h1>Turnpike relay ${version}</h1>
<p>${description}</p>
<ul>
<li><a href="${links.docs}">API reference</a></li>
<li><a href="${links.openapi}">OpenAPI document</a></li>
<li><a href="${links.health}">Health</a></li>
<li><a href="${links.readiness}">Readiness</a></li>
</ul>
</body>
</html>
`.toString();

/** The routes that describe the relay and its API, for programs and for people. */
export function serveDocument(context: Context): Router {
  const { public_url, gateway } = context.config;
  // Made for the first request, then kept: it does not change while the relay runs.
  const document = once(() => openApiDocument(public_url, gateway.profile));
  return serve(
    context,
    { ...aboutRoutes, ...documentRoutes },
    {
      // Browsers get a page, other clients JSON.
      about: ({ req, res }) => {
        res.set('Cache-Control', 'public, max-age=60').vary('Accept');
        if (req.accepts(['json', 'html']) !== 'html') res.json(aboutRelay);
        else res.set('Content-Security-Policy', CSP).type('html').send(aboutPage);
      },
      // Any program may read it, generators and viewers in a browser too.
      openApi: sendKept('application/json', () => JSON.stringify(document()), { 'Access-Control-Allow-Origin': '*' }),
      docs: sendKept('text/html; charset=utf-8', () => docsPage(document()), { 'Content-Security-Policy': CSP }),
      docsStyle: sendKept('text/css; charset=utf-8', () => styleSheets.map(readStyles).join('\n'), {}),
      docsScript: sendKept('text/javascript; charset=utf-8', () => script, {}),
    },
  );
}

/** Sends a text that never changes, with an ETag: a client that has it gets a 304. */
function sendKept(type: string, make: () => string, headers: Readonly<Record<string, string>>) {
  const kept = once(() => {
    const body = make();
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 32)}"` };
  });
  return ({ res }: { res: Response }): void => {
    const { body, etag } = kept();
    res.set({ 'Content-Type': type, 'Cache-Control': 'public, max-age=60', ETag: etag, ...headers }).send(body);
  };
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

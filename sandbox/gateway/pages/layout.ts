import { type Html, html } from '../../../shared/pages/html.ts';

const pages = [
  { path: '/', name: 'Messages' },
  { path: '/cards', name: 'Test cards' },
  { path: '/admin', name: 'Admin' },
] as const;

type Page = {
  path: (typeof pages)[number]['path'];
  /** The purpose of the page, in a sentence or two. */
  lead: string;
  /** The page's own stylesheet, besides the shared one. */
  stylesheet: string;
  head?: Html;
  content: Html;
};

/** A page of the gateway for its users. */
export function layout({ path, lead, stylesheet, head, content }: Page): Html {
  const name = pages.find((page) => page.path === path)?.name;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} · Sandbox gateway</title>
<link rel="stylesheet" href="/gateway.css">
<link rel="stylesheet" href="${stylesheet}">
<link rel="icon" href="data:,">
${head}
</head>
<body>
<header>
<p class="eyebrow">Turnpike sandbox</p>
<h1>Gateway</h1>
<nav aria-label="Pages">${pages.map((page) =>
    page.path === path
      ? html`<a href="${page.path}" aria-current="page">${page.name}</a>`
      : html`<a href="${page.path}">${page.name}</a>`,
  )}</nav>
<p class="lead">${lead}</p>
</header>
<main>
${content}
</main>
</body>
</html>`;
}

/** One choice of a `select`. */
export function option(value: string, label: string, selected: boolean): Html {
  return selected
    ? html`<option value="${value}" selected>${label}</option>`
    : html`<option value="${value}">${label}</option>`;
}

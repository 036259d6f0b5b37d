import { type Html, html } from '../../shared/pages/html.ts';

type Page = { title: string; content: Html; theme?: string; head?: Html };

/** A page of the shop. */
export function layout({ title, content, theme = 'auto', head }: Page): string {
  return html`<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Folha</title>
<link rel="stylesheet" href="/shop.css">
<link rel="icon" href="data:,">
${head}
</head>
<body>
<header class="top"><a href="/">Folha</a><span>Tea from the hills</span></header>
<main>${content}</main>
<footer>An example shop of the Turnpike sandbox. Nothing is sold and no money moves.</footer>
</body>
</html>`.toString();
}

import type { Boot, RenderedPage, Theme } from '../../shared/checkout/view.ts';
import type { Assets } from './assets.ts';

/** A whole HTML document and the headers that it needs. */
export type Page = { html: string; headers: Record<string, string> };

/** The document of a checkout: rendered body, the form's style sheet inline, its script as a module. */
export function checkoutPage(
  assets: Assets,
  rendered: RenderedPage & { boot: Boot },
  asked: { theme: Theme; framed: boolean },
  allowedOrigins: readonly string[],
): Page {
  const script = `<script type="module" src="/form/${assets.formEntry}"></script>`;
  const boot = `<script type="application/json" id="boot">${scriptSafe(JSON.stringify(rendered.boot))}</script>`;
  return page(assets, rendered, asked, { script, boot, frameAncestors: allowedOrigins.join(' ') });
}

/** The document of a page that only tells something. */
export function noticePage(assets: Assets, rendered: RenderedPage): Page {
  return page(assets, rendered, { theme: 'auto', framed: false }, { script: '', boot: '', frameAncestors: "'none'" });
}

/** The content security policy of the frame (design 4.2). */
export function contentSecurityPolicy(cssHash: string, frameAncestors: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${cssHash}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function page(
  assets: Assets,
  rendered: RenderedPage,
  { theme, framed }: { theme: Theme; framed: boolean },
  parts: { script: string; boot: string; frameAncestors: string },
): Page {
  const scheme = theme === 'auto' ? 'light dark' : theme;
  const html = `<!doctype html>
<html lang="${escapeHtml(rendered.lang)}" dir="${rendered.dir}" data-theme="${theme}"${framed ? ' class="framed"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme}">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${escapeHtml(rendered.title)}</title>
<style>${assets.css}</style>
${parts.script}
</head>
<body>
<div id="turnpike">${rendered.body}</div>
${parts.boot}
</body>
</html>
`;
  return {
    html,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy(assets.cssHash, parts.frameAncestors),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    },
  };
}

/** JSON inside a script element must not be able to end it. */
function scriptSafe(json: string): string {
  return json.replaceAll('<', '\\u003c');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

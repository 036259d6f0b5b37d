import { CHANNEL, type ErrorDetail, type FrameMessage } from '../../shared/checkout/frame.ts';
import { localeTag } from '../../shared/checkout/session.ts';
import type { Boot, RenderedPage } from '../../shared/checkout/view.ts';
import { escapeHtml } from '../../shared/pages/html.ts';
import { noDevices } from '../http/answer.ts';
import type { PageTheme } from './appearance.ts';
import { type Assets, hashOf } from './assets.ts';
import type { PageFonts } from './fonts.ts';

/** An HTML document and the headers that it needs. */
export type Page = { html: string; headers: Record<string, string> };

/** The options of a page: whether it is in a frame, the rules that set the shop's CSS variables, and the shop's fonts. */
type PageOptions = PageTheme & { framed: boolean; variables: string; fonts?: PageFonts };

/** The document of a checkout without its ending, the form's script. The style sheet is inline. */
export function checkoutPage(
  assets: Assets,
  rendered: RenderedPage & { boot: Boot },
  options: PageOptions,
  allowedOrigins: readonly string[],
): Page {
  const preloads = new Set((rendered.preload ?? []).flatMap((part) => assets.preload[part]));
  // Every form loads the flow, which imports the wording. Preloading the wording saves a round trip; in the head it would delay the
  // document.
  const late = assets.preload.wording.filter((file) => !preloads.has(file));
  const { painted, form } = assets.inline;
  const { start, headers } = page(assets, rendered, options, {
    head: [...preloads].map(preloadLink).join('\n'),
    scriptHashes: ` '${painted.integrity}' '${form.integrity}'`,
    frameAncestors: allowedOrigins.join(' '),
  });
  const boot = scriptSafe(JSON.stringify(rendered.boot));
  // The form's script runs once the rendered form is parsed, so browsers show the form first.
  return {
    html: `${start}<script>${painted.code}</script>
${late.map(preloadLink).join('')}<script type="application/json" id="boot">${boot}</script>
`,
    headers,
  };
}

/**
 * The document of a page with one message. With `error` any page may frame it, because the allowed origins of an unknown session are not
 * known, and it reports the error to that page as the form does.
 */
export function messagePage(
  assets: Assets,
  rendered: RenderedPage,
  options: Omit<PageOptions, 'framed'>,
  error?: ErrorDetail,
): Page {
  const message: FrameMessage | undefined = error && { channel: CHANNEL, type: 'error', detail: error };
  const script = message && `parent.postMessage(${scriptSafe(JSON.stringify(message))},'*')`;
  const { start, headers } = page(
    assets,
    rendered,
    { ...options, framed: error !== undefined },
    { head: '', scriptHashes: script ? ` '${hashOf(script)}'` : '', frameAncestors: script ? '*' : "'none'" },
  );
  return { html: `${start}${script ? `<script>${script}</script>\n` : ''}</body>\n</html>\n`, headers };
}

/** The content security policy of a page. Each hash in `scriptHashes` follows a space. */
export function contentSecurityPolicy(
  styleHashes: string,
  frameAncestors: string,
  scriptHashes = '',
  fontSources: readonly string[] = [],
): string {
  return [
    "default-src 'none'",
    `script-src 'self'${scriptHashes}`,
    `style-src 'self' ${styleHashes}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    ...(fontSources.length > 0 ? [`font-src ${fontSources.join(' ')}`] : []),
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function preloadLink(file: string): string {
  return `<link rel="modulepreload" href="/${file}">`;
}

/** A document up to the end of its visible part. */
function page(
  assets: Assets,
  rendered: RenderedPage,
  { theme, compact, hide, framed, variables, fonts }: PageOptions,
  parts: { head: string; scriptHashes: string; frameAncestors: string },
): { start: string; headers: Record<string, string> } {
  const scheme = theme === 'auto' ? 'light dark' : theme;
  const classes = [...(framed ? ['framed'] : []), ...(compact ? ['compact'] : [])].join(' ');
  const styles = [assets.css, rendered.style, fonts?.rules, variables].flatMap((style) => (style ? [style] : []));
  const start = `<!doctype html>
<html lang="${escapeHtml(rendered.lang)}" dir="${rendered.dir}" data-theme="${theme}"${hide ? ` data-hide="${hide}"` : ''}${classes && ` class="${classes}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme}">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${escapeHtml(rendered.title)}</title>
${parts.head}
${styles.map((style) => `<style${style === variables ? ' id="variables"' : ''}>${style}</style>`).join('')}
</head>
<body>
<div id="turnpike">${rendered.body}</div>
`;
  const styleHashes = styles.map((style) => `'${hashOf(style)}'`).join(' ');
  return {
    start,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy(
        styleHashes,
        parts.frameAncestors,
        parts.scriptHashes,
        fonts?.sources,
      ),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      ...noDevices,
      // A cross-origin isolated page (COEP) can only frame documents that have these two headers.
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  };
}

/** JSON inside a script element must not be able to end it. */
function scriptSafe(json: string): string {
  return json.replaceAll('<', '\\u003c');
}

/**
 * The requested languages, best first: of the query, the session and the browser (RFC 9110 12.5.4). Apps send `pt_BR` for `pt-BR`. Texts
 * that are not language tags are left out.
 */
export function requestedLocales(
  queryLocale: unknown,
  sessionLocale: string | undefined,
  acceptLanguage: string | undefined,
): string[] {
  const accepted = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', weight] = entry.trim().split(/\s*;\s*q=/i);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight)
    .map(({ tag }) => tag);
  return [queryLocale, sessionLocale, ...accepted].flatMap((requested) => {
    const parsed = localeTag
      .min(2)
      .safeParse(typeof requested === 'string' ? requested.replaceAll('_', '-') : requested);
    return parsed.success ? [parsed.data] : [];
  });
}

import type { InlineScript } from './assets.ts';

/**
 * The hidden page of `Turnpike.doctor()`. Any page may hold it, for it is there to tell a page why it may not hold the form. It
 * knows nothing by itself, and tells what a session's public page tells to the holder of its client secret alone.
 */
export function probePage({ code, integrity }: InlineScript): { html: string; headers: Record<string, string> } {
  const policy = [
    "default-src 'none'",
    `script-src '${integrity}'`,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    'frame-ancestors *',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>Turnpike</title>
<script>${code}</script>
</html>
`,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  };
}

/** The document of one picture: a checkout page's own shell. Its script is beside it. */
export function framePage(css: string): string {
  return `<!doctype html>
<html lang="en" dir="ltr" data-theme="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Checkout</title>
<style>${css}</style>
<script type="module" src="frame.js"></script>
</head>
<body>
<div id="turnpike"></div>
</body>
</html>
`;
}

/** The fragment of a frame's address that requests a picture, in its own language or another one. */
export function asking(name: string, theme: 'light' | 'dark' | 'auto', locale?: string): string {
  return `${new URLSearchParams({ name, theme, ...(locale && { locale }) })}`;
}

/** A text, escaped for a page or an attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

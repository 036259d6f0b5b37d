import css from './more.css?inline';

/**
 * Adds the looks of what a plain card form does not show at first. The page's policy forbids a style element that comes by
 * script, but not a sheet that a script makes; where a browser cannot make one, texts stay plain.
 */
export function dress(document: Document): void {
  if (!document.adoptedStyleSheets) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

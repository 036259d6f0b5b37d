import { escapeHtml, Html } from '../../../shared/pages/html.ts';

export { Html, html } from '../../../shared/pages/html.ts';

/** Text in which backquotes stand round code, as HTML without a block of its own. */
export function inline(text: string): Html {
  return new Html(escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>'));
}

/** The same, with a blank line between its paragraphs. */
export function prose(text: string): Html {
  return new Html(
    text
      .split(/\n\n+/)
      .map((paragraph) => `<p>${inline(paragraph)}</p>`)
      .join('\n'),
  );
}

import { escapeHtml, Html, html } from '../../../shared/pages/html.ts';
import type { NamedRoute } from '../../routes/route.ts';

export { Html, html };

/** The attribute of a `<details>` that is open at first. */
export const openAttribute = html` open`;

/** Text with code in backquotes, as HTML without a block. */
export function inline(text: string): Html {
  return new Html(escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>'));
}

/** Text with a blank line between its paragraphs, as HTML. */
export function prose(text: string): Html {
  return new Html(
    text
      .split(/\n\n+/)
      .map((paragraph) => `<p>${inline(paragraph)}</p>`)
      .join('\n'),
  );
}

/** A value as indented JSON, with marks around its names and values for the style sheet. */
export function jsonCode(value: unknown): Html {
  return codeBlock('JSON', jsonMarks(JSON.stringify(value, null, 2)));
}

/** The command that sends an example. `$API_KEY` and `$CLIENT_SECRET` stay for the reader's shell. */
export function curlCode(route: NamedRoute, publicUrl: string, body: object | undefined): Html {
  const path = (route.parameters ?? []).reduce<string>(
    (text, { name, in: place, example }) => (place === 'path' ? text.replace(`{${name}}`, example) : text),
    route.path,
  );
  const lines = [
    `curl ${publicUrl}${path}`,
    ...methodOption(route, body),
    ...authorization(route),
    ...(route.repeatable ? ['-H "Idempotency-Key: $(openssl rand -hex 16)"'] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"']),
  ];
  const command = lines.join(' \\\n  ');
  if (body === undefined) return codeBlock('Request', [html`${command}`]);
  // Inside single quotes the shell changes nothing, but ends at a quote.
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return codeBlock('Request', [html`${command} \\\n  -d '`, ...jsonMarks(json), html`'`]);
}

/** The option of the method. curl itself uses POST for a body, and GET without one. */
function methodOption({ method }: NamedRoute, body: object | undefined): string[] {
  const byItself = body === undefined ? 'get' : 'post';
  return method === byItself ? [] : [`-X ${method.toUpperCase()}`];
}

function authorization({ access }: NamedRoute): string[] {
  switch (access.kind) {
    case 'api_key':
      return ['-H "Authorization: Bearer $API_KEY"'];
    case 'client_secret':
      return ['-H "Authorization: Bearer $CLIENT_SECRET"'];
    case 'public':
      return [];
  }
}

// Long lines scroll, so the block can be reached by keyboard and has a name.
function codeBlock(label: string, content: readonly Html[]): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code class="listing">${content}</code></pre>`;
}

function jsonMarks(json: string): Html[] {
  return json.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?)/).map((part) => {
    if (!part.startsWith('"')) return html`${part}`;
    return part.endsWith(':')
      ? html`<span class="listing-name">${part}</span>`
      : html`<span class="listing-text">${part}</span>`;
  });
}

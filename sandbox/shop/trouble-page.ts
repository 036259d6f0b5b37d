import { type RelayAnswerUnusable, RelayRefused, RelayUnreachable } from '../../client/index.ts';
import { type Html, html } from '../html.ts';
import { layout } from './layout.ts';

/** What went wrong with the relay, and what the developer who reads this can do. */
export function troublePage(trouble: RelayUnreachable | RelayRefused | RelayAnswerUnusable, relayUrl: string): string {
  const content = trouble instanceof RelayUnreachable ? unreachable(relayUrl) : answered(trouble, relayUrl);
  return layout({ title: 'No checkout', content: html`<div class="notice bad">${content}</div>` });
}

function unreachable(relayUrl: string): Html {
  return html`<h1>The relay does not answer</h1>
<p>The shop asked <code>${relayUrl}</code> for a checkout and got no answer.</p>
<ol>
<li>See whether it runs: <a href="${relayUrl}/healthz">${relayUrl}/healthz</a></li>
<li>Start everything again with <code>npm start</code></li>
<li>Its log is in <code>data/relay.log</code></li>
</ol>`;
}

function answered(trouble: RelayRefused | RelayAnswerUnusable, relayUrl: string): Html {
  if (!(trouble instanceof RelayRefused)) {
    return html`<h1>This is not the relay</h1>
<p>Something else than Turnpike’s relay answers at <code>${relayUrl}</code>. Stop it, or give the relay another port with <code>PORT_RELAY</code>.</p>`;
  }
  const { status, code, title, detail, errors } = trouble;
  return html`<h1>The relay refused the order</h1>
<p>${title}. ${detail}</p>
<p><code>${status} ${code}</code></p>
<ul>${errors.map(({ path, message }) => html`<li><code>${path}</code> ${message}</li>`)}</ul>
<p>${hint(status)}</p>`;
}

function hint(status: number): string {
  if (status === 401 || status === 403)
    return 'The shop’s API key is made anew at each start: start everything again with npm start.';
  if (status >= 500) return 'Its log in data/relay.log says more. Load this page again in a moment.';
  return 'Change the order in sandbox/shop/tea.ts, or the options in this page’s address.';
}

import { type Html, html } from '../html.ts';
import type { LoggedAnswer, LoggedMessage } from './messages.ts';
import { grouped, testCards } from './test-cards.ts';

/** The gateway's front page: every message that came and what was answered, newest first. */
export function messagesPage(messages: readonly LoggedMessage[]): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox gateway</title>
<link rel="stylesheet" href="/messages.css">
<link rel="icon" href="data:,">
<script src="/messages.js" defer></script>
<noscript><meta http-equiv="refresh" content="5"></noscript>
</head>
<body>
<header>
<p class="eyebrow">Turnpike sandbox</p>
<h1>Gateway</h1>
<p class="lead">Every message that the gateway received and what it answered, newest first. Card numbers and security codes are masked before they are kept.</p>
</header>
<main>
<section id="messages" aria-label="Messages" aria-live="off">${list(messages)}</section>
<aside aria-label="Test cards">
<h2>Test cards</h2>
<ul>${testCards.map((card) => html`<li><code>${grouped(card.number)}</code><span>${card.title}</span></li>`)}</ul>
<p>Any other valid number is approved. Any expiry date to come and any security code will do.</p>
</aside>
</main>
</body>
</html>`;
}

function list(messages: readonly LoggedMessage[]): Html {
  if (messages.length === 0) {
    return html`<p class="empty">Nothing yet. Pay in the example shop and watch the messages arrive.</p>`;
  }
  return html`<ol>${messages.map((message) => html`<li>${row(message)}</li>`)}</ol>`;
}

function row({ id, at, operation, order_no, request, answer }: LoggedMessage): Html {
  return html`<details id="message-${id}">
<summary>
<time datetime="${at.toISOString()}">${at.toISOString().slice(11, 19)}</time>
<span class="operation">${operation}</span>
<span class="order">${order_no}</span>
${status(answer)}
</summary>
<div class="bodies">
<figure><figcaption>Request</figcaption><pre tabindex="0">${request}</pre></figure>
<figure><figcaption>Answer</figcaption><pre tabindex="0">${answer.state === 'sent' ? answer.body : '(none)'}</pre></figure>
</div>
</details>`;
}

function status(answer: LoggedAnswer): Html {
  switch (answer.state) {
    case 'waiting':
      return html`<span class="status waiting">not answered yet</span>`;
    case 'gone':
      return html`<span class="status refused"><b>never answered</b></span>`;
    case 'sent':
      return html`<span class="status ${answer.status === 200 ? 'taken' : 'refused'}"><b>${answer.status}</b> ${answer.summary}</span>`;
  }
}

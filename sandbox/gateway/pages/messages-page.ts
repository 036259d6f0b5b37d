import { operationNames } from '../../../shared/gateway/operations.ts';
import { type Html, html } from '../../html.ts';
import { guide } from './guide.ts';
import { layout } from './layout.ts';
import { type Entry, type MessageFilter, NOTIFICATION } from './message-filter.ts';
import { notificationRow, receivedRow } from './message-rows.ts';

/** The gateway's front page: every message that came in and went out, newest first, as far as the filter lets it through. */
export function messagesPage(entries: readonly Entry[], filter: MessageFilter): Html {
  return layout({
    path: '/',
    lead: 'Every message that the gateway received and what it answered, and every notification that it sent, newest first. Card numbers and security codes are masked before they are kept.',
    stylesheet: '/messages.css',
    head: html`<link rel="stylesheet" href="/guide.css">
<script src="/messages.js" defer></script>`,
    content: html`<div>
${filterForm(filter)}
<section id="messages" aria-label="Messages" aria-live="off">${list(entries, filter)}</section>
</div>
${guide()}`,
  });
}

function filterForm({ operation, order_no }: MessageFilter): Html {
  const option = (name: string, label: string) =>
    name === operation
      ? html`<option value="${name}" selected>${label}</option>`
      : html`<option value="${name}">${label}</option>`;
  return html`<form class="filter" method="get" action="/" role="search" aria-label="Filter messages">
<label>Operation <select name="operation">${option('', 'All')}${operationNames.map((name) => option(name, name))}${option(NOTIFICATION, 'notifications')}</select></label>
<label>Order <input name="order_no" value="${order_no}" autocomplete="off" spellcheck="false" placeholder="any part of it"></label>
<button>Show</button>
${isEverything({ operation, order_no }) ? undefined : html`<a class="button" href="/">Show all</a>`}
<noscript><a class="button" href="">Look again</a></noscript>
</form>`;
}

function list(entries: readonly Entry[], filter: MessageFilter): Html {
  if (entries.length > 0) return html`<ol>${entries.map((entry) => html`<li>${row(entry)}</li>`)}</ol>`;
  return isEverything(filter)
    ? html`<p class="empty">Nothing yet. Pay in the example shop and watch the messages arrive.</p>`
    : html`<p class="empty">No message fits.</p>`;
}

function row(entry: Entry): Html {
  return entry.direction === 'received' ? receivedRow(entry.message) : notificationRow(entry.notification);
}

function isEverything({ operation, order_no }: MessageFilter): boolean {
  return operation === '' && order_no === '';
}

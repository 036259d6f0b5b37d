import { testCards } from '../../../shared/card-data/test-cards.ts';
import { operationNames } from '../../../shared/gateway/operations.ts';
import { type Html, html } from '../../../shared/pages/html.ts';
import { intervalWords } from '../base/clock.ts';
import { type Fault, type FaultName, faultNames, faults } from '../faults/faults.ts';
import { issuerBehaviourNames, issuerBehaviours } from '../faults/issuer-behaviours.ts';
import { grouped } from '../faults/test-cards.ts';
import type { LoggedAnswer, LoggedMessage } from '../messages/messages.ts';
import type { LoggedNotification, NotificationState, Try } from '../notifications/notification-log.ts';
import { payoutKeywords } from '../operations/payout.ts';
import { layout, option } from './layout.ts';

/** The gateway's front page: all received and sent messages that match the filter, newest first. */
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
  const choice = (name: string, label: string) => option(name, label, name === operation);
  return html`<form class="filter" method="get" action="/" role="search" aria-label="Filter messages">
<label>Operation <select name="operation">${choice('', 'All')}${operationNames.map((name) => choice(name, name))}${choice(NOTIFICATION, 'notifications')}</select></label>
<label>Order <input name="order_no" value="${order_no}" autocomplete="off" spellcheck="false" placeholder="any part of it"></label>
<button>Show</button>
${isEverything({ operation, order_no }) ? undefined : html`<a class="button" href="/">Show all</a>`}
<noscript><a class="button" href="">Look again</a></noscript>
</form>`;
}

function list(entries: readonly Entry[], filter: MessageFilter): Html {
  if (entries.length > 0) return html`<ol>${entries.map((entry) => html`<li>${entry.row()}</li>`)}</ol>`;
  return isEverything(filter)
    ? html`<p class="empty">Nothing yet. Pay in the example shop and watch the messages arrive.</p>`
    : html`<p class="empty">No message fits.</p>`;
}

function isEverything({ operation, order_no }: MessageFilter): boolean {
  return operation === '' && order_no === '';
}

type Line = { type: string; see: string };

/** Guide for testers: the cards, faults and keywords. */
function guide(): Html {
  return html`<aside aria-labelledby="guide">
<h2 id="guide">What to type to see what</h2>
<details open><summary>Test cards</summary>
${lines(Object.values(testCards).map(({ number, title }) => ({ type: grouped(number), see: title })))}
<p><a href="/cards">What the form shows for each</a>, to copy. Any other valid number is approved, and so is any security code. An expiry that is over by the gateway’s clock, or that cannot be read, is declined with <code>2005:Expired card</code>; none at all will do.</p>
</details>
<details><summary>Faults, in an order number</summary>
<p><code>A-1-fault:never</code> strikes whatever is done to that order, in a batch or by its transaction_id too. Name an operation to strike it alone, which query and refund_search need: <code>fault:refund.reset</code>, <code>fault:query.late</code>. A payout takes them in reference or client_data, a subscription’s cancel in contract_name.</p>
${lines(faultNames.map((name) => ({ type: `fault:${name}`, see: seen(faults[name]) })))}
<p>The <a href="/admin">admin page</a> arms the same for messages to come, whatever they say.</p>
</details>
<details><summary>Issuers, in an order number</summary>
<p><code>A-1-issuer:once</code> makes the bank picky about who opens its pages, and how. The <a href="/admin">admin page</a> chooses the same for payments to come.</p>
${lines(issuerBehaviourNames.map((name) => ({ type: `issuer:${name}`, see: issuerBehaviours[name].does })))}
</details>
<details><summary>Subscriptions, in interval</summary>
${lines(intervalWords.map(({ unit, words }) => ({ type: words.join(', '), see: `Charged at the end of each ${unit}, or of every interval_count of them.` })))}
<p>Any other word makes a contract that is never charged by itself. Cancelling its first payment, or rejecting it in review, ends a contract at once.</p>
</details>
<details><summary>Payouts, in reference or client_data</summary>
${lines(Object.entries(payoutKeywords).map(([type, { title }]) => ({ type, see: title })))}
<p>Anything else is COMPLETED at once.</p>
</details>
</aside>`;
}

function seen({ does, only }: Fault): string {
  return only?.length === 1 ? `${does} Strikes ${only[0]} alone.` : does;
}

function lines(all: readonly Line[]): Html {
  return html`<dl>${all.map(({ type, see }) => html`<div><dt><code>${type}</code></dt><dd>${see}</dd></div>`)}</dl>`;
}

/** A received message and its answer. */
function receivedRow({ id, at, operation, order_no, request, faults, answer }: LoggedMessage): Html {
  return html`<details id="message-${id}">
${summary({ at, direction: 'received', name: operation, order_no, faults, status: answerStatus(answer) })}
<div class="bodies">
<figure><figcaption>Request received</figcaption><pre tabindex="0">${request}</pre></figure>
<figure><figcaption>${answerCaption(answer)}</figcaption><pre tabindex="0">${'body' in answer ? answer.body : '(none)'}</pre></figure>
</div>
</details>`;
}

/** A sent notification, and the receiver's answer to each try. */
function notificationRow(notification: LoggedNotification): Html {
  const { id, at, kind, order_no, url, shape, body, faults, tries, outcome } = notification;
  const status = notificationStatus(outcome, tries);
  return html`<details id="notification-${id}">
${summary({ at, direction: 'sent', name: `notification: ${kind}`, order_no, faults, status })}
<div class="bodies">
<figure><figcaption>Sent as ${shape === 'form' ? 'a form' : shape.toUpperCase()} to ${url}</figcaption><pre tabindex="0">${body}</pre></figure>
<figure><figcaption>What the receiver answered</figcaption><pre tabindex="0">${triesText(tries, outcome)}</pre></figure>
</div>
</details>`;
}

type Summary = {
  at: Date;
  direction: 'received' | 'sent';
  name: string;
  order_no: string;
  faults: readonly FaultName[];
  status: Html;
};

function summary({ at, direction, name, order_no, faults, status }: Summary): Html {
  return html`<summary>
<time datetime="${at.toISOString()}">${time(at)}</time>
<span class="direction ${direction}">${direction}</span>
<span class="operation">${name}</span>
<span class="order">${order_no}</span>
<span class="status">${status}${faults.map((fault) => html` <span class="fault">fault: ${fault}</span>`)}</span>
</summary>`;
}

function answerStatus(answer: LoggedAnswer): Html {
  switch (answer.state) {
    case 'waiting':
      return html`<span class="waiting">not answered yet</span>`;
    case 'gone':
      return html`<b class="bad">never answered</b>`;
    case 'sent':
      return html`<b class="${answer.status === 200 ? 'good' : 'bad'}">${answer.status}</b> ${answer.summary}`;
    case 'cut':
      return html`<b class="bad">cut off</b> ${answer.summary}`;
    case 'reset':
      return html`<b class="bad">reset</b> ${answer.summary}`;
  }
}

function answerCaption(answer: LoggedAnswer): string {
  switch (answer.state) {
    case 'cut':
      return 'Answer (only the first half was sent)';
    case 'reset':
      return 'Answer that was lost with the connection';
    default:
      return 'Answer sent';
  }
}

function notificationStatus(outcome: NotificationState, tries: readonly Try[]): Html {
  const times = tries.length === 1 ? '1 try' : `${tries.length} tries`;
  switch (outcome.state) {
    case 'waiting':
      return html`<span class="waiting">${tries.length === 0 ? 'waiting' : `not taken yet, ${times}`}</span>`;
    case 'delivered':
      return html`<b class="good">200</b> taken${tries.length > 1 ? ` after ${times}` : ''}`;
    case 'given_up':
      return html`<b class="bad">given up</b> after ${times}`;
    case 'dropped':
      return html`<b class="bad">not sent</b> ${outcome.why}`;
  }
}

function triesText(tries: readonly Try[], outcome: NotificationState): string {
  if (tries.length > 0) return tries.map(tryLine).join('\n');
  return outcome.state === 'dropped' ? '(nothing was sent)' : '(not sent yet)';
}

function tryLine(one: Try): string {
  return `${time(one.at)}  ${'status' in one ? `${one.status} ${one.body}`.trim() : one.failure}`;
}

function time(at: Date): string {
  return at.toISOString().slice(11, 19);
}

/** The filter of the list; empty texts match everything. */
type MessageFilter = { operation: string; order_no: string };

/** One line of the list: a received message, or a sent notification. */
type Entry = { at: Date; operation: string; order_no: string; row: () => Html };

/** The common name of every operation's notifications. */
const NOTIFICATION = 'notification';

/** Reads the filter from the address of the page. */
export function filterOf(query: Readonly<Record<string, unknown>>): MessageFilter {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
  return { operation: text(query.operation), order_no: text(query.order_no) };
}

/** The lines that match the filter, newest first. */
export function entriesOf(
  messages: readonly LoggedMessage[],
  notifications: readonly LoggedNotification[],
  { operation, order_no }: MessageFilter,
): Entry[] {
  const received = messages.map((message): Entry => ({ ...message, row: () => receivedRow(message) }));
  const sent = notifications.map((notification): Entry => {
    const { at, order_no: order } = notification;
    return { at, operation: NOTIFICATION, order_no: order, row: () => notificationRow(notification) };
  });
  return [...sent, ...received]
    .filter((entry) => operation === '' || operation === entry.operation)
    .filter((entry) => entry.order_no.includes(order_no))
    .sort((one, other) => other.at.getTime() - one.at.getTime());
}

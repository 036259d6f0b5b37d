import { type Html, html } from '../../html.ts';
import type { FaultName } from '../faults/faults.ts';
import type { LoggedAnswer, LoggedMessage } from '../messages/messages.ts';
import type { LoggedNotification, NotificationState, Try } from '../notifications/notification-log.ts';

/** A message that came in, and its answer. */
export function receivedRow({ id, at, operation, order_no, request, faults, answer }: LoggedMessage): Html {
  return html`<details id="message-${id}">
${summary({ at, direction: 'received', name: operation, order_no, faults, status: answerStatus(answer) })}
<div class="bodies">
<figure><figcaption>Request received</figcaption><pre tabindex="0">${request}</pre></figure>
<figure><figcaption>${answerCaption(answer)}</figcaption><pre tabindex="0">${'body' in answer ? answer.body : '(none)'}</pre></figure>
</div>
</details>`;
}

/** A notification that went out, and what its receiver said to each try. */
export function notificationRow(notification: LoggedNotification): Html {
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
      return 'Answer, of which the first half was sent';
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

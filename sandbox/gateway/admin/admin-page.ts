import { operationNames } from '../../../shared/gateway/operations.ts';
import { type Html, html } from '../../../shared/pages/html.ts';
import type { Clock } from '../base/clock.ts';
import type { RegisteredAddresses } from '../books/registered-addresses.ts';
import { type AnswerStyle, answerEncodings, MAX_PERIOD_RECORDS } from '../faults/answer-style.ts';
import { type ArmedFaults, faultNames, faults } from '../faults/faults.ts';
import { type IssuerBehaviours, issuerBehaviourNames, issuerBehaviours } from '../faults/issuer-behaviours.ts';
import { notificationShapes } from '../notifications/notices.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { Parts } from '../operations/handler.ts';
import { layout, option } from '../pages/layout.ts';
import { booksAtAGlance } from './admin-books.ts';

/** The message about the last form: done, or the reason of the refusal. */
export type Word = { kind: 'done' | 'refused'; text: string };

/** The page on which a person changes the gateway's behaviour and reads its records. */
export function adminPage(gateway: Parts, word?: Word): Html {
  return layout({
    path: '/admin',
    lead: 'Move the clock, arm faults, and decide what a bank, a reviewer, a card holder or the merchant in the portal would decide.',
    stylesheet: '/admin.css',
    content: html`${word && html`<p class="word ${word.kind}" role="${word.kind === 'done' ? 'status' : 'alert'}">${word.text}</p>`}
<div class="settings">
${clockForm(gateway.clock)}
${answersForm(gateway.styles.current)}
${shapeForm(gateway.notifier)}
${faultForm(gateway.armed)}
${issuerForm(gateway.issuers)}
${addressForm(gateway.registeredAddresses)}
</div>
${booksAtAGlance(gateway.books)}`,
  });
}

function clockForm(clock: Clock): Html {
  const now = clock.now().toISOString();
  return html`<section aria-labelledby="clock">
<h2 id="clock">Clock</h2>
<p class="figure"><time datetime="${now}">${now.slice(0, 10)} <b>${now.slice(11, 19)}</b></time> UTC</p>
<p>It goes forward only. Charges and payouts that fall due on the way are done.</p>
<form method="post" action="/admin/forms/clock" class="buttons">
${(['minute', 'hour', 'day', 'month'] as const).map((move) => html`<button name="move" value="${move}">+1 ${move}</button>`)}
</form>
</section>`;
}

const declaredBy = { header: 'Content-Type', content: 'XML declaration, or byte order mark' } as const;
const refusedWith = {
  none: 'no, messages are taken',
  401: 'with 401 Unauthorized',
  403: 'with 403 Forbidden',
  429: 'with 429 Too Many Requests',
} as const;

const codesBy = { two: '3000 and 4100 alone', each_state: 'one for each state' } as const;

function answersForm(style: AnswerStyle): Html {
  const options = (all: Readonly<Record<string, string>>, chosen: string) =>
    Object.entries(all).map(([value, label]) => option(value, label, value === chosen));
  return html`<section aria-labelledby="answers">
<h2 id="answers">Answers</h2>
<p>Gateways write them in many encodings, and a period may hold very many payments.</p>
<form method="post" action="/admin/forms/answers">
<label>Encoding <select name="encoding">${answerEncodings.map((name) => option(name, name, name === style.encoding))}</select></label>
<label>Declared by <select name="declared">${options(declaredBy, style.declared)}</select></label>
<label>Refused <select name="refuse_with">${options(refusedWith, style.refuse_with)}</select></label>
<label>Codes of payments <select name="payment_codes">${options(codesBy, style.payment_codes)}</select></label>
<label>More payments in a query over a period <input name="period_records" type="number" min="0" max="${MAX_PERIOD_RECORDS}" value="${style.period_records}" required></label>
<label><input name="number_codes" type="checkbox"${style.number_codes ? html` checked` : undefined}> Codes in JSON as numbers</label>
<button>Answer so</button>
</form>
</section>`;
}

const labels = { json: 'JSON', form: 'Form', xml: 'XML', get: 'GET, in the address' } as const;

function shapeForm(notifier: Notifier): Html {
  const options = [
    ...notificationShapes.map((shape) => ({ value: shape, label: labels[shape] })),
    { value: 'rotate', label: 'Each in turn' },
  ];
  return html`<section aria-labelledby="shape">
<h2 id="shape">Notifications</h2>
<p>The spec does not show what they look like, so a receiver should take any shape.</p>
<form method="post" action="/admin/forms/shape">
<label>Shape <select name="shape">${options.map(({ value, label }) => option(value, label, value === notifier.shape))}</select></label>
<button>Send them so</button>
</form>
</section>`;
}

function faultForm(armed: ArmedFaults): Html {
  const waiting = armed.list();
  return html`<section aria-labelledby="faults">
<h2 id="faults">Faults</h2>
<p>For the next messages, whatever they say.</p>
<form method="post" action="/admin/forms/faults">
<label>Operation <select name="operation">${option('*', 'any', true)}${operationNames.map((name) => option(name, name, false))}</select></label>
<label>Fault <select name="fault">${faultNames.map((name) => option(name, `${name}: ${faults[name].title}`, false))}</select></label>
<label>Times <input name="times" type="number" min="1" max="1000" value="1" required></label>
<button>Arm it</button>
</form>
${
  waiting.length === 0
    ? undefined
    : html`<ul>${waiting.map(({ fault, operation, times }) => html`<li><code>${fault}</code> for the next ${times === 1 ? 'message' : `${times} messages`} of ${operation === '*' ? 'any operation' : operation}</li>`)}</ul>
<form method="post" action="/admin/forms/faults/clear"><button>Disarm all</button></form>`
}
</section>`;
}

function issuerForm({ chosen }: IssuerBehaviours): Html {
  return html`<section aria-labelledby="issuer">
<h2 id="issuer">Issuer</h2>
<p>Banks are picky about who opens their pages, and how. For payments to come: ${issuerBehaviours[chosen].does}</p>
<form method="post" action="/admin/forms/issuer">
<label>Manner <select name="manner">${issuerBehaviourNames.map((name) => option(name, `${name}: ${issuerBehaviours[name].title}`, name === chosen))}</select></label>
<button>Behave so</button>
</form>
</section>`;
}

function addressForm(addresses: RegisteredAddresses): Html {
  return html`<section aria-labelledby="addresses">
<h2 id="addresses">Registered addresses</h2>
<p>Queries from elsewhere are refused.</p>
<form method="post" action="/admin/forms/addresses">
<label>Addresses and ranges, one a line <textarea name="addresses" rows="4" spellcheck="false">${addresses.list().join('\n')}</textarea></label>
<button>Register these</button>
</form>
</section>`;
}

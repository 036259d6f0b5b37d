import { expired, mistyped, type TestCard, type TestOutcome, testCards } from '../../../shared/card-data/test-cards.ts';
import type { Advice } from '../../../shared/checkout/status.ts';
import { type Html, html } from '../../../shared/pages/html.ts';
import { paymentCodes } from '../books/states.ts';
import { faultNames, faults } from '../faults/faults.ts';
import { issuerBehaviourNames, issuerBehaviours } from '../faults/issuer-behaviours.ts';
import { grouped, METHOD_BY_HAND } from '../faults/test-cards.ts';
import { layout } from './layout.ts';

const groups: { title: string; about: string; has(outcome: TestOutcome): boolean }[] = [
  {
    title: 'Approved',
    about: 'The form says so, and the element’s result event is approved.',
    has: ({ status }) => status === 'approved',
  },
  {
    title: 'Declined',
    about:
      'The form stays open and says what to do. The result event is declined; what the bank said is in the session’s attempts.',
    has: ({ status }) => status === 'declined',
  },
  {
    title: 'Pending',
    about:
      'The form waits for the payment, where the profile lists the order_status 2 as pending: the result event is pending, and another one follows once it is decided.',
    has: ({ status }) => status === 'pending',
  },
  {
    title: 'Not known at first',
    about:
      'The form confirms the payment and asks for no second payment: the result event is unknown, and another one follows once the relay has asked the gateway.',
    has: ({ status }) => status === 'unknown',
  },
];

/** The form's advice to a shopper, by the advice of a decline. */
const ADVICE: Record<Advice, string> = {
  check_details: 'check the card’s details',
  try_another_card: 'use another card',
  contact_bank: 'contact the bank',
  try_later: 'try again later',
};

const SETTLES = {
  approved: 'approved',
  open: 'open again: after a quarter of an hour in which the gateway knows of no such payment',
} as const;

/** A page for testers of a checkout, with every card and every other value that causes an outcome, to copy. */
export function cardsPage(): Html {
  const cards: readonly TestCard[] = Object.values(testCards);
  return layout({
    path: '/cards',
    lead: 'What to type for every outcome. Any expiry date to come, any security code and any name go with any card; other valid numbers are approved.',
    stylesheet: '/cards.css',
    head: html`<script src="/cards.js" defer></script>`,
    content: html`<p class="unseen" role="status"></p>
${groups.map(({ title, about, has }) =>
  section(title, html`<p>${about}</p>${list(cards.filter(({ outcome }) => has(outcome)).map(cardRow))}`),
)}
${section('Refused before anything is sent', refusals())}
${section('Other ways to pay', issuerOutcomes())}
${section('After the payment', afterwards())}
${section('Picky issuers, in the order number', issuerRows())}
${section('Saved cards', savedCards())}
${section('Faults, in the order number', faultRows())}`,
  });
}

function cardRow({ number, title, outcome }: TestCard): Html {
  return row(grouped(number), title, describe(outcome));
}

function describe(outcome: TestOutcome): string {
  switch (outcome.status) {
    case 'approved':
      return 'approved';
    case 'declined':
      return `${outcome.code}:${outcome.message}, ${outcome.advice}: ${ADVICE[outcome.advice]}`;
    case 'pending':
      return 'pending, until the admin page pays it or lets it expire';
    case 'unknown':
      return `unknown, then ${SETTLES[outcome.settles]}`;
  }
}

function refusals(): Html {
  const { code, message } = mistyped.outcome;
  return html`<p>The form finds these by itself and marks the field. Sent by the API, the gateway declines them.</p>
${list([
  row('4111 1111 1111 1112', 'A digit is wrong', `${code}:${message}`),
  row('12 / 20', 'An expiry date that is over, with any card', `${expired.outcome.code}:${expired.outcome.message}`),
])}`;
}

function issuerOutcomes(): Html {
  return html`<p>Any payment_method of the session leads to the issuer’s page of this sandbox. There a shopper can</p>
<dl>
${fact('Approve', 'and is back in the shop with an approved session.')}
${fact('Refuse', 'and is back with a session that is open again: not paid.')}
${fact('Pay later', 'as with a voucher: the session is pending, where the profile lists the code 1000 so, until the admin page pays it or lets it expire.')}
${fact('Go back', 'by the browser’s button: the form asks, and says that nothing is paid yet.')}
${fact('Close the tab', 'The session stays redirected until the checkout is opened again, or the order expires.')}
</dl>`;
}

function afterwards(): Html {
  const codes = Object.entries(paymentCodes).map(
    ([state, code]) => html`<code>${code}</code> ${state.replace('_', ' ')}`,
  );
  return html`<p>The <a href="/admin">admin page</a> does with a payment what its bank, its card holder, a reviewer or the merchant in the portal would do. The gateway sends a notification for each step, and shows it in a query. Of a payment by the method <code>${METHOD_BY_HAND}</code>, or by the card that is authorised only, nothing is captured or can be refunded before a capture; after a week it expires.</p>
<p>A record has the state in <code>payment_status</code>: with only two codes, 3000 and 4100, or with one for each state, as chosen on the admin page: ${codes.map((code, at) => html`${at === 0 ? '' : ', '}${code}`)}.</p>`;
}

function issuerRows(): Html {
  return html`<p>The <code>order_no</code> of a session may ask for a bank that is picky about who opens its pages, and how. The <a href="/admin">admin page</a> chooses the same for payments to come.</p>
${list(issuerBehaviourNames.map((name) => row(`issuer:${name}`, issuerBehaviours[name].title, issuerBehaviours[name].does)))}`;
}

function savedCards(): Html {
  return html`<p>This gateway has no vault: every <code>token_id</code> among a session’s <code>saved_cards</code> is approved, with any security code. To see another outcome, choose another card and type it.</p>`;
}

function faultRows(): Html {
  return html`<p>The <code>order_no</code> of a session may ask for trouble with any card, and with whatever is done to the order later. The <a href="/">front page</a> says more, and the <a href="/admin">admin page</a> arms the same for messages to come.</p>
${list(faultNames.map((name) => row(`fault:${name}`, faults[name].title, faults[name].does)))}`;
}

function section(title: string, content: Html): Html {
  const id = title.toLowerCase().replaceAll(/\W+/g, '-');
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;
}

function list(rows: readonly Html[]): Html {
  return html`<ul>${rows}</ul>`;
}

function row(text: string, title: string, outcome: string): Html {
  return html`<li><span class="typed"><code>${text}</code> <button type="button" data-copy="${text.replaceAll(' ', '')}" aria-label="Copy ${text}" hidden>Copy</button></span><span class="what"><b>${title}</b> <span>${outcome}</span></span></li>`;
}

function fact(name: string, what: string): Html {
  return html`<div><dt>${name}</dt><dd>${what}</dd></div>`;
}

import { type Html, html } from '../../html.ts';
import { intervalWords } from '../base/period.ts';
import { type Fault, faultNames, faults } from '../faults/faults.ts';
import { mannerNames, manners } from '../faults/issuer-manners.ts';
import { failing, grouped, testCards } from '../faults/test-cards.ts';
import { payoutKeywords } from '../operations/payout.ts';

type Line = { type: string; see: string };

/** What to type to see what: cards, faults and keywords. */
export function guide(): Html {
  return html`<aside aria-labelledby="guide">
<h2 id="guide">What to type to see what</h2>
<details open><summary>Test cards</summary>
${lines([...testCards, failing].map(({ number, title }) => ({ type: grouped(number), see: title })))}
<p><a href="/cards">What the form shows for each</a>, to copy. Any other valid number is approved, and so is any security code. An expiry that is over by the gateway’s clock, or that cannot be read, is declined with <code>2005:Expired card</code>; none at all will do.</p>
</details>
<details><summary>Faults, in an order number</summary>
<p><code>A-1-fault:never</code> strikes whatever is done to that order, in a batch or by its transaction_id too. Name an operation to strike it alone, which query and refund_search need: <code>fault:refund.reset</code>, <code>fault:query.late</code>. A payout takes them in reference or client_data, a subscription’s cancel in contract_name.</p>
${lines(faultNames.map((name) => ({ type: `fault:${name}`, see: seen(faults[name]) })))}
<p>The <a href="/admin">admin page</a> arms the same for messages to come, whatever they say.</p>
</details>
<details><summary>Issuers, in an order number</summary>
<p><code>A-1-issuer:once</code> makes the bank picky about who opens its pages, and how. The <a href="/admin">admin page</a> chooses the same for payments to come.</p>
${lines(mannerNames.map((name) => ({ type: `issuer:${name}`, see: manners[name].does })))}
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

import { formatMoney } from '../../shared/checkout/money/money.ts';
import { cards, grouped } from '../gateway/faults/test-cards.ts';
import { type Html, html } from '../html.ts';
import type { Checkout } from './current-order.ts';
import { layout } from './layout.ts';
import type { Options } from './options.ts';
import { club, lineOf, tea } from './tea.ts';
import { teaPicture } from './tea-picture.ts';

/** What most people want to see; the gateway's own page has all of them. */
const shownCards = [cards.approved, cards.declined, cards.poor, cards.wrongCode, cards.late, cards.silent];

type Shown = {
  options: Options;
  session: Checkout;
  relayUrl: string;
  /** The order before this one, if it is paid. */
  paid?: { id: string; order_no: string } | undefined;
  /** A page of all test cards. */
  testCardsUrl?: string | undefined;
};

/** The shop's page: the tea, the checkout of the visitor's order, and word of the one before if that is paid. */
export function productPage({ options, session, relayUrl, paid, testCardsUrl }: Shown): string {
  const { theme, locale } = options;
  return layout({
    title: tea.name,
    theme,
    head: html`<script src="${relayUrl}/turnpike.js" async></script>
<script src="/shop.js" defer></script>`,
    content: html`${paid && html`<p class="paid" role="status">Your order ${paid.order_no} is paid. <a href="/thanks?session=${encodeURIComponent(paid.id)}">See it</a></p>`}
<div class="counter">
${product(options)}
<section class="pay" aria-label="Payment">
<turnpike-checkout session="${session.client_secret}" locale="${locale}" theme="${theme}"><a href="${session.checkout_url}">Pay here</a></turnpike-checkout>
<a id="thanks" class="button" href="/thanks?session=${encodeURIComponent(session.id)}" hidden>See your order</a>
<a id="again" class="button" href="${selfLink(options)}" hidden>Buy again</a>
</section>
</div>
${behindTheCounter(options, session, testCardsUrl)}`,
  });
}

function product(options: Options): Html {
  const { price, quantity, total } = lineOf(options);
  const money = (amount: string) => formatMoney(options.locale, tea.currency, amount);
  return html`<section class="product" aria-labelledby="name">
${teaPicture}
<div class="about">
<h1 id="name">${tea.name}</h1>
<p class="quiet">${tea.description}</p>
<p>Grown in the hills of the Vale do Ribeira, picked in spring and steamed the same day. Bright, grassy, a little sweet.</p>
</div>
<dl class="bill">
<div><dt>${quantity} × ${money(price)}</dt><dd>${money(total)}</dd></div>
${options.subscription && html`<div><dt>${club.contract_name}</dt><dd>${club.billing_cycle} times, once a ${club.interval}</dd></div>`}
<div><dt>Delivery</dt><dd>Free</dd></div>
<div class="total"><dt>Total</dt><dd>${money(total)} <small>${tea.currency}</small></dd></div>
</dl>
</section>`;
}

function behindTheCounter(options: Options, { checkout_url }: Checkout, testCardsUrl: string | undefined): Html {
  return html`<section class="behind" aria-labelledby="behind">
<h2 id="behind">Behind the counter</h2>
<div class="columns">
<div>
<h3>Test cards</h3>
<ul class="cards">${shownCards.map((card) => html`<li><code>${grouped(card.number)}</code><span>${card.title}</span></li>`)}</ul>
<p class="quiet">Any expiry date to come, any security code, any name. ${testCardsUrl === undefined ? 'The gateway’s page lists more cards, and faults.' : html`<a href="${testCardsUrl}">All test cards, and what comes of each</a>`}</p>
</div>
<div>
<h3>Events of the element</h3>
<ol id="events" aria-live="polite"></ol>
</div>
<div>
<h3>See it as</h3>
<ul class="ways">
${way(options, 'English', { locale: 'en' })}${way(options, 'Português', { locale: 'pt-BR' })}${way(options, 'Español', { locale: 'es-419' })}
${way(options, 'Light', { theme: 'light' })}${way(options, 'Dark', { theme: 'dark' })}
${options.methods === 'card' ? way(options, 'Card and Pix', { methods: undefined }) : way(options, 'Card only', { methods: 'card' })}
${options.subscription ? way(options, 'Only once', { subscription: undefined }) : way(options, 'Every month', { subscription: 'month' })}
<li><a href="${checkout_url}">A page of its own</a></li>
</ul>
</div>
</div>
</section>`;
}

function way(options: Options, label: string, change: Partial<Options>): Html {
  return html`<li><a href="${selfLink({ ...options, ...change })}">${label}</a></li>`;
}

function selfLink(options: Partial<Options>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options)) if (value !== undefined) query.set(name, value);
  return `/?${query.toString()}`;
}

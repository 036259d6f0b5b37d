import { testCards } from '../../shared/card-data/test-cards.ts';
import { formatMoney } from '../../shared/checkout/money/money.ts';
import { type Html, html } from '../../shared/pages/html.ts';
import { grouped } from '../gateway/faults/test-cards.ts';
import { layout } from './layout.ts';
import type { Checkout } from './received-webhooks.ts';
import { club, lineOf, type Options, tea } from './tea.ts';

/** The most interesting cards; the gateway's own page has all of them. */
const { approved, declined, poor, wrongCode, late, silent } = testCards;
const shownCards = [approved, declined, poor, wrongCode, late, silent];

type Shown = {
  options: Options;
  session: Checkout;
  relayUrl: string;
  /** The previous order, if it is paid. */
  paid?: { id: string; order_no: string } | undefined;
  /** A page of all test cards. */
  testCardsUrl?: string | undefined;
};

/**
 * The shop's page: the tea, the checkout of the visitor's order, and a notice about the previous order if that is paid.
 */
export function productPage({ options, session, relayUrl, paid, testCardsUrl }: Shown): string {
  const { theme, locale } = options;
  return layout({
    title: tea.name,
    theme,
    // Deferred scripts run in their order: the shop listens before the checkout can be ready.
    head: html`<script src="/shop.js" defer></script>
<script src="${relayUrl}/turnpike.js" defer></script>`,
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

/** A tin of tea beside a steaming cup. */
const teaPicture = html`<svg class="picture" viewBox="0 0 480 340" role="img" aria-label="A green tin of tea beside a steaming cup">
<defs>
<linearGradient id="air" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#e7efe2"/><stop offset="1" stop-color="#f6f1e4"/></linearGradient>
<linearGradient id="tin" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#23513f"/><stop offset=".35" stop-color="#3a7a60"/><stop offset="1" stop-color="#1c4333"/></linearGradient>
<linearGradient id="lid" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#b98b3e"/><stop offset=".35" stop-color="#e6c47f"/><stop offset="1" stop-color="#9c722c"/></linearGradient>
<linearGradient id="cup" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#fffdf8"/><stop offset="1" stop-color="#e4dccb"/></linearGradient>
</defs>
<rect width="480" height="340" fill="url(#air)"/>
<path d="M0 210c60-48 112-62 168-34 46-52 108-66 160-20 50-30 104-22 152 22v162H0z" fill="#cfdfc6"/>
<path d="M0 246c90-34 170-30 240-6 82-26 162-24 240 4v96H0z" fill="#b7cfae"/>
<rect y="276" width="480" height="64" fill="#e9dcc0"/>
<ellipse cx="172" cy="296" rx="92" ry="10" fill="#000" opacity=".1"/>
<ellipse cx="338" cy="298" rx="82" ry="9" fill="#000" opacity=".1"/>
<rect x="98" y="92" width="148" height="204" rx="14" fill="url(#tin)"/>
<rect x="92" y="68" width="160" height="38" rx="10" fill="url(#lid)"/>
<rect x="98" y="140" width="148" height="116" fill="#f7f1e2"/>
<path d="M172 156c24 10 30 34 0 62-30-28-24-52 0-62z" fill="#5c9a6f"/>
<path d="M172 162v66" stroke="#2c5f46" stroke-width="2.5" stroke-linecap="round"/>
<path d="M172 196l12-12M172 206l-12-12" stroke="#2c5f46" stroke-width="2" stroke-linecap="round"/>
<text x="172" y="246" text-anchor="middle" font-family="Georgia, serif" font-size="15" letter-spacing="1.5" fill="#2c4a3c">FOLHA</text>
<path d="M372 226h18a24 24 0 0 1 0 48h-24" fill="none" stroke="#e4dccb" stroke-width="10"/>
<path d="M276 208h112c0 50-14 84-36 88h-40c-22-4-36-38-36-88z" fill="url(#cup)"/>
<ellipse cx="332" cy="208" rx="56" ry="10" fill="#f3ecdc"/>
<ellipse cx="332" cy="209" rx="49" ry="7" fill="#a9a94a"/>
<g fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" opacity=".75"><path d="M314 184c-10-16 10-24 0-42"/><path d="M336 178c-10-18 10-28 0-50"/><path d="M358 184c-10-16 10-24 0-42"/></g>
</svg>`;

import { describe, expect, it } from 'vitest';
import type { OrderParts, PublicView } from '../../shared/checkout/view.ts';
import ar from '../locales/ar.json' with { type: 'json' };
import { renderCheckout, renderNotice } from './render.tsx';

const view: PublicView = {
  session_id: 'cs_1',
  status: 'open',
  currency: 'BRL',
  amount: '129.90',
  revision: 1,
  merchant_name: '<b>Shop</b> & "Co"',
  methods: [{ type: 'card' }],
  installment_options: [],
  collect: [],
  attempts_left: 5,
  returns: true,
};
const everything: PublicView = {
  ...view,
  methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix', banks: [{ code: '1', name: 'Um' }] }],
  installment_options: [{ installments: '3', each: '43.30' }],
  collect: ['email', 'phone', 'document', 'birth_date', 'billing_address', 'delivery_address'],
  subscription: { interval: 'month', interval_count: '3', contract_amount: '129.90', billing_cycle: 4 },
};
const render = (shown: PublicView, ...locales: string[]) =>
  renderCheckout({ view: shown, locales, allowed_origins: ['https://shop.example'] });

describe('renderCheckout', () => {
  it.each([view, everything])('needs no inline styles, scripts or handlers', (shown) => {
    const { body } = render(shown, 'en');
    expect(body).not.toMatch(/\sstyle=/i);
    expect(body).not.toMatch(/<script/i);
    expect(body).not.toMatch(/\son\w+=/i);
  });

  it('gives text inputs no name, so typed values never reach URLs', () => {
    const named = [...render(everything, 'en').body.matchAll(/<(?:input|select)[^>]*\sname=[^>]*>/g)].map(String);
    expect(named.length).toBeGreaterThan(0);
    for (const tag of named) expect(tag).toContain('type="radio"');
  });

  it('has the autocomplete tokens, labels and error lines of a card', () => {
    const { body } = render(view, 'en');
    for (const token of ['cc-number', 'cc-exp', 'cc-csc', 'cc-name']) expect(body).toContain(`autocomplete="${token}"`);
    for (const name of ['card', 'expiry', 'security_code', 'name']) {
      expect(body).toContain(`<label for="field-${name}">`);
      expect(body).toMatch(new RegExp(`aria-describedby="[^"]*error-${name}"`));
      expect(body).toContain(`id="error-${name}"`);
    }
    expect(body).toContain('role="status"');
    expect(body).toContain('<noscript>');
  });

  it('escapes the shop’s name', () => {
    expect(render(view, 'en').body).not.toContain('<b>Shop');
  });

  it('uses the found language, and the wished locale for numbers', () => {
    const { lang, boot, body } = render(view, 'pt-AO', 'en');
    expect(lang).toBe('pt-PT');
    expect(boot.locale).toBe('pt-AO');
    expect(body).toContain('Número do cartão');
    expect(boot.allowed_origins).toEqual(['https://shop.example']);
  });

  it('uses right-to-left direction and styles in languages that need them', () => {
    const { dir, boot, style } = render(view, 'he');
    expect([dir, boot.dir]).toEqual(['rtl', 'rtl']);
    expect(style).toBeDefined();
    expect(render(view, 'en').style).toBeUndefined();
  });

  it('has the styles of a choice only where there is one', () => {
    const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix' } as const;
    const stylesOf = (methods: typeof view.methods) => render({ ...view, methods }, 'en').style;
    expect(stylesOf([{ type: 'card' }])).toBeUndefined();
    expect(stylesOf([{ type: 'card' }, pix])).toBeDefined();
    expect(stylesOf([pix])).toBeDefined();
  });

  it('says a subscription’s terms in plain words', () => {
    expect(render(everything, 'en').body).toContain('R$129.90 every 3 months');
    expect(render({ ...everything, subscription: { interval: 'MONTH' } }, 'en').body).toContain('R$129.90 every month');
    expect(
      render({ ...everything, subscription: { interval: 'fortnight', interval_count: '1' } }, 'en').body,
    ).toContain('every fortnight');
  });

  it('shows no terms when only alternative methods are offered', () => {
    const methods = everything.methods.slice(1);
    expect(render({ ...everything, methods }, 'en').body).not.toContain('R$129.90 every');
  });

  it.each([
    ['approved', 'Payment approved'],
    ['unknown', 'We are confirming your payment'],
    ['redirected', 'We are confirming your payment'],
    ['pending', 'We are waiting for your payment'],
    ['expired', 'This checkout has expired'],
    ['failed', 'The payment did not go through'],
  ] as const)('shows no form for a session that is %s', (status, title) => {
    const { body } = render({ ...view, status }, 'en');
    expect(body).toContain(title);
    expect(body).not.toContain('<form');
  });

  it('says on return from the issuer that payment is being confirmed', () => {
    const redirected = { payment_method: 'PIX', can_abandon: true, returned: true };
    const { body } = render({ ...view, status: 'redirected', redirected }, 'en');
    expect(body).toContain('We are confirming your payment');
    expect(body).not.toContain('<button');
  });

  it('names what is pending, and offers another way where there is one', () => {
    const { methods } = everything;
    const pending = { payment_method: 'PIX', can_abandon: true };
    const { body, preload } = render({ ...view, methods, status: 'pending', pending }, 'en');
    expect(body).toContain('We are waiting for your payment with Pix');
    expect(body).toContain('Choose another way');
    expect(preload).toContain('flow');
    const stuck = render({ ...view, methods, status: 'pending', pending: { ...pending, can_abandon: false } }, 'en');
    expect(stuck.body).not.toContain('Choose another way');
  });

  it('reports an order paid through another session as paid', () => {
    const { body } = render({ ...view, status: 'failed', reason: 'order_already_paid' }, 'en');
    expect(body).toContain('This order is already paid');
    expect(body).not.toContain('did not go through');
  });

  it('says what to do after a decline and after an unpaid return', () => {
    expect(render({ ...view, notice: 'declined', advice: 'contact_bank', attempts_left: 1 }, 'en').body).toMatch(
      /Contact your bank.*once more/,
    );
    expect(render({ ...view, notice: 'not_paid' }, 'en').body).toContain('Not paid yet');
  });
});

describe('a hosted page', () => {
  const order: OrderParts = {
    items: [
      { name: '<i>Tea</i>', quantity: 2, price: '50.00', total: '100.00' },
      { name: 'Tin', quantity: 1, price: '29.90', total: '29.90' },
    ],
    further: 1200,
    sums: [
      { name: 'item_total', amount: '129.90' },
      { name: 'shipping_discount', amount: '5.00' },
    ],
  };
  const page = (shown: PublicView, locale = 'en') =>
    renderCheckout({ view: shown, locales: [locale], allowed_origins: [], hosted: { order, logo: '/logo/1.png' } });

  it('is titled by its next action or by the outcome', () => {
    expect(page(view).title).toBe('Pay <b>Shop</b> & "Co"');
    expect(page({ ...view, status: 'expired' }).title).toBe('This checkout has expired · <b>Shop</b> & "Co"');
    expect(render(view, 'en').title).toBe('Checkout');
  });

  it('shows the order in the shopper’s language and numbers', () => {
    expect(page(view, 'de').boot.hosted).toEqual({
      logo: '/logo/1.png',
      summary: {
        items: [
          { name: '<i>Tea</i>', detail: '2 × 50,00\u00a0R$', total: '100,00\u00a0R$' },
          { name: 'Tin', total: '29,90\u00a0R$' },
        ],
        further: 'Weitere Artikel: 1.200',
        sums: [
          { label: 'Zwischensumme', amount: '129,90\u00a0R$' },
          { label: 'Versandrabatt', amount: '-5,00\u00a0R$' },
        ],
      },
    });
    expect(page(view, 'de').body).toContain('<bdi>&lt;i>Tea&lt;/i></bdi><small>2 × 50,00\u00a0R$</small>');
  });

  it('has one heading and one amount, both outside the form', () => {
    for (const shown of [view, { ...view, status: 'failed' } as const]) {
      const { body } = page(shown);
      expect(body.match(/<h1/g)).toHaveLength(1);
      expect(body.match(/class="amount"/g)).toHaveLength(1);
    }
    expect(page(view).body).toContain('<form');
  });

  it('has a link to the shop until it is paid', () => {
    expect(page(view).body).toContain(
      '<a href="/return/cs_1" aria-label="Back to &lt;b>Shop&lt;/b> &amp; &quot;Co&quot;"',
    );
    expect(page({ ...view, returns: false }).body).not.toContain('<a');
  });

  it('has styles, texts and a script that a frame does not load', () => {
    const [framed, alone] = [render(view, 'en'), page(view)];
    expect(alone.preload).toEqual(['hosted']);
    expect(alone.style).toBeDefined();
    expect(alone.boot.messages.order_summary).toBe('Order summary');
    expect([framed.preload, framed.style, framed.boot.hosted, framed.boot.messages.order_summary]).toEqual([
      [],
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('renderNotice', () => {
  const link = { to: 'check', href: '/' } as const;

  it('shows one message and one link', () => {
    const page = renderNotice({
      notice: 'issuer_unreachable',
      locales: ['es-MX'],
      link: { to: 'on', href: 'https://x.example/?a=1&b="2"' },
    });
    expect(page.lang).toBe('es-419');
    expect(page.body).toContain('No se puede abrir');
    expect(page.body).toContain('href="https://x.example/?a=1&amp;b=&quot;2&quot;"');
    expect(page.body).not.toMatch(/<script|\sstyle=/);
  });

  it('is written from right to left in right-to-left languages', () => {
    const { lang, dir, title } = renderNotice({ notice: 'expired', locales: ['ar-EG'], link });
    expect([lang, dir, title]).toEqual(['ar', 'rtl', ar.form.expired_title]);
  });

  it.each([
    ['pending', 'We are waiting for your payment'],
    ['confirming', 'We are confirming your payment'],
    ['order_already_paid', 'This order is already paid'],
  ] as const)('describes %s', (notice, text) => {
    expect(renderNotice({ notice, locales: ['en'], link }).body).toContain(text);
  });

  it.each([
    [{ amount: '129.90' }, 'Payment approved', 'Your payment of R$129.90 went through.'],
    [{ amount: '0.00' }, 'Your card is saved', 'Nothing has been charged.'],
    [{ amount: '0.00', subscription: {} }, 'Your free trial has started', 'Nothing has been charged.'],
  ])('tells what was approved: %j', (view, title, text) => {
    const page = renderNotice({
      notice: 'approved',
      view: { currency: 'BRL', methods: [], ...view },
      locales: ['en'],
      link,
    });
    expect(page.title).toBe(title);
    expect(page.body).toContain(`>${title}</h1>`);
    expect(page.body).toContain(text);
  });

  it.each([
    ['card', 'Your payment with Card counts.'],
    ['PIX', 'Your payment with Pix counts.'],
  ])('says which payment counts of an order that was paid twice: %s', (payment_method, text) => {
    const view = {
      currency: 'BRL',
      amount: '129.90',
      methods: [{ type: 'apm', payment_method: 'PIX', label: 'Pix' } as const],
      paid_twice: { payment_method },
    };
    const { body } = renderNotice({ notice: 'approved', view, locales: ['en'], link });
    expect(body).toContain(`You paid twice. ${text} The shop has been informed of the second payment.`);
  });

  it.each([
    [{ to: 'on', href: '/1' }, 'Continue'],
    [{ to: 'check', href: '/2' }, 'Check again'],
    [{ to: 'retry', href: '/3' }, 'Try again'],
    [{ to: 'shop', href: '/4', name: 'Folha & Co.' }, 'Back to Folha &amp; Co.'],
  ] as const)('goes on as %j says', (onwards, label) => {
    const { body } = renderNotice({ notice: 'pending', locales: ['en'], link: onwards });
    expect(body).toContain(`<a href="${onwards.href}">${label}</a>`);
  });

  it('has the shop’s logo, and its name in the title', () => {
    const shop = { name: '<Folha>', logo: '/logo/1.svg' };
    const { body, title } = renderNotice({ notice: 'expired', shop, locales: ['en'], link });
    expect(body).toContain('<img src="/logo/1.svg" alt="&lt;Folha>"');
    expect(title).toBe('This checkout has expired · <Folha>');
  });
});

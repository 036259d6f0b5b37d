import { renderToString } from 'preact-render-to-string';
import { formatMoney } from '../../shared/checkout/money/money.ts';
import type {
  Boot,
  FormPart,
  Notice,
  OrderParts,
  RenderedPage,
  RenderModule,
  SummaryTexts,
} from '../../shared/checkout/view.ts';
import { freeTexts, scriptTexts } from '../locales/free.ts';
import { findLanguage } from '../locales/languages.ts';
import { type MessageKey, translator } from '../locales/messages.ts';
import { Checkout } from './checkout.ts';
import { loadDetails } from './details/details.tsx';
import { featuresOf } from './details/features.ts';
import { flow } from './flow/flow.tsx';
import { Page, paidTwiceText, type Tone, titleOf } from './flow/views/outcome-view.tsx';
import more from './flow/views/views.css?inline';
import { views } from './flow/views/views.tsx';
import { hosted } from './hosted/hosted.tsx';
import page from './hosted/page.css?inline';
import { Brand, Summary } from './hosted/summary.tsx';
import type { Platform } from './model.ts';
import { partsWith } from './parts/parts.tsx';
import { hasChoice, hasPlans, needsDetails, needsFieldTexts, needsParts, needsViews } from './state.ts';
import { acceptedBrands } from './view/accepted-brands.tsx';
import { App } from './view/app.tsx';
import { MarkSymbols } from './view/mark-symbols.tsx';
import choice from './view/methods.css?inline';

const NOTICES: Readonly<Record<Notice, readonly [tone: Tone, title: MessageKey, text: MessageKey]>> = {
  open: ['neutral', 'not_paid_title', 'not_paid_text'],
  processing: ['busy', 'confirming_title', 'confirming_text'],
  redirected: ['busy', 'confirming_title', 'confirming_text'],
  confirming: ['busy', 'confirming_title', 'confirming_text'],
  pending: ['waiting', 'pending_title', 'pending_text'],
  unknown: ['busy', 'confirming_title', 'confirming_text'],
  approved: ['good', 'approved_title', 'approved_text'],
  failed: ['bad', 'failed_title', 'failed_text'],
  expired: ['neutral', 'expired_title', 'expired_text'],
  order_already_paid: ['good', 'paid_title', 'order_already_paid'],
  issuer_unreachable: ['bad', 'unreachable_title', 'unreachable_text'],
  link_expired: ['neutral', 'link_expired_title', 'link_expired_text'],
  not_found: ['bad', 'broken_title', 'broken_text'],
};

const details = await loadDetails();

/** The server only draws the form and never calls the platform. */
const noPlatform: Platform = {
  secret: '',
  loadFingerprint: async () => undefined,
  now: () => new Date(0),
  wait: async () => {},
  online: () => true,
  post: () => {},
  navigate: () => {},
  focus: () => {},
};

/** Renders the form for the browser's script. */
export const renderCheckout: RenderModule['renderCheckout'] = ({ view, locales, allowed_origins, hosted: around }) => {
  const language = findLanguage(locales);
  const { lang, dir, locale, form, fields } = language;
  const { currency, amount, subscription } = view;
  const messages = {
    ...scriptTexts(form, hasPlans(view)),
    ...(needsFieldTexts(view) && fields),
    ...(around && language.hosted),
  };
  const boot: Boot = {
    view,
    locale,
    lang,
    dir,
    amount: formatMoney(locale, currency, amount),
    messages,
    // A discount may make a subscription free while the form is open.
    ...((!Number(amount) || subscription) && { free: freeTexts(form, Boolean(subscription)) }),
    allowed_origins: [...allowed_origins],
    ...(around && { hosted: { logo: around.logo, summary: summaryIn({ locale, messages }, currency, around.order) } }),
  };
  const parts = partsWith(details);
  const checkout = new Checkout(
    boot,
    noPlatform,
    { parts: async () => parts, flow: async () => flow, views: async () => views },
    { parts, flow, views },
  );
  const body = renderToString(
    <>
      {around && (
        <div id="summary">
          <Summary checkout={checkout} />
        </div>
      )}
      <main id="checkout">
        <App checkout={checkout} hosted={around && hosted} />
      </main>
      <div id="marks" hidden>
        <MarkSymbols ids={['blank', 'back', ...acceptedBrands(view)]} />
      </div>
      <noscript>
        <p class="message">{form.noscript}</p>
      </noscript>
    </>,
  );
  const preload: FormPart[] = [];
  if (needsParts(view)) preload.push('parts');
  if (needsDetails(view)) preload.push('details', ...featuresOf(view));
  if (needsViews(view)) preload.push('flow', 'views');
  const ofForm = preload.length || dir === 'rtl' ? [more] : hasChoice(view) ? [choice] : [];
  const styles = [...ofForm, ...(around ? [page] : [])];
  if (around) preload.push('hosted');
  const title = around ? titleOfPage(checkout) : form.title;
  return { lang, dir, title, body, boot, preload, ...(styles.length && { style: styles.join('') }) };
};

function titleOfPage(checkout: Checkout): string {
  const { t, state } = checkout;
  const { stage, view } = state;
  const merchant = view.merchant_name;
  if (stage.name === 'form' || stage.name === 'paying') return t('heading', { merchant });
  return `${titleOf({ checkout, stage })} · ${merchant}`;
}

/** Renders a page with one message and a link. It needs no script. */
export const renderNotice: RenderModule['renderNotice'] = ({ notice, view, shop, locales, link }): RenderedPage => {
  const { lang, dir, locale, form, hosted } = findLanguage(locales);
  const isFree = view && !Number(view.amount);
  const t = translator({ ...form, ...hosted, ...(isFree && freeTexts(form, Boolean(view.subscription)).typed) });
  const [tone, title, text] = NOTICES[notice];
  const twice = view && paidTwiceText(t, view);
  const amount = view ? formatMoney(locale, view.currency, view.amount) : '';
  const labels = { on: 'go_on', check: 'check_again', retry: 'try_again' } as const;
  const body = renderToString(
    <>
      {shop && <Brand merchant={shop.name} logo={shop.logo} />}
      <main id="checkout">
        <Page tone={tone} title={t(title)} text={t(text, { amount })}>
          {twice && <p class="message calm">{twice}</p>}
          <a href={link.href}>{link.to === 'shop' ? t('back', { merchant: link.name }) : t(labels[link.to])}</a>
        </Page>
      </main>
    </>,
  );
  return { lang, dir, title: [t(title), shop?.name].filter(Boolean).join(' · '), body, style: `${more}${page}` };
};

/**
 * The summary of an order for the shopper. Never part of the browser's bundle, because number formats are slow there.
 */
export function summaryIn(
  { locale, messages }: Pick<Boot, 'locale' | 'messages'>,
  currency: string,
  { items, further, sums }: OrderParts,
): SummaryTexts {
  const t = translator(messages);
  const money = (amount: string) => formatMoney(locale, currency, amount);
  const number = (count: number) => new Intl.NumberFormat(locale).format(count);
  return {
    items: items.map(({ name, quantity, price, total }) => ({
      name,
      ...(quantity > 1 && { detail: `${number(quantity)} × ${money(price)}` }),
      total: money(total),
    })),
    ...(further > 0 && { further: t('further', { count: number(further) }) }),
    sums: sums.map(({ name, amount }) => ({
      label: t(name),
      amount: money(name.endsWith('discount') ? `-${amount}` : amount),
    })),
  };
}

import { renderToString } from 'preact-render-to-string';
import { formatMoney } from '../../shared/checkout/money.ts';
import type { Boot, FormPart, Notice, RenderModule } from '../../shared/checkout/view.ts';
import { chargedTexts, freeTexts } from '../locales/free.ts';
import { findLanguage } from '../locales/languages.ts';
import { type MessageKey, translator } from '../locales/messages.ts';
import { Checkout } from './checkout.ts';
import { details } from './details/all-pieces.ts';
import { piecesOf } from './details/pieces/needed.ts';
import { flow } from './flow/flow.ts';
import more from './flow/more.css?inline';
import { partsWith } from './parts/compose.tsx';
import { needsDetails, needsFieldTexts, needsFlow, needsParts } from './parts.ts';
import type { Platform } from './platform.ts';
import { App } from './view/app.tsx';
import { Page, type Tone } from './view/page.tsx';

const NOTICES: Readonly<Record<Notice, readonly [tone: Tone, title: MessageKey, text: MessageKey]>> = {
  open: ['bad', 'not_paid_title', 'not_paid_text'],
  processing: ['busy', 'confirming_title', 'confirming_text'],
  redirected: ['busy', 'checking_title', 'checking_text'],
  confirming: ['busy', 'confirming_title', 'confirming_text'],
  pending: ['waiting', 'pending_title', 'pending_text'],
  unknown: ['busy', 'confirming_title', 'confirming_text'],
  approved: ['good', 'approved_title', 'approved_thanks'],
  failed: ['bad', 'failed_title', 'failed_text'],
  expired: ['bad', 'expired_title', 'expired_text'],
  order_already_paid: ['good', 'paid_title', 'order_already_paid'],
  issuer_unreachable: ['bad', 'unreachable_title', 'unreachable_text'],
  not_found: ['bad', 'broken_title', 'broken_text'],
};

/** On the server the form is only drawn: nothing of the platform is ever called. */
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

/** Renders the form as the browser's script will find it. */
export const renderCheckout: RenderModule['renderCheckout'] = ({ view, locales, allowed_origins }) => {
  const { lang, dir, locale, form, fields } = findLanguage(locales);
  const { currency, amount, subscription } = view;
  const boot: Boot = {
    view,
    locale,
    lang,
    dir,
    amount: formatMoney(locale, currency, amount),
    messages: { ...chargedTexts(form), ...(needsFieldTexts(view) && fields) },
    // A subscription may become free by a discount while the form is open.
    ...((!Number(amount) || subscription) && { free: freeTexts(form, subscription ? 'trial' : 'keep') }),
    allowed_origins: [...allowed_origins],
  };
  const parts = partsWith(details);
  const checkout = new Checkout(
    boot,
    noPlatform,
    { parts: async () => parts, flow: async () => flow },
    { parts, flow },
  );
  const body = renderToString(
    <>
      <main id="checkout">
        <App checkout={checkout} hosted={false} />
      </main>
      <div id="marks" hidden />
      <noscript>
        <p class="message">{form.noscript}</p>
      </noscript>
    </>,
  );
  const preload: FormPart[] = [];
  if (needsParts(view)) preload.push('parts');
  if (needsDetails(view)) preload.push('details', ...piecesOf(view));
  if (needsFlow(view)) preload.push('flow');
  const style = preload.length || dir === 'rtl' ? { style: more } : {};
  return { lang, dir, title: form.title, body, boot, preload, ...style };
};

/** Renders a page that tells one thing, with the way on where there is one. It needs no script. */
export const renderNotice: RenderModule['renderNotice'] = ({ notice, merchant_name, locales, link }) => {
  const { lang, dir, form } = findLanguage(locales);
  const t = translator(form);
  const [tone, title, text] = NOTICES[notice];
  const back = notice === 'approved' && merchant_name ? t('back', { merchant: merchant_name }) : t('go_on');
  const body = renderToString(
    <main id="checkout">
      <Page tone={tone} title={t(title)} text={t(text)}>
        {link && <a href={link}>{back}</a>}
      </Page>
    </main>,
  );
  return { lang, dir, title: form.title, body, style: more };
};

import { render } from 'preact';
import { formatMoney } from '../../shared/checkout/money/money.ts';
import type { Boot } from '../../shared/checkout/view.ts';
import { Checkout } from '../../widget/form/checkout.ts';
import { loadDetails } from '../../widget/form/details/details.tsx';
import { flow } from '../../widget/form/flow/flow.tsx';
import { views } from '../../widget/form/flow/views/views.tsx';
import { hosted } from '../../widget/form/hosted/hosted.tsx';
import { Summary } from '../../widget/form/hosted/summary.tsx';
import type { Platform } from '../../widget/form/model.ts';
import { partsWith } from '../../widget/form/parts/parts.tsx';
import { renderNotice, summaryIn } from '../../widget/form/render.tsx';
import { App } from '../../widget/form/view/app.tsx';
import { inputId } from '../../widget/form/view/field.tsx';
import { allMarks, MarkSymbols } from '../../widget/form/view/mark-symbols.tsx';
import { freeTexts } from '../../widget/locales/free.ts';
import { findLanguage, type Language } from '../../widget/locales/languages.ts';
import { TODAY } from '../states/fixtures.ts';
import type { FormPicture, Picture } from '../states.ts';

const parts = partsWith(await loadDetails());

/** Without a shop's page and a checkout server: nothing is sent, and no answer comes. */
const noPlatform: Platform = {
  secret: 'cs_gallery.SECRET',
  loadFingerprint: async () => undefined,
  now: () => TODAY,
  // Long waits are for answers, which never come.
  wait: (ms) => (ms < 1000 ? Promise.resolve() : new Promise(() => {})),
  online: () => true,
  post: () => {},
  navigate: () => {},
  focus: (name) => focusOn(name),
};

/** Shows one picture in this document, with the widget's own components. `messages` replaces the language's texts. */
export function show(root: HTMLElement, picture: Picture, messages?: Readonly<Record<string, string>>): void {
  const { shows, locale = 'en' } = picture;
  const html = document.documentElement;
  const language = findLanguage([locale]);
  const { lang, dir, form, fields, hosted } = language;
  Object.assign(html, { lang, dir });
  html.classList.toggle('compact', picture.compact === true);
  html.classList.toggle('framed', !('notice' in shows) && !shows.hosted);
  html.style.cssText = '';
  for (const [name, value] of Object.entries(picture.variables ?? {})) html.style.setProperty(name, value);
  render(null, root);
  if ('notice' in shows) {
    root.innerHTML = renderNotice({ ...shows, shop: { name: 'Folha' }, locales: [locale] }).body;
    return;
  }
  root.innerHTML = '<div id="summary"></div><main id="checkout"></main><div id="marks" hidden></div>';
  const main = root.querySelector('main');
  const marks = root.querySelector('#marks');
  if (marks) render(<MarkSymbols ids={allMarks} />, marks);
  if (main) showForm(main, shows, language, messages ?? { ...form, ...fields, ...hosted });
}

function showForm(
  main: HTMLElement,
  { view, state, typed = {}, at, open, sent, hosted: around }: FormPicture,
  language: Language,
  messages: Readonly<Record<string, string>>,
): void {
  const load = { parts: async () => parts, flow: async () => flow, views: async () => views };
  const { lang, dir, locale } = language;
  const amount = formatMoney(locale, view.currency, view.amount);
  const free = freeTexts(messages, Boolean(view.subscription));
  const { order = { items: [], further: 0, sums: [] }, logo } = around ?? {};
  const boot: Boot = {
    ...{ view, lang, dir, locale, messages: { ...messages }, free, amount },
    allowed_origins: ['https://folha.example'],
    ...(around && { hosted: { logo, summary: summaryIn({ locale, messages }, view.currency, order) } }),
  };
  const checkout = new Checkout(boot, noPlatform, load, { parts, flow, views });
  const { stage, message, errors, ...before } = state ?? {};
  checkout.set(before);
  render(<App checkout={checkout} hosted={around && hosted} />, main);
  const beside = document.getElementById('summary');
  if (around && beside) render(<Summary checkout={checkout} />, beside);
  if (open) for (const more of document.querySelectorAll('details')) more.open = true;
  for (const [name, text] of Object.entries(typed)) type(name, text, true);
  if (sent) void checkout.submit();
  // The state after sending: the input and a press would remove it.
  checkout.set({ ...(message && { message }), ...(errors && { errors }), ...(stage && { stage }) });
  if (at) {
    if (at[1] !== undefined) type(at[0], at[1], false);
    focusOn(at[0]);
  }
}

/** Fills a field like a browser's autofill. */
function type(name: string, text: string, leave: boolean): void {
  const input = document.getElementById(inputId(name));
  if (!(input instanceof HTMLInputElement)) throw new Error(`There is no field ${name} to type into`);
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  if (leave) input.dispatchEvent(new Event('blur'));
}

/**
 * Only one of many frames can have the focus, and the others would react as if the shopper left. On such a page no
 * frame has it.
 */
function focusOn(name: string): void {
  if (window.parent !== window) return;
  const button = name === 'submit' && document.querySelector<HTMLElement>('[type=submit]');
  (button || document.getElementById(inputId(name)))?.focus();
}

import { render } from 'preact';
import { formatMoney } from '../../../shared/checkout/money/money.ts';
import { DeviceReader } from '../../device/device-reader.ts';
import '../card/brand-table.ts';
import type { FlowModule } from '../model.ts';
import { changeDetail, problemOf, problemsOf } from '../rules.ts';
import { allMarks, MarkSymbols } from '../view/mark-symbols.tsx';
import { createApi } from './api.ts';
import css from './flow.css?inline';
import { sendFocusEvents } from './focus-events.ts';
import { leadOn } from './next-field.ts';
import { PaymentFlow } from './payment-flow.ts';
import { spokenError } from './spoken-error.ts';
import { MessageView } from './views/message-view.tsx';
import { Outcome } from './views/outcome-view.tsx';

/** The flow as one module to load. */
export const flow: FlowModule = {
  startFlow: (core) => {
    dress(document);
    addMarks(document);
    const { secret, accept, loadFingerprint } = core.platform;
    const device = new DeviceReader(window, accept, loadFingerprint);
    // The last drawing must become visible first.
    requestAnimationFrame(() => setTimeout(() => void device.start()));
    const api = createApi(secret, (...request) => fetch(...request));
    const started = new PaymentFlow(core, api, () => device.read());
    onComingBack(window, () => void started.refresh());
    sendFocusEvents(document, core);
    leadOn(document.documentElement, core);
    return started;
  },
  problemOf,
  problemsOf,
  changeDetail,
  formatMoney,
  Outcome,
  MessageView,
  spokenError,
};

/**
 * Adds the styles of parts that a plain card form does not show at first. The page's policy forbids a style element
 * that a script adds, but not a constructed style sheet. In a browser without constructed sheets, texts are unstyled.
 */
function dress(document: Document): void {
  if (!document.adoptedStyleSheets) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Adds the drawings of all brands. The page has only those that it shows at first. */
function addMarks(document: Document): void {
  const place = document.getElementById('marks');
  if (place) render(<MarkSymbols ids={allMarks} />, place);
}

/**
 * Calls `refresh` whenever the shopper may have returned: by the back button, from another tab, or after a lost
 * connection.
 */
function onComingBack(self: Window, refresh: () => void): void {
  const { document } = self;
  self.addEventListener('pageshow', (event) => event.persisted && refresh());
  const back = () => document.visibilityState === 'visible' && refresh();
  self.addEventListener('online', back);
  document.addEventListener('visibilitychange', back);
}

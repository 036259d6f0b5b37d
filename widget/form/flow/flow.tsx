import { formatMoney } from '../../../shared/checkout/money/money.ts';
import { DeviceReader } from '../../device/device-reader.ts';
import '../card/brand-table.ts';
import type { Core, FlowModule } from '../model.ts';
import { changeDetail, problemOf, problemsOf } from '../rules.ts';
import { createApi } from './api.ts';
import { sendFocusEvents } from './focus-events.ts';
import { leadOn } from './next-field.ts';
import { PaymentFlow } from './payment-flow.ts';

/** The flow as one module to load. */
export const flow: FlowModule = {
  startFlow: (core) => {
    const { secret, accept, loadFingerprint } = core.platform;
    const device = new DeviceReader(window, accept, loadFingerprint);
    // The last drawing must become visible first.
    requestAnimationFrame(() => setTimeout(() => void device.start()));
    const api = createApi(secret, (...request) => fetch(...request));
    const started = new PaymentFlow(core, api, () => device.read());
    onComingBack(window, () => void started.refresh());
    loadAtFirstTouch(document, core);
    sendFocusEvents(document, core);
    leadOn(document.documentElement, core);
    return started;
  },
  problemOf,
  problemsOf,
  changeDetail,
  formatMoney,
};

/** Loads the views once the shopper touches the form, or at once if they already did. */
function loadAtFirstTouch(document: Document, core: Core): void {
  const load = () => void core.loadViews();
  for (const type of ['pointerover', 'focusin', 'input']) document.addEventListener(type, load, { once: true });
  if (document.activeElement !== document.body || core.state.values.card) load();
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
